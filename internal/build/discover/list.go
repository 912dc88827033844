package discover

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/kfpgo/kfpgo/internal/build/pyfunc"
	"github.com/kfpgo/kfpgo/internal/build/stepfunc"
)

// List returns the packages that a pattern names, such as ./..., by what their files
// are called: they need not compile.
func List(ctx context.Context, dir, pattern string) ([]*Package, error) {
	at, err := locate(dir, pattern)
	if err != nil {
		return nil, err
	}
	out, err := at.run(ctx, "list", "-find", "-json=ImportPath,Name,Dir,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles", at.pattern)
	if err != nil {
		return nil, err
	}
	var list []*Package
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p Package
		if err := d.Decode(&p); err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, &p)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s names no package", pattern)
	}
	return list, nil
}

// stale returns the error of generated steps that have changed since.
func (p *Package) stale(from string) error {
	src := p.Source(from)
	return errors.Join(stepfunc.Stale(src), pyfunc.Stale(src))
}

// Source returns what the package is made of, for a user in a folder.
func (p *Package) Source(from string) stepfunc.Source {
	return stepfunc.Source{Dir: filepath.Clean(p.Dir), Files: slices.Concat(p.GoFiles, p.CgoFiles), Tests: slices.Concat(p.TestGoFiles, p.XTestGoFiles), From: from}
}
