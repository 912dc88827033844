// Package report writes the record of a run as report.html: one page that needs
// no server, no network and no script.
package report

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/review/picture"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

//go:embed page.html pieces.html task.html page.css
var files embed.FS

// The templates are parsed when a page is written: other commands link them too.
var (
	pieces = sync.OnceValue(func() *template.Template {
		return template.Must(template.New("").ParseFS(files, "pieces.html", "task.html"))
	})
	page = sync.OnceValue(func() *template.Template { return template.Must(Pieces().ParseFS(files, "page.html")) })
)

// Pieces returns the templates of the parts of the page, to be built into others.
func Pieces() *template.Template { return template.Must(pieces().Clone()) }

// Style returns the style sheet of the parts.
func Style() string {
	css, _ := files.ReadFile("page.css") // it is embedded
	return picture.Style + string(css)
}

// Write reads run.json and program.json in a run's folder and writes report.html
// beside them. Without program.json the page has no picture.
func Write(dir string) error {
	root, err := os.OpenRoot(dir) // what run.json names must not lead out of the folder
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	defer root.Close()
	r, err := ReadRun(root)
	if err != nil {
		return fmt.Errorf("report: %s: %w", filepath.Join(dir, "run.json"), err)
	}
	p, note := ReadProgram(root)
	v := New(root, dir, r, p, Options{})
	if v.Picture == "" && note != "" {
		v.PictureNote = note
	}
	var b bytes.Buffer
	if err := page().ExecuteTemplate(&b, "page.html", v); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	// Markup has none of what printable escapes, so this is all that the run says, wherever it stands.
	if err := atomicfile.Write(filepath.Join(dir, "report.html"), 0o600, []byte(printable.Text(b.String()))); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// ReadRun reads run.json in the folder of a run.
func ReadRun(root *os.Root) (*run.Run, error) {
	data, err := root.ReadFile("run.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("there is no such file; name the folder of a run")
	} else if err != nil {
		return nil, err
	}
	r, err := run.Read(data)
	if err != nil {
		return nil, err
	}
	if r.Schema != run.Schema {
		return nil, fmt.Errorf("its schema is %d, and this version of kfpgo reads %d", r.Schema, run.Schema)
	}
	return r, nil
}

// ReadProgram returns the program, or why there is none.
func ReadProgram(root *os.Root) (*program.Program, string) {
	data, err := root.ReadFile("program.json")
	if err != nil {
		return nil, "There is no picture: the folder of the run has no program.json."
	}
	p, err := program.Read(data)
	if err != nil {
		return nil, "There is no picture: program.json can't be read: " + err.Error()
	}
	return p, ""
}

// drawn returns the picture, and one for narrow screens.
func drawn(p *program.Program, marks map[string]picture.Mark) (wide, narrow template.HTML, note string) {
	right, err := picture.SVG(p, marks, picture.Right)
	if err != nil {
		return "", "", "There is no picture: " + err.Error()
	}
	narrowest, err := picture.SVG(p, marks, picture.Narrow)
	if err != nil {
		return "", "", "There is no picture: " + err.Error()
	}
	return template.HTML(right), template.HTML(narrowest), "" // package picture has escaped all text in them
}
