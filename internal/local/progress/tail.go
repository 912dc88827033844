package progress

import (
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
		return run.Tail(filepath.Join(dir, filepath.FromSlash(t.Logs[len(t.Logs)-1])), 2048)
	}
}
