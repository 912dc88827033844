// Command strings writes the words of kfpgo's Go files for Vale: all strings of at least two words, such as messages
// and help, the doc tags of fields, and all comments. Each Go file becomes a Markdown file in which each string is at
// the line that it has in the source. make prose calls it.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
)

func main() {
	repo := flag.String("C", ".", "`folder` of the repository")
	pending := flag.String("pending", "internal/tool/strings/pending", "`file` with folders and files to leave out, one a line")
	out := flag.String("o", "out/strings", "`folder` for the Markdown files; must be empty or not exist")
	flag.Parse()
	if err := write(*repo, *pending, *out); err != nil {
		fmt.Fprintln(os.Stderr, "strings:", err)
		os.Exit(1)
	}
}

// write writes the Markdown file of each Go file. A file of an earlier call would be checked too, so the folder must be empty.
func write(repo, pending, out string) error {
	if old, err := os.ReadDir(out); err == nil && len(old) > 0 {
		return fmt.Errorf("%s is not empty; remove it first", out)
	}
	skip, err := excluded(repo, pending)
	if err != nil {
		return err
	}
	files, err := sources(repo, skip)
	if err != nil {
		return err
	}
	for _, file := range files {
		src, err := os.ReadFile(filepath.Join(repo, file))
		if err != nil {
			return err
		}
		page, err := words(file, src)
		if err != nil {
			return err
		}
		target := filepath.Join(out, file+".md")
		if err := atomicfile.WriteIn(target, 0o644, page); err != nil {
			return err
		}
	}
	return nil
}

// excluded reads the list of folders and files that are left out. One that doesn't exist is an error, so that the list
// doesn't outlive it.
func excluded(repo, pending string) ([]string, error) {
	f, err := os.Open(pending)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []string
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		name := strings.TrimSpace(lines.Text())
		if name == "" || strings.HasPrefix(name, "#") {
			continue
		}
		if _, err := os.Stat(filepath.Join(repo, name)); err != nil {
			return nil, fmt.Errorf("%s:%d: %s is not in the repository; remove the line", pending, n, name)
		}
		list = append(list, filepath.FromSlash(name))
	}
	return list, lines.Err()
}

// elsewhere are folders without strings of the product. Those of test support and examples are read by contributors.
var elsewhere = []string{"test", "tools", "examples", "out", "bin", filepath.FromSlash("internal/testing")}

// sources lists the Go files of the product, without tests, relative to the repository.
func sources(repo string, skip []string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(repo, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(repo, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			hidden := len(d.Name()) > 1 && (d.Name()[0] == '.' || d.Name()[0] == '_') && name != "."
			if hidden || d.Name() == "testdata" || slices.Contains(elsewhere, name) || slices.Contains(skip, name) {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !slices.Contains(skip, name) {
			files = append(files, name)
		}
		return nil
	})
	return files, err
}
