package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var at = time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)

func TestVersions(t *testing.T) {
	for version, want := range map[string]bool{
		"v0.3.0": true, "v1.20.3-rc.1": true, "0.3.0": false, "v0.3": false, "v01.0.0": false, "v2.0.0": false, "v0.3.0+dirty": false, "": false,
	} {
		if got := valid.MatchString(version); got != want {
			t.Errorf("%s: %v, want %v", version, got, want)
		}
	}
}

func TestMan(t *testing.T) {
	help := "Does things.\n\nUsage:\n  kfpgo COMMAND\n\nCommands:\n  compile    Compile it\n  run        Run it, as '.x'\n\nFlags:\n  -q, --quiet   less\n.dot \\n\n"
	if got := subcommands(help); len(got) != 2 || got[0] != (sub{"compile", "Compile it"}) || got[1].short != "Run it, as '.x'" {
		t.Errorf("%v", got)
	}
	if got := subcommands("Flags:\n  -q   less\n"); len(got) != 0 {
		t.Errorf("%v", got)
	}
	page := man("kfpgo-run", "Run it", help, at)
	for _, want := range []string{".TH KFPGO\\-RUN 1 2026-01-02 kfpgo\n", "\nkfpgo\\-run \\- Run it\n", "\n\\&.dot \\en\n", "\n  \\-q, \\-\\-quiet   less\n", "as \\(aq.x\\(aq\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}

// TestArchives: an archive depends on nothing but its files and the time that is given.
func TestArchives(t *testing.T) {
	files := []file{{"kfpgo", 0o755, []byte("program")}, {"man/man1/kfpgo.1", 0o644, nil}}
	for name, pack := range map[string]func(io.Writer, string, []file, time.Time) error{"tar": tarball, "zip": zipped} {
		var one, two, other bytes.Buffer
		for b, at := range map[*bytes.Buffer]time.Time{&one: at, &two: at, &other: at.Add(time.Hour)} {
			if err := pack(b, "kfpgo-v0.3.0", files, at); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(one.Bytes(), two.Bytes()) || bytes.Equal(one.Bytes(), other.Bytes()) {
			t.Errorf("%s: the bytes are not those of the files and the time", name)
		}
	}
}

func TestLicenses(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"LICENSE", "LICENSE-MIT", "COPYING.txt", "NOTICE", "license.go", "README.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("text of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found := texts(dir)
	if len(found) != 4 {
		t.Errorf("%v", found)
	}
	b, err := written(map[string][]string{"example.com/m v1.0.0": found}, map[string]string{"example.com/m v1.0.0": dir})
	if err != nil || !strings.Contains(string(b), "example.com/m v1.0.0: COPYING.txt\n\ntext of COPYING.txt\n") {
		t.Errorf("%v\n%s", err, b)
	}
	if _, err := written(nil, map[string]string{"example.com/none v1.0.0": dir}); err == nil || !strings.Contains(err.Error(), "example.com/none v1.0.0 has no file") {
		t.Errorf("a module without a licence: %v", err)
	}
}
