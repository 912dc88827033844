package lineage_test

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/client/lineage"
)

func text(s string) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s)), nil }
}

func files(all ...*lineage.File) iter.Seq2[*lineage.File, error] {
	return func(yield func(*lineage.File, error) bool) {
		for _, f := range all {
			if f.Open == nil {
				f.Open, f.Size = text("evil"), 4
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}

// Whatever an artifact's files are called, nothing is written beside the file or
// folder that was named, and what was there stays.
func TestHostile(t *testing.T) {
	for name, c := range map[string]struct {
		files []*lineage.File
		want  string
	}{
		"up":            {[]*lineage.File{{Path: "../evil"}}, `"../evil", which would be outside`},
		"up in between": {[]*lineage.File{{Path: "a/../../evil"}}, "would be outside"},
		"absolute":      {[]*lineage.File{{Path: "/evil"}}, "would be outside"},
		"dot dot":       {[]*lineage.File{{Path: ".."}}, "would be outside"},
		"zero":          {[]*lineage.File{{Path: "a\x00b"}}, "would be outside"},
		"link away":     {[]*lineage.File{{Path: "l", Link: "/"}, {Path: "l/evil"}}, "leads out of it"},
		"link up":       {[]*lineage.File{{Path: "a/l", Link: "../.."}}, "leads out of it"},
		"link in link":  {[]*lineage.File{{Path: "a/b/s", Link: "../.."}, {Path: "a/b/s/l", Link: "../../.."}}, `"a/b/s/l" below a link "a/b/s"`},
		"through links": {[]*lineage.File{{Path: "d/l", Link: ".."}, {Path: "m", Link: "d/l"}, {Path: "m/../../evil"}}, "would be outside"},
		"link alone":    {[]*lineage.File{{Path: "", Link: "x"}}, "leads out of it"},
		"twice":         {[]*lineage.File{{Path: "a"}, {Path: "a"}}, "file exists"},
		"both":          {[]*lineage.File{{Path: ""}, {Path: "a"}}, "a file and a folder at once"},
		"both too":      {[]*lineage.File{{Path: "a"}, {Path: ""}}, "a file and a folder at once"},
		"nothing":       {nil, "there is nothing at the artifact's URI"},
		"short":         {[]*lineage.File{{Path: "a", Size: 9, Open: text("evil")}}, "has 9 bytes, and 4 were read"},
		"file as dir":   {[]*lineage.File{{Path: "a"}, {Path: "a/b"}}, "file exists"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			at := filepath.Join(dir, "deep", "er")
			if err := os.MkdirAll(at, 0o755); err != nil {
				t.Fatal(err)
			}
			err := lineage.Save(t.Context(), files(c.files...), filepath.Join(at, "out"))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
			if list := strings.Join(all(t, dir), " "); list != "deep deep/er" {
				t.Errorf("there is %s", list)
			}
		})
	}
}

func all(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, _ os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, p); rel != "." {
			list = append(list, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "out")
	if err := os.WriteFile(to, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the line is cut")
	err := lineage.Save(t.Context(), func(yield func(*lineage.File, error) bool) { yield(nil, broken) }, to)
	if b, _ := os.ReadFile(to); !errors.Is(err, broken) || string(b) != "old" {
		t.Errorf("%v, and there is %q", err, b)
	}
	if err := lineage.Save(t.Context(), files(&lineage.File{Size: 3, Exec: true, Open: text("new")}), to); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(to)
	if b, _ := os.ReadFile(to); err != nil || string(b) != "new" || st.Mode()&0o100 == 0 {
		t.Errorf("there is %q, %v, %v", b, st.Mode(), err)
	}
	err = lineage.Save(t.Context(), files(&lineage.File{Path: "a"}), to)
	if err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("a folder over a file: %v", err)
	}
	folder := filepath.Join(dir, "folder")
	err = lineage.Save(t.Context(), files(&lineage.File{Path: "", Dir: true}, &lineage.File{Path: "a/b", Size: 1, Open: text("x")}, &lineage.File{Path: "l", Link: "a/b"}, &lineage.File{Path: "empty", Dir: true}), folder)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(all(t, folder), " "); got != "a a/b empty l" {
		t.Errorf("there is %s", got)
	}
	if b, err := os.ReadFile(filepath.Join(folder, "l")); string(b) != "x" || err != nil {
		t.Errorf("the link leads to %q, %v", b, err)
	}
	if err := lineage.Save(t.Context(), lineage.Local(folder), filepath.Join(dir, "again")); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(all(t, filepath.Join(dir, "again")), " "); got != "a a/b empty l" {
		t.Errorf("there is %s", got)
	}
	var b strings.Builder
	if err := lineage.Print(t.Context(), lineage.Local(to), &b); err != nil || b.String() != "new" {
		t.Errorf("%q, %v", b.String(), err)
	}
	if err := lineage.Print(t.Context(), lineage.Local(folder), &b); err == nil {
		t.Error("a folder was printed")
	}
}

// zeros is a file of any size that takes no room.
type zeros struct{ left int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), z.left)
	z.left -= n
	return int(n), nil
}

func (z *zeros) Close() error { return nil }

// A large artifact is never in memory as a whole.
func TestStreams(t *testing.T) {
	const size = 1 << 30
	f := &lineage.File{Size: size, Open: func(context.Context) (io.ReadCloser, error) { return &zeros{size}, nil }}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := lineage.Print(t.Context(), files(f), io.Discard); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
		t.Errorf("1 GiB took %d kB of memory", used>>10)
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := &lineage.File{Size: -1, Open: func(context.Context) (io.ReadCloser, error) { cancel(); return &zeros{1 << 40}, nil }}
	to := filepath.Join(t.TempDir(), "out")
	if err := lineage.Save(ctx, files(f), to); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if list := all(t, filepath.Dir(to)); len(list) > 0 {
		t.Errorf("there is %s", list)
	}
}

// Archives, as Argo keeps artifacts of Workflows that say nothing else.
func TestTar(t *testing.T) {
	for name, c := range map[string]struct {
		entries []tar.Header
		want    string // files, or the error after !
	}{
		"a file":   {[]tar.Header{{Name: "data", Size: 4, Mode: 0o644, Typeflag: tar.TypeReg}}, "out"},
		"a folder": {[]tar.Header{{Name: "data/", Typeflag: tar.TypeDir}, {Name: "data/a", Size: 4, Typeflag: tar.TypeReg}, {Name: "data/b/c", Size: 4, Typeflag: tar.TypeReg}}, "out out/a out/b out/b/c"},
		"a link":   {[]tar.Header{{Name: "data/", Typeflag: tar.TypeDir}, {Name: "data/a", Size: 4, Typeflag: tar.TypeReg}, {Name: "data/l", Linkname: "a", Typeflag: tar.TypeSymlink}}, "out out/a out/l"},
		"up":       {[]tar.Header{{Name: "data/../../evil", Size: 4, Typeflag: tar.TypeReg}}, "!would be outside"},
		"top":      {[]tar.Header{{Name: "../evil", Size: 4, Typeflag: tar.TypeReg}}, "!would be outside"},
		"absolute": {[]tar.Header{{Name: "/etc/evil", Size: 4, Typeflag: tar.TypeReg}}, "!would be outside"},
		"linked":   {[]tar.Header{{Name: "data/l", Linkname: "../..", Typeflag: tar.TypeSymlink}, {Name: "data/l/evil", Size: 4, Typeflag: tar.TypeReg}}, "!leads out"},
		"hard":     {[]tar.Header{{Name: "data/l", Linkname: "/etc/passwd", Typeflag: tar.TypeLink}}, "!hard link"},
		"many":     {[]tar.Header{{Name: "data", Size: 4, Typeflag: tar.TypeReg}, {Name: "more/a", Size: 4, Typeflag: tar.TypeReg}}, "!more than one"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			open := func(context.Context) (io.ReadCloser, error) {
				r, w := io.Pipe()
				go func() {
					tw := tar.NewWriter(w)
					for _, h := range c.entries {
						tw.WriteHeader(&h)
						if h.Size > 0 {
							io.WriteString(tw, "evil")
						}
					}
					tw.Close()
					w.Close()
				}()
				return r, nil
			}
			err := lineage.Save(t.Context(), lineage.Tar(t.Context(), open), filepath.Join(dir, "out"))
			got := strings.Join(all(t, dir), " ")
			if want, bad := strings.CutPrefix(c.want, "!"); bad {
				if err == nil || !strings.Contains(err.Error(), want) || got != "" {
					t.Errorf("got %v and %q, want %q", err, got, want)
				}
			} else if err != nil || got != want {
				t.Errorf("got %q, %v; want %q", got, err, want)
			}
		})
	}
}
