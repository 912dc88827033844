package ui

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/kfpgo/kfpgo/internal/local/records"
)

// untrusted is the policy of everything that a step may have written: it has no
// origin, runs nothing, asks for nothing and sends nothing, in our frames and by itself.
const untrusted = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"

// file sends a file of a run's folder.
func (s *Server) file(w http.ResponseWriter, r *http.Request) error {
	root, err := s.openRun(r.PathValue("id"))
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.FromSlash(r.PathValue("file"))
	if !filepath.IsLocal(name) {
		return missing("there is no such file")
	}
	f, err := records.OpenRegular(root, name)
	if err != nil {
		return &problem{http.StatusNotFound, explain(err)}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Security-Policy", untrusted)
	h.Set("X-Frame-Options", "SAMEORIGIN")
	h.Set("Referrer-Policy", "no-referrer")
	k, as := kindOf(name), r.URL.Query().Get("as")
	switch {
	case as == "page" && k.words == "Markdown":
		if info.Size() > maxDocument {
			return bad("the file has more than %s; download it", bytesOf(maxDocument))
		}
		b, err := io.ReadAll(io.LimitReader(f, maxDocument))
		if err != nil {
			return err
		}
		return markdown(w, path.Base(filepath.ToSlash(name)), b)
	case as == "page" && k.frame, as == "" && k.image:
		h.Set("Content-Type", k.mime)
	case as == "" && r.Header.Get("Sec-Fetch-Dest") == "image":
		h.Set("Content-Type", kindByContent(f))
	case as == "" && (strings.HasPrefix(name, "tasks"+string(filepath.Separator)) || name == "run.json" || name == "program.json"):
		h.Set("Content-Type", "text/plain; charset=utf-8")
	default:
		h.Set("Content-Type", "application/octet-stream")
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": path.Base(filepath.ToSlash(name))}))
	}
	http.ServeContent(w, r, "", info.ModTime(), f)
	return nil
}

// kindByContent is the type of an image whose name doesn't say it.
func kindByContent(f io.ReaderAt) string {
	b := make([]byte, 16)
	n, _ := f.ReadAt(b, 0)
	if k := sniff(b[:n]); k.image {
		return k.mime
	}
	return "application/octet-stream"
}

// renderer leaves HTML in Markdown out, and links that run something.
var renderer = sync.OnceValue(func() goldmark.Markdown { return goldmark.New(goldmark.WithExtensions(extension.GFM)) })

const markdownStyle = `:root{color-scheme:light dark}body{font:15px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;margin:16px 20px;max-width:52rem;overflow-wrap:break-word}
pre,code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}pre{overflow:auto;padding:10px 14px;background:rgba(128,140,160,.15);border-radius:8px}
table{border-collapse:collapse}th,td{border:1px solid rgba(128,140,160,.4);padding:4px 10px;text-align:left}img{max-width:100%}blockquote{margin-left:0;padding-left:14px;border-left:3px solid rgba(128,140,160,.5)}h1,h2,h3{line-height:1.25}`

// markdown sends Markdown as a page for a frame.
func markdown(w http.ResponseWriter, name string, source []byte) error {
	var b bytes.Buffer
	if err := renderer().Convert(source, &b); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"color-scheme\" content=\"light dark\"><title>Markdown</title><style>%s</style></head><body>\n%s</body></html>\n", markdownStyle, b.Bytes())
	return nil
}
