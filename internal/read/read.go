// Package read reads programs from files, whoever wrote them: KFP's SDKs, Argo's users, kfpgo.
package read

import (
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/argoread"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// File reads a program from a file of Argo's or of KFP's. A Workflow may refer to templates
// in the other YAML files of its folder. Notes say which parts of a
// Workflow are left out since a program can't express them, one line each. The error
// lists all mistakes, as path:line:column: message.
func File(path string) (p *program.Program, notes []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return from(path, f, beside(path))
}

// From is File for the contents of r; name is for messages.
func From(name string, r io.Reader) (p *program.Program, notes []string, err error) {
	return from(name, r, nil)
}

func from(name string, r io.Reader, beside iter.Seq2[string, []byte]) (p *program.Program, notes []string, err error) {
	data, err := io.ReadAll(io.LimitReader(r, kfpread.MaxSize+1))
	if err != nil {
		return nil, nil, err
	}
	if len(data) <= kfpread.MaxSize && argoread.Is(data) {
		return argoread.ReadBeside(name, data, beside)
	}
	p, err = kfpread.Read(name, data)
	return p, nil, err
}

// beside goes through the other YAML files of a file's folder, by name. Those that can't
// be read are left out.
func beside(path string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		dir := filepath.Dir(path)
		entries, err := os.ReadDir(dir)
		if err != nil {
			return
		}
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			if !e.Type().IsRegular() || name == filepath.Clean(path) || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name)) {
				continue
			}
			if info, err := e.Info(); err != nil || info.Size() > kfpread.MaxSize {
				continue
			}
			if data, err := os.ReadFile(name); err == nil && !yield(name, data) {
				return
			}
		}
	}
}
