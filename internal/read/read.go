// Package read reads programs from files, whoever wrote them: KFP's SDKs, Argo's users, kfpgo.
package read

import (
	"io"
	"os"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/argoread"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// File reads a program from a file of Argo's or of KFP's. Notes say which parts of a
// Workflow are left out since a program can't express them, one line each. The error
// lists all mistakes, as path:line:column: message.
func File(path string) (p *program.Program, notes []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return From(path, f)
}

// From is File for the contents of r; name is for messages.
func From(name string, r io.Reader) (p *program.Program, notes []string, err error) {
	data, err := io.ReadAll(io.LimitReader(r, kfpread.MaxSize+1))
	if err != nil {
		return nil, nil, err
	}
	if len(data) <= kfpread.MaxSize && argoread.Is(data) {
		return argoread.Read(name, data)
	}
	p, err = kfpread.Read(name, data)
	return p, nil, err
}
