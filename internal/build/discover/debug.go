package discover

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Debug builds the program once more, for a debugger: with its tables, and without
// optimizations, which move lines and lose variables. The caller removes the file.
func (p *Program) Debug(ctx context.Context) (file string, err error) {
	e := entry{place: p.place, dir: filepath.Dir(p.File)}
	dir, err := os.MkdirTemp(e.dir, "debug-")
	if err != nil {
		return "", fmt.Errorf("cache of built programs: %w", err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	target, files := p.Package.overlay()
	list, err := entry{place: p.place, dir: dir}.writeOverlay(files)
	if err != nil {
		return "", fmt.Errorf("cache of built programs: %w", err)
	}
	file = filepath.Join(dir, "program"+exe)
	args := []string{"build", "-trimpath=false", "-overlay", list, "-gcflags=all=-N -l", "-o", file}
	if strings.Contains(os.Getenv("GOFLAGS"), "-ldflags") {
		args = append(args, "-ldflags=")
	}
	if _, err := p.place.run(ctx, append(args, target)...); err != nil {
		return "", explain(err, p.Package)
	}
	return file, nil
}
