// Package kfpread reads KFP's intermediate representation into programs: files of
// KFP's SDKs and of kfpgo, as YAML or JSON, and components of KFP 1.
//
// It is apart from package kfp, which writes, so that who only compiles doesn't
// link a parser of conditions.
package kfpread

import (
	"fmt"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

// MaxSize is the size of the largest file that is read. KFP's own server takes less.
const MaxSize = 32 << 20

// Read reads a program from the contents of a file, whose name is for messages.
// The error lists all mistakes, as path:line:column: message. Writing the program
// again, with kfp.Write, gives an equal document.
func Read(name string, data []byte) (*program.Program, error) {
	return ReadWith(name, data, Options{})
}

// Options say how to read components of KFP 1.
type Options struct {
	// ByUse: an input that a command line takes the value of is a parameter, and
	// one that it takes the path of an artifact, as with KFP 1, which typed
	// nothing. KFP's SDK 2, and Read, go by the types that the file names, and
	// refuse inputs that are used otherwise.
	ByUse bool

	Image string // in place of the component's own
}

// ReadWith is Read with options.
func ReadWith(name string, data []byte, o Options) (*program.Program, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("%s: %d MB: a pipeline is at most %d MB", name, len(data)>>20, MaxSize>>20)
	}
	l := &log{name: name}
	docs := parse(l, data)
	if len(l.errs) > 0 {
		return nil, l.err()
	}
	f := open(l, docs, o)
	if len(l.errs) > 0 {
		return nil, l.err()
	}
	p := f.program()
	if len(l.errs) > 0 {
		return nil, l.err()
	}
	if f.old {
		f.finish(p)
		return p, nil
	}
	kfp.Unbox(p)
	if err := f.residue(p); err != nil {
		return nil, err
	}
	return p, nil
}
