package main

import (
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A bar is a line of a chart. What is 0 was not measured.
type bar struct {
	name  string
	value float64
	text  string
	ours  bool
}

// chart returns bars as SVG, on a scale of powers of ten: what differs by a factor of
// 100 is to be seen on both ends.
func chart(title string, bars []bar) string {
	const left, width, height = 230, 430, 26
	low, high := math.Inf(1), 0.0
	for _, b := range bars {
		if b.value > 0 {
			low, high = min(low, b.value), max(high, b.value)
		}
	}
	from := math.Floor(math.Log10(low)*2)/2 - 0.5
	to := math.Ceil(math.Log10(high)*2) / 2
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label=%q font-family="system-ui, sans-serif" font-size="13">`, left+width+110, len(bars)*height+8, title)
	for i, b := range bars {
		y := i*height + 6
		fmt.Fprintf(&s, `<text x="%d" y="%d" text-anchor="end" fill="currentColor">%s</text>`, left-8, y+15, html.EscapeString(b.name))
		if b.value <= 0 {
			fmt.Fprintf(&s, `<text x="%d" y="%d" fill="currentColor">not measured</text>`, left+4, y+15)
			continue
		}
		w := float64(width) * (math.Log10(b.value) - from) / max(to-from, 0.1)
		colour := "#8c959f"
		if b.ours {
			colour = "#0969da"
		}
		fmt.Fprintf(&s, `<rect x="%d" y="%d" width="%.1f" height="%d" rx="3" fill="%s"/><text x="%.1f" y="%d" fill="currentColor">%s</text>`,
			left, y, w, height-6, colour, float64(left)+w+6, y+15, html.EscapeString(b.text))
	}
	s.WriteString("</svg>")
	return s.String()
}

func seconds(name string, c cost, ours bool) bar {
	return bar{name, c.time.Seconds(), shown(c.time), ours}
}

func memory(name string, c cost, ours bool) bar {
	return bar{name, float64(c.memory), mebibytes(c.memory), ours}
}

func mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// write writes the page, and each graph as a file of its own.
func (m *measured) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var page strings.Builder
	page.WriteString(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>kfpgo beside the Python SDKs</title><link rel="icon" href="data:,">
<style>body { font: 16px/1.55 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem } svg { width: 100%; height: auto } h2 { margin-top: 2.2em } figure { margin: 1rem 0 }</style>
</head><body><main>
<h1>kfpgo beside the Python SDKs</h1>
<p>Whole processes, the best of several, the same pipelines; <code>make bench</code> measures it. Longer is slower or more, and the scale is of powers of ten.</p>
`)
	fmt.Fprintf(&page, "<p>%s; %s.</p>\n", html.EscapeString(m.machine), html.EscapeString(strings.Join(m.versions, ", ")))
	show := func(file, title, text string, bars []bar) error {
		svg := chart(title, bars)
		fmt.Fprintf(&page, "<h2>%s</h2>\n<p>%s</p>\n<figure>%s</figure>\n", html.EscapeString(title), html.EscapeString(text), svg)
		return os.WriteFile(filepath.Join(dir, file+".svg"), []byte(svg), 0o644)
	}
	for _, r := range m.rows {
		err := show(fmt.Sprintf("compile-%d", r.tasks), fmt.Sprintf("Compiling %d tasks", r.tasks), "From the command to YAML on disk. KFP's IR is equal on both sides; Hera writes Argo's YAML.", []bar{
			seconds("kfp (Python)", r.python, false), seconds("Hera (Python)", r.hera, false),
			seconds("kfpgo compile", r.unchanged, true), seconds("kfpgo compile, after an edit", r.afterEdit, true), seconds("go build alone, after an edit", r.goBuild, true), seconds("a built program", r.program, true),
		})
		if err != nil {
			return err
		}
	}
	if n := len(m.rows); n > 0 {
		r := m.rows[n-1]
		err := show("memory", fmt.Sprintf("Memory, compiling %d tasks", r.tasks), "Of the largest process. After an edit that is the Go compiler.", []bar{
			memory("kfp (Python)", r.python, false), memory("Hera (Python)", r.hera, false),
			memory("kfpgo compile", r.unchanged, true), memory("kfpgo compile, after an edit", r.afterEdit, true), memory("a built program", r.program, true),
		})
		if err != nil {
			return err
		}
	}
	each := func(c cost) cost { return cost{time: c.time / time.Duration(max(m.tasks, 1))} }
	if err := show("run", "A task of a run on this machine", fmt.Sprintf("Of %d functions, one after the other, with all that starts and ends the run: kfpgo run, and kfp.local with its runner of processes.", m.tasks), []bar{
		seconds("kfp.local (Python)", each(m.pythonRun), false), seconds("kfpgo run", each(m.run), true),
	}); err != nil {
		return err
	}
	if err := show("step", "A step starts", "The process that a pod starts, from its start to its end, for a function that adds two numbers. Python's has the SDK installed already, which a lightweight component installs first.", []bar{
		seconds("a lightweight component", m.pythonStep, false), seconds("a Go step", m.step, true),
	}); err != nil {
		return err
	}
	fmt.Fprintf(&page, "<h2>The image of a step</h2>\n<p>The image of the Go steps of that pipeline, as kfpgo build makes it on nothing, takes %s. KFP's default image for lightweight components is python:3.11.</p>\n</main></body></html>\n", mebibytes(m.image))
	return os.WriteFile(filepath.Join(dir, "index.html"), []byte(page.String()), 0o644)
}
