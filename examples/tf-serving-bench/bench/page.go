package bench

import (
	"bytes"
	_ "embed" // the page and its style
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
)

//go:embed report.html
var reportHTML string

// Style is the style sheet of the report, for pages that it is part of.
//
//go:embed style.css
var Style string

var page = template.Must(Template().New("page").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Model servers compared</title>
<style>{{style}}</style>
</head>
<body>
<header><h1>Model servers compared</h1></header>
<main>{{template "report" .}}</main>
</body>
</html>
`))

// Template returns the template "report", which shows a *Report.
func Template() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(Style) },
		"ms":    short, "bytes": Bytes, "name": name,
		"percent": func(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) },
		"points": func(v float64) string {
			if s := fmt.Sprintf("%+.2f", 100*v); s != "-0.00" {
				return strings.Replace(s, "-", "−", 1)
			}
			return "+0.00"
		},
		"ratio": func(v float64) string { return fmt.Sprintf("%.1f", v) },
		"times": func(v float64) string { return fmt.Sprintf("%.2f×", v) },
		"rows":  rows,
	}).Parse(reportHTML))
}

// HTML writes a page that needs nothing else.
func (r *Report) HTML(w io.Writer) error {
	var b bytes.Buffer
	if err := page.Execute(&b, r); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// A row is a picture, with what each server made of it.
type row struct {
	Picture
	Saved string
	Ratio float64
	Cells []*Cell   // nil: not measured
	Times []float64 // of PNG to JPEG, for each server in the row of the PNG; 0: none
}

func rows(r *Report) (list []row) {
	for i, p := range r.Pictures {
		w := row{Picture: p}
		if p.Format != "original" {
			w.Ratio = r.Ratio(p.Size)
			if n := r.Saved(p); n >= 0 {
				w.Saved = Bytes(n)
			} else {
				w.Saved = "−" + Bytes(-n)
			}
		}
		for _, s := range r.Servers {
			times := 0.0
			if p.Format == "png" {
				times = r.TimeRatio(s, p.Size)
			}
			w.Times = append(w.Times, times)
			if s.Missing != "" {
				w.Cells = append(w.Cells, nil)
				continue
			}
			w.Cells = append(w.Cells, &s.Cells[i])
		}
		list = append(list, w)
	}
	return list
}

// Bytes returns a number of bytes as people read it.
func Bytes(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.0f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}

// short returns a number with three digits that count.
func short(v float64) string {
	switch {
	case v == 0:
		return "0"
	case math.Abs(v) >= 100:
		return fmt.Sprintf("%.0f", v)
	case math.Abs(v) >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
