package ui

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kfpgo/kfpgo/internal/local/records"
)

// The bounds of previews.
const (
	maxTable    = 1 << 20 // bytes of a table that are read
	maxColumns  = 60
	maxCell     = 300
	rowsOfTable = 200
	maxDocument = 8 << 20  // of HTML and Markdown in a frame
	maxImage    = 64 << 20 // that a page loads by itself
	maxJSON     = 1 << 20  // that is indented
)

// A kind is what a file is, by the ending of its name.
type kind struct {
	words string
	mime  string // that it is sent with, where a browser shows it; never a type that runs
	frame bool   // shown in a frame that may do nothing
	image bool
	comma rune // of a table
}

var kinds = map[string]kind{
	".html": {words: "HTML", mime: "text/html; charset=utf-8", frame: true},
	".htm":  {words: "HTML", mime: "text/html; charset=utf-8", frame: true},
	".md":   {words: "Markdown", frame: true}, ".markdown": {words: "Markdown", frame: true},
	".png": {words: "image", mime: "image/png", image: true}, ".jpg": {words: "image", mime: "image/jpeg", image: true},
	".jpeg": {words: "image", mime: "image/jpeg", image: true}, ".gif": {words: "image", mime: "image/gif", image: true},
	".webp": {words: "image", mime: "image/webp", image: true}, ".bmp": {words: "image", mime: "image/bmp", image: true},
	".svg": {words: "SVG", mime: "image/svg+xml", image: true}, // as an image it is inert, and by itself it has no rights
	".csv": {words: "table", comma: ','}, ".tsv": {words: "table", comma: '\t'},
	".json": {words: "JSON"}, ".jsonl": {words: "JSON"}, ".txt": {words: "text"}, ".log": {words: "text"}, ".yaml": {words: "text"}, ".yml": {words: "text"},
}

func kindOf(name string) kind { return kinds[strings.ToLower(path.Ext(name))] }

// A preview is what a page shows of a file or folder.
type preview struct {
	Kind     string // folder, text, table, frame, image or binary
	Words    string
	Entries  []entry
	Pages    pager
	Text     *excerpt
	Header   []string
	Rows     [][]string
	First    int // number of the first row
	Frame    string
	Image    string
	Alt      string
	Download string
	Source   string // the page that shows it as text
}

// show makes the preview of a file in a run's folder.
func show(root *os.Root, id, name string, u *url.URL, child func(string) string) (*preview, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return folder(root, name, u, child)
	}
	f, err := records.OpenRegular(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	k := kindOf(name)
	beginning := make([]byte, 1024)
	n, err := io.ReadFull(f, beginning)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	beginning = beginning[:n]
	if k.words == "" {
		k = sniff(beginning)
	}
	size := info.Size()
	p := &preview{Words: bytesOf(size), Download: fileAddress(id, name) + "?as=download"}
	asText := u.Query().Get("as") == "text"
	if (k.frame || k.image || k.comma != 0) && !(k.image && k.words != "SVG") {
		p.Source = with(u, "as", "text")
	}
	switch {
	case size == 0:
		p.Kind, p.Text = "text", &excerpt{Words: "empty"}
		return p, nil
	case asText:
	case k.image && size <= maxImage:
		p.Kind, p.Image, p.Alt = "image", fileAddress(id, name), path.Base(name)
		return p, nil
	case k.frame && size <= maxDocument:
		p.Kind, p.Frame, p.Alt = "frame", fileAddress(id, name)+"?as=page", path.Base(name)
		return p, nil
	case k.comma != 0:
		if err := p.table(f, k.comma, u); err == nil {
			return p, nil
		}
	case k.words == "JSON" && size <= maxJSON:
		b, err := io.ReadAll(io.NewSectionReader(f, 0, size))
		var out bytes.Buffer
		if err == nil && json.Indent(&out, b, "", "  ") == nil && out.Len() < 4*maxJSON {
			p.Kind, p.Text = "text", &excerpt{Text: out.String(), Words: bytesOf(size)}
			return p, nil
		}
	}
	if binary(beginning) {
		p.Kind = "binary"
		return p, nil
	}
	from, err := strconv.ParseInt(u.Query().Get("from"), 10, 64)
	if err != nil {
		from = 0
	}
	if p.Text, err = readText(f, from); err != nil {
		return nil, err
	}
	p.Kind = "text"
	p.Text.lead(u)
	return p, nil
}

// sniff recognizes images by their first bytes. A file that looks like HTML without being called so
// is shown as plain text.
func sniff(b []byte) kind {
	for begin, ending := range map[string]string{"\x89PNG\r\n\x1a\n": ".png", "\xff\xd8\xff": ".jpg", "GIF87a": ".gif", "GIF89a": ".gif"} {
		if strings.HasPrefix(string(b), begin) {
			return kinds[ending]
		}
	}
	return kind{}
}

// binary reports whether a file is binary, by its first bytes.
func binary(b []byte) bool {
	return bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(whole(b)) && !mostlyText(b)
}

func mostlyText(b []byte) bool {
	odd := 0
	for _, c := range b {
		if c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\x1b' {
			odd++
		}
	}
	return odd*20 < len(b)
}

// table reads rows of a table.
func (p *preview) table(f *os.File, comma rune, u *url.URL) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	all := io.NewSectionReader(f, 0, min(info.Size(), maxTable))
	c := csv.NewReader(all)
	c.Comma, c.LazyQuotes, c.FieldsPerRecord, c.ReuseRecord = comma, true, -1, false
	var rows [][]string
	wide := 0
	for {
		row, err := c.Read()
		if err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		wide = max(wide, len(row))
		row = row[:min(len(row), maxColumns)]
		for i, cell := range row {
			cell = strings.ToValidUTF8(cell, "�")
			if r := []rune(cell); len(r) > maxCell {
				cell = string(r[:maxCell]) + "…"
			}
			row[i] = cell
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return errors.New("there is no row")
	}
	cut := info.Size() > maxTable
	if cut && len(rows) > 1 {
		rows = rows[:len(rows)-1] // half a row
	}
	p.Header = rows[0]
	rows = rows[1:]
	at, _ := strconv.Atoi(u.Query().Get("page"))
	pages, from, to := newPager(u, at, rowsOfTable, len(rows))
	p.Kind, p.Rows, p.First, p.Pages = "table", rows[from:to], from+1, pages
	for len(p.Header) < min(wide, maxColumns) {
		p.Header = append(p.Header, "")
	}
	for i := range p.Rows {
		for len(p.Rows[i]) < len(p.Header) {
			p.Rows[i] = append(p.Rows[i], "")
		}
	}
	p.Words = fmt.Sprintf("%s, %d rows, %d columns", bytesOf(info.Size()), len(rows), wide)
	if cut {
		p.Words += fmt.Sprintf("; of the first %s", bytesOf(maxTable))
	}
	if wide > maxColumns {
		p.Words += fmt.Sprintf("; the first %d are shown", maxColumns)
	}
	return nil
}
