package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/host/child"
)

// folder returns the folder of the data, absolute. The module that has it is downloaded once.
func (d demo) folder(ctx context.Context) (string, error) {
	if !strings.Contains(filepath.Base(d.data), "@") {
		return filepath.Abs(d.data)
	}
	fmt.Fprintf(d.stderr, "downloading MNIST, 11 MB in the Go module %s\n", d.data)
	out, err := child.Output(child.Command(ctx, "go", "mod", "download", "-json", d.data))
	var module struct{ Dir, Error string }
	if failed := json.Unmarshal(out, &module); failed != nil || module.Error != "" || module.Dir == "" {
		return "", fmt.Errorf("go mod download %s: %v %s", d.data, err, module.Error)
	}
	return filepath.Join(module.Dir, "data"), nil
}

// program is the file of the program that writes YAML and reports.
func (d demo) program() string { return filepath.Join(d.out, "demo-writer") }

// write builds that program, and writes the YAML.
func (d demo) write(ctx context.Context, note func(string)) error {
	cmd := child.Command(ctx, "go", "build", "-ldflags=-w", "-o", d.program(), "./internal/tool/demo/writer")
	if out, err := child.CombinedOutput(cmd); err != nil {
		return fmt.Errorf("go build of the writers: %w\n%s", err, out)
	}
	if err := d.writer(ctx, "-image", d.image, "-o", d.out); err != nil {
		return err
	}
	note("the YAML for KFP and for Argo is in " + d.out)
	return nil
}

// writer runs that program.
func (d demo) writer(ctx context.Context, args ...string) error {
	path, err := filepath.Abs(d.program())
	if err != nil {
		return err
	}
	if out, err := child.CombinedOutput(child.Command(ctx, path, args...)); err != nil {
		return fmt.Errorf("%s: %w\n%s", d.program(), err, out)
	}
	return nil
}
