package ui

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/local/report"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// artifactAddress is the address of the page of an artifact, or of a file in it.
func artifactAddress(id, task, port string, i int, written bool, sub string) string {
	q := []string{"path", task, "port", port}
	if i > 0 {
		q = append(q, "i", strconv.Itoa(i))
	}
	if !written {
		q = append(q, "of", "input")
	}
	if sub != "" {
		q = append(q, "file", sub)
	}
	return address(id, "artifact", q...)
}

// fileAddress is the address of the content of a file of a run's folder.
func fileAddress(id, file string) string {
	parts := strings.Split(filepath.ToSlash(file), "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return "/runs/" + url.PathEscape(id) + "/files/" + strings.Join(parts, "/")
}

// locate returns the run and the file in its folder that an artifact is: one of a
// cached step is in the folder of the run that made it.
func (s *Server) locate(uri string) (id, file string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return "", "", false
	}
	rel, err := filepath.Rel(s.runs.Dir, filepath.FromSlash(u.Path))
	if err != nil || !filepath.IsLocal(rel) {
		return "", "", false
	}
	id, file, ok = strings.Cut(filepath.ToSlash(rel), "/")
	return id, file, ok && file != ""
}

// An artifactView is the page of an artifact.
type artifactView struct {
	Run, RunHref   string
	Task, TaskHref string
	Where          string
	Port, Type     string
	URI            string
	Name           string // of the file or folder
	Crumbs         []choice
	Metadata       []report.Value
	Note           string // why there is no preview
	Preview        *preview
	Lineage        *lineageView
	Home           string // the run that has the file, if it is another one
	HomeHref       string
}

func (s *Server) artifact(w http.ResponseWriter, r *http.Request, l *loaded) error {
	q := r.URL.Query()
	t, err := l.task(q.Get("path"))
	if err != nil {
		return err
	}
	i, _ := strconv.Atoi(q.Get("i"))
	written := q.Get("of") != "input"
	ports := t.Writes
	if !written {
		ports = t.Reads
	}
	port := q.Get("port")
	if i < 0 || i >= len(ports[port]) {
		return missing("task %s has no artifact %q", t.Path, port)
	}
	a := ports[port][i]
	id := l.run.ID
	v := &artifactView{
		Run: id, RunHref: address(id, ""), Task: report.Label(t), TaskHref: address(id, "task", "path", t.Path), Where: report.Where(t), Port: port, Type: a.Type, URI: a.URI, Name: port,
	}
	if len(ports[port]) > 1 {
		v.Name = fmt.Sprintf("%s %d", port, i)
	}
	o := s.options(l)
	view := report.New(l.root, l.dir, l.run, nil, o)
	v.Metadata = view.Metadata(a)
	v.Lineage = s.lineage(l, a.URI)
	sub := path.Clean("/" + q.Get("file"))[1:]
	v.crumbs(id, t, port, i, written, sub)
	home, file, ok := s.locate(a.URI)
	if !ok {
		v.Note = "It is not in the folder of a run of this machine, so there is nothing to show."
		return s.render(w, r, http.StatusOK, "artifact", page{Title: v.Name, Section: "runs", Body: v})
	}
	if home != id {
		v.Home, v.HomeHref = home, address(home, "")
	}
	root, err := s.openRun(home)
	if err != nil {
		v.Note = "The run that made it, " + home + ", is no longer there."
		return s.render(w, r, http.StatusOK, "artifact", page{Title: v.Name, Section: "runs", Body: v})
	}
	defer root.Close()
	child := func(name string) string { return artifactAddress(id, t.Path, port, i, written, path.Join(sub, name)) }
	v.Preview, err = show(root, home, path.Join(file, sub), r.URL, child)
	if err != nil {
		v.Note = explain(err)
	}
	return s.render(w, r, http.StatusOK, "artifact", page{Title: v.Name, Section: "runs", Body: v})
}

// explain says why a file can't be shown.
func explain(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "There is no such file, or no longer."
	case errors.Is(err, records.ErrNoFile):
		return "It is not a regular file, so it is not opened."
	case strings.Contains(err.Error(), "escapes"):
		return "It is a link that leads out of the folder of the run, which is not followed."
	}
	return "It can't be read: " + err.Error()
}

func (v *artifactView) crumbs(id string, t *run.Task, port string, i int, written bool, sub string) {
	if sub == "" {
		return
	}
	v.Crumbs = append(v.Crumbs, choice{Label: port, Href: artifactAddress(id, t.Path, port, i, written, "")})
	parts := strings.Split(sub, "/")
	for n, name := range parts {
		c := choice{Label: name}
		if n < len(parts)-1 {
			c.Href = artifactAddress(id, t.Path, port, i, written, strings.Join(parts[:n+1], "/"))
		}
		v.Crumbs = append(v.Crumbs, c)
	}
	v.Name = parts[len(parts)-1]
}

// entriesPerPage is how many files of a folder are on a page.
const entriesPerPage = 200

// maxEntries is how many files of a folder are looked at.
const maxEntries = 20000

// An entry is a file in a folder.
type entry struct {
	Name, Href string
	Folder     bool
	Size, Kind string
}

// folder lists a folder.
func folder(root *os.Root, name string, u *url.URL, child func(string) string) (*preview, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := f.ReadDir(maxEntries)
	if err != nil && len(all) == 0 && err.Error() != "EOF" {
		return nil, err
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int {
		return cmp.Or(-cmp.Compare(b2i(a.IsDir()), b2i(b.IsDir())), cmp.Compare(a.Name(), b.Name()))
	})
	p := &preview{Kind: "folder", Words: fmt.Sprintf("%d files and folders", len(all))}
	if len(all) == maxEntries {
		p.Words = fmt.Sprintf("the first %d files and folders", maxEntries)
	}
	at, _ := strconv.Atoi(u.Query().Get("page"))
	pages, from, to := newPager(u, at, entriesPerPage, len(all))
	p.Pages = pages
	for _, e := range all[from:to] {
		x := entry{Name: e.Name(), Folder: e.IsDir(), Href: child(e.Name())}
		info, err := e.Info()
		switch {
		case err != nil:
			continue
		case e.IsDir():
			x.Kind = "folder"
		case info.Mode().IsRegular():
			x.Size, x.Kind = bytesOf(info.Size()), kindOf(e.Name()).words
		case info.Mode()&fs.ModeSymlink != 0:
			x.Kind = "link"
		default:
			x.Kind, x.Href = "no ordinary file", ""
		}
		p.Entries = append(p.Entries, x)
	}
	return p, nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
