//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// TestSessionOnTerminal: the commands of testdata/script/session.txtar on a terminal, as it
// shows them at the end of each.
func TestSessionOnTerminal(t *testing.T) {
	t.Parallel()
	script, err := txtar.ParseFile("testdata/script/session.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir, vars, commands := t.TempDir(), goEnv(t), ""
	if err := module(dir, vars["REPO"]); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "train"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range script.Files {
		if f.Name == "commands.txt" {
			commands = string(f.Data)
		}
		if strings.HasPrefix(f.Name, "train/") {
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	env := append(os.Environ(), "KFPGO_HOME="+filepath.Join(dir, "home"), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "TERM=xterm", "LC_ALL=C.UTF-8",
		"KFPGO_CONFIG="+filepath.Join(dir, "config.yaml"), "KFPGO_CONTEXT=", "KF_PIPELINES_ENDPOINT=", "ARGO_SERVER=", "KUBERNETES_SERVICE_HOST=") // no server
	for k, v := range vars {
		env = append(env, k+"="+v)
	}
	if err := shareGraphviz(filepath.Join(dir, "cache", "kfpgo")); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(commands) {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir, cmd.Env = dir, env
		p := onTerminal(t, 100, 50, cmd)
		err := p.cmd.Wait()
		<-p.done
		b.WriteString("$ " + line + screen(t, p.text()))
		if err != nil {
			b.WriteString(err.Error() + "\n")
		}
	}
	golden.Check(t, "testdata/session_terminal.txt", []byte(steady(strings.ReplaceAll(b.String(), dir, "WORK"))))
}

// steady takes out what differs from run to run.
func steady(s string) string {
	for _, r := range [][2]string{
		{`(?m)^go builds the program of .*\n`, ""}, // printed where that takes seconds
		{`-[0-9]{8}T[0-9]{6}-[0-9a-f]{4}`, "-ID"}, {`[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}`, "DATE"},
		{` +([0-9]+m)?[0-9]+(\.[0-9])?s\b`, " 0.0s"}, {` +\n`, "\n"},
	} {
		s = regexp.MustCompile(r[0]).ReplaceAllString(s, r[1])
	}
	return s
}

// screen returns the lines that a terminal shows after the output of a run: what was written
// over is gone, and so are colors.
func screen(t *testing.T, out string) string {
	t.Helper()
	var rows [][]rune
	y, x := 0, 0
	for _, part := range regexp.MustCompile(`(?s)\x1b\[[?0-9;]*[A-Za-z]|.`).FindAllString(out, -1) {
		for len(rows) <= y {
			rows = append(rows, nil)
		}
		switch final := part[len(part)-1]; {
		case part == "\n":
			y++
		case part == "\r":
			x = 0
		case !strings.HasPrefix(part, "\x1b"):
			for len(rows[y]) <= x {
				rows[y] = append(rows[y], ' ')
			}
			rows[y][x] = []rune(part)[0]
			x++
		case final == 'A' || final == 'B':
			n := number(part)
			if final == 'A' {
				n = -n
			}
			y = max(y+n, 0)
		case final == 'K':
			rows[y] = rows[y][:min(x, len(rows[y]))]
		case final == 'J':
			rows[y] = rows[y][:min(x, len(rows[y]))]
			rows = rows[:y+1]
		case final != 'm' && final != 'h' && final != 'l':
			t.Errorf("sequence %q", part)
		}
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(string(row) + "\n")
	}
	return strings.TrimLeft(strings.TrimRight(b.String(), "\n")+"\n", "\n")
}

// number returns the number in a sequence; 1 without one.
func number(sequence string) int {
	n := 0
	for _, c := range sequence {
		if c >= '0' && c <= '9' {
			n = 10*n + int(c-'0')
		}
	}
	return max(n, 1)
}
