//go:build unix

package discover

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestChildren: what the go command and a pipeline's program start ends with them when
// the context does, and when they end by themselves.
func TestChildren(t *testing.T) {
	for name, run := range map[string]func(ctx context.Context, dir string) error{
		"go": func(ctx context.Context, dir string) error {
			_, err := place{dir: dir, wd: dir}.run(ctx, "build")
			return err
		},
		"program": func(ctx context.Context, dir string) error {
			_, err := (&Program{Package: &Package{}, File: filepath.Join(dir, "go"), place: place{wd: dir}}).Graph(ctx)
			return err
		},
	} {
		for _, end := range []string{"wait", "exit 1"} {
			t.Run(name+", "+end, func(t *testing.T) {
				dir := t.TempDir()
				pipe := filepath.Join(dir, "pipe")
				if err := syscall.Mkfifo(pipe, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\nsleep 1000 >"+pipe+" & echo started >"+pipe+"\n"+end+"\n"), 0o700); err != nil {
					t.Fatal(err)
				}
				t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				done := make(chan error, 1)
				go func() { done <- run(ctx, dir) }()
				r, err := os.Open(pipe)
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				lines := bufio.NewScanner(r)
				lines.Scan()
				if end == "wait" {
					cancel()
				}
				for lines.Scan() { // until nobody holds the other end
				}
				if err := <-done; err == nil {
					t.Error("no error")
				}
			})
		}
	}
}
