package engine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// save writes the record. Who calls it has the lock, or is alone.
func (e *engine) save() error {
	began := time.Now()
	defer func() { // a large record takes long to save: the steps come first
		e.next = time.Now().Add(max(500*time.Millisecond, 10*time.Since(began)))
	}()
	e.rec.Tasks = ordered(e.rec.Tasks)
	return writing(filepath.Join(e.dir, "run.json"), func(w io.Writer) error { return encode(w, e.rec) })
}

// encode writes a record as json.MarshalIndent does, task by task: the text of all of
// them may be large, and is made again and again.
func encode(w io.Writer, r *run.Run) error {
	head := *r
	head.Tasks = []*run.Task{}
	b, err := json.MarshalIndent(&head, "", "  ")
	if err != nil {
		return err
	}
	b, _ = bytes.CutSuffix(b, []byte("]\n}")) // tasks are the last member
	for i, t := range r.Tasks {
		if i > 0 {
			b = append(b[:0], ',')
		}
		b = append(b, "\n    "...)
		text, err := json.MarshalIndent(t, "    ", "  ")
		if err != nil {
			return err
		}
		if _, err := w.Write(append(b, text...)); err != nil {
			return err
		}
		b = b[:0]
	}
	if len(r.Tasks) > 0 {
		b = append(b, "\n  "...)
	}
	_, err = w.Write(append(b, "]\n}\n"...))
	return err
}

// ordered returns tasks in the order of writing, each group before what it holds
// and with that behind it, whichever ran first.
func ordered(tasks []*run.Task) []*run.Task {
	below := map[string][]*run.Task{}
	for _, t := range tasks {
		below[path.Dir(t.Path)] = append(below[path.Dir(t.Path)], t)
	}
	out := make([]*run.Task, 0, len(tasks))
	var add func(at string)
	add = func(at string) {
		for _, t := range below[at] {
			out = append(out, t)
			add(t.Path)
		}
	}
	add(".")
	return out
}

// writeFile writes a file so that readers see all of it or what was there before. It
// is its user's alone: it may hold parameters.
func writeFile(file string, b []byte) error {
	return writing(file, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

func writing(file string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return atomicfile.Writing(file, 0o600, func(to io.Writer) error { // runs share the cache
		w := bufio.NewWriterSize(to, 64<<10)
		return errors.Join(write(w), w.Flush())
	})
}
