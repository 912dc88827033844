//go:build unix

package records

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

// TestLogs: lines come whole and in order, those of an attempt that has ended with its rest.
func TestLogs(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(text)
			f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	l := NewLogs(dir, func(t *run.Task, line string) { got = append(got, t.Path+": "+line) })
	says := func(want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("got %.60q, want %.60q", got, want)
		}
		got = nil
	}
	task := run.Task{Path: "a/b", State: run.Running, Logs: []string{"log.1"}}
	l.See(task)
	says() // the file isn't there yet
	write("log.1", "one\ntw")
	l.Read()
	says("a/b: one")
	write("log.1", "o\nrest")
	l.Read()
	says("a/b: two")
	task.Logs = append(task.Logs, "log.2")
	l.See(task)
	says("a/b: rest")
	write("log.2", strings.Repeat("x", longest+2)+"\nend")
	l.Read()
	says("a/b: "+strings.Repeat("x", longest), "a/b: xx")
	task.State = run.Failed
	l.See(task)
	says("a/b: end")
	write("log.2", "late\n")
	l.Read()
	l.See(task)
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	says()
}

// TestTail: the last lines, of regular files in the folder of the run only.
func TestTail(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"log.1": "not this\n", "log.2": "one\ntwo\nthree\n", "long": strings.Repeat("y", 2*tailed), "many": strings.Repeat("line\n", tailed), "empty": "\n"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		logs []string
		want string
	}{
		{nil, "[]"},
		{[]string{"log.1", "log.2"}, `["two" "three"]`},
		{[]string{"empty"}, "[]"}, {[]string{"none"}, "[]"}, {[]string{"pipe"}, "[]"}, {[]string{"link"}, "[]"}, {[]string{outside}, "[]"},
		{[]string{"long"}, `["` + strings.Repeat("y", tailed) + `"]`},
		{[]string{"many"}, `["line" "line"]`},
	} {
		if got := fmt.Sprintf("%q", Tail(dir, &run.Task{Logs: c.logs}, 2)); got != c.want {
			t.Errorf("%q: got %.80s, want %.80s", c.logs, got, c.want)
		}
	}
}
