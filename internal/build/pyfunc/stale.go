package pyfunc

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/build/stepfunc"
	"github.com/kfpgo/kfpgo/internal/model/graph"
)

// Stale returns an error for each function whose step in a Go file of the package isn't
// made of what the Python file says now, with the command to run, or the mistakes in the
// Python file.
func Stale(src stepfunc.Source) error {
	var errs []error
	for _, name := range src.Files {
		if !strings.HasSuffix(name, Ending) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(src.Dir, name))
		if err != nil {
			continue // the Go compiler says it
		}
		if python := From(text); python != "" {
			errs = append(errs, stale(src, name, string(text), python))
		}
	}
	return errors.Join(errs...)
}

func stale(src stepfunc.Source, name, text, python string) error {
	shown := src.Rel(filepath.Join(src.Dir, name))
	at := func(line int) graph.Pos { return graph.Pos{File: shown, Line: line} }
	if _, err := os.Stat(filepath.Join(src.Dir, python)); errors.Is(err, os.ErrNotExist) {
		return graph.At(at(1), errors.New("the file was generated from "+python+", which isn't there any more; remove the file, or generate that of the new name with kfpgo gen steps"))
	}
	f, err := Read(src, python, nil)
	if err != nil {
		return err
	}
	made, line := stepfunc.Made(text)
	command := src.Command(python)
	for _, s := range f.steps {
		switch fn := s.fn.Name; made[fn] {
		case s.digest():
		case "":
			f.errorf(s.fn.Line, "%s has no step for function %s; run: %s", name, fn, command)
		default:
			f.errorf(s.fn.Line, "function %s has another signature, docstring or decorator than when its step was written to %s; run: %s", fn, name, command)
		}
		delete(made, s.fn.Name)
	}
	for fn := range made {
		f.errs = append(f.errs, &graph.Error{Pos: at(line[fn]), Msg: "function " + fn + " of " + python + " is not a step any more; run: " + command})
	}
	if len(f.errs) == 0 {
		return nil
	}
	f.errs.Sort()
	return f.errs
}
