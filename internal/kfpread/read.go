// Package kfpread reads KFP's intermediate representation into programs: files of
// KFP's SDKs and of kfpgo, as YAML or JSON, and components of KFP 1.
//
// It is apart from package kfp, which writes, so that who only compiles doesn't
// link a parser of conditions.
package kfpread

import (
	"fmt"
	"io"
	"os"

	"github.com/kfpgo/kfpgo/internal/program"
)

// MaxSize is the size of the largest file that is read. KFP's own server takes less.
const MaxSize = 32 << 20

// File reads a program from a file. The error lists all mistakes, as
// path:line:column: what is wrong.
func File(path string) (*program.Program, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.Size() > MaxSize {
		return nil, tooLarge(path, st.Size())
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1)) // a pipe has no size before it is read
	if err != nil {
		return nil, err
	}
	return Read(path, data)
}

func tooLarge(name string, size int64) error {
	return fmt.Errorf("%s: %d MB: a pipeline is at most %d MB", name, size>>20, MaxSize>>20)
}

// Read reads a program from the contents of a file, whose name is for messages.
// Writing the program again, with kfp.Write, gives an equal document.
func Read(name string, data []byte) (*program.Program, error) {
	if len(data) > MaxSize {
		return nil, tooLarge(name, int64(len(data)))
	}
	l := &log{name: name}
	docs := parse(l, data)
	if len(l.errs) > 0 {
		return nil, l.err()
	}
	f := open(l, docs)
	if len(l.errs) > 0 {
		return nil, l.err()
	}
	p := f.program()
	if len(l.errs) > 0 {
		return nil, l.err()
	}
	if f.old {
		return p, nil
	}
	if err := f.residue(p); err != nil {
		return nil, err
	}
	return p, nil
}
