package progress

import (
	"io"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

// Logs returns what the tasks of a run on this machine have said last, from their
// logs in the run's folder.
func Logs(dir string) func(run.Task) string {
	return func(t run.Task) string {
		if len(t.Logs) == 0 {
			return ""
		}
		return tail(filepath.Join(dir, filepath.FromSlash(t.Logs[len(t.Logs)-1])))
	}
}

// tail returns the end of a file.
func tail(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	const most = 2048
	if info, err := f.Stat(); err == nil && info.Size() > most {
		f.Seek(-most, io.SeekEnd)
	}
	b, _ := io.ReadAll(io.LimitReader(f, 2*most))
	return string(b)
}
