//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestChildren: programs that kfpgo starts don't get the secrets of its environment:
// compilers, steps, and commands that print tokens.
func TestChildren(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	s := newTeller(t, "plain 401")
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	const tell = script + `echo "== $0" >>"$SEEN"; tr '\0' '\n' </proc/$$/environ >>"$SEEN"; tr '\0' ' ' </proc/$PPID/cmdline >>"$SEEN"` + "\n"
	write("go", tell+"exec "+real+` "$@"`)
	write("python3", tell+"exit 1")
	write("ask", tell+"echo token-5up3r")
	for _, c := range []struct {
		args  []string
		child string
	}{
		{[]string{"compile", repo + "/examples/calc", "-o", dir + "/calc.yaml"}, dir + "/go"},
		{[]string{"doctor"}, dir + "/python3"},
		{[]string{"runs", "list", "--endpoint", s.URL, "--token-command", dir + "/ask"}, dir + "/ask"},
	} {
		seen := filepath.Join(t.TempDir(), "seen")
		cmd := exec.Command("kfpgo", c.args...)
		cmd.Dir = repo
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "SEEN="+seen, "KFPGO_CONFIG="+dir+"/none", "XDG_CACHE_HOME="+dir+"/cache", "HOME="+dir,
			"GOCACHE="+os.Getenv("GOCACHE"), "KFPGO_TOKEN=a-5up3r", "KFPGO_COOKIE=b-5up3r", "KFPGO_PASSWORD=c-5up3r")
		out, _ := cmd.CombinedOutput() // how it ends is for other tests
		b, err := os.ReadFile(seen)
		if err != nil || !strings.Contains(string(b), "== "+c.child) {
			t.Errorf("%q started no %s: %v\n%s", c.args, c.child, err, out)
		}
		for _, secret := range []string{"a-5up3r", "b-5up3r", "c-5up3r", "token-5up3r"} {
			if strings.Contains(string(b), secret) || strings.Contains(string(out), secret) {
				t.Errorf("%q: %s is in what %s sees, or in\n%s", c.args, secret, c.child, out)
			}
		}
	}
}

// TestContextsFile: a file of contexts that others may read is made private by writing
// it, and refused if it has secrets by then; and mistakes in it show none of them.
func TestContextsFile(t *testing.T) {
	config := filepath.Join(t.TempDir(), "config.yaml")
	kfpgo := func(stdin string, args ...string) (string, error) {
		cmd := exec.Command("kfpgo", args...)
		cmd.Env = append(os.Environ(), "KFPGO_CONFIG="+config)
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, c := range []struct {
		name, text string
		mode       os.FileMode
		want       string // in the error; empty: it works, and the file is private after it
	}{
		{"one without secrets that all may read", "contexts: {a: {endpoint: http://x}}", 0o644, ""},
		{"one that only the user reads", "contexts: {a: {token: token-5up3r}}", 0o600, ""},
		{"a token that all may read", "contexts: {a: {token: token-5up3r}}", 0o644, "chmod 600"},
		{"a cookie that the group may read", "contexts: {a: {cookie: token-5up3r}}", 0o640, "chmod 600"},
		{"a password in an address", "contexts: {a: {proxy: 'http://u:token-5up3r@p'}}", 0o644, "chmod 600"},
		{"a token that is a list", "contexts: {a: {token: [token-5up3r]}}", 0o600, "cannot unmarshal"},
		{"a token that is not a number", "contexts: {a: {token: !!int token-5up3r}}", 0o600, "config.yaml"},
		{"a token for a switch", "contexts: {a: {insecure: token-5up3r}}", 0o600, "a value"},
		{"no YAML", "contexts: {a: {token: 'token-5up3r}}", 0o600, "config.yaml"},
		{"an unknown setting", "contexts: {a: {tokn: token-5up3r}}", 0o600, "field tokn"},
	} {
		if err := os.WriteFile(config, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(config, c.mode); err != nil {
			t.Fatal(err)
		}
		out, err := kfpgo("token-5up3r\n", "context", "set", "b", "--endpoint", "http://y", "--token-stdin")
		if (err == nil) != (c.want == "") || !strings.Contains(out, c.want) || strings.Contains(out, "5up3r") {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
		if st, err := os.Stat(config); c.want == "" && (err != nil || st.Mode().Perm() != 0o600) {
			t.Errorf("%s: %v %v", c.name, st.Mode(), err)
		}
	}
}
