package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/review/picture"
)

// A task is what the page says about one.
type task struct {
	Anchor, Href      string
	Name, Where, Path string
	Kind, Component   string
	StandIn           bool
	State             State
	Open              bool
	Duration          string
	Attempts          int
	Error, Reason     string
	Inputs, Outputs   []Value
	Reads, Writes     []artifact
	Chips             []Value // outputs worth seeing at once
	Usage             []used
	Log               *log
}

// A Value is a parameter as pages show it.
type Value struct {
	Name, Text string
	Note       string // what is not in the text: that it is cut, or empty
	Block      bool   // of several lines
}

type artifact struct {
	Name, Type string
	URI, Href  string // Href is in the run's folder; empty if the artifact isn't there
	Metadata   []Value
	Links      []link
}

// A link leads to where an artifact's metadata is shown better.
type link struct{ Href, Text string }

func (v *View) newTask(t *run.Task, n int) *task {
	shown := &task{
		Anchor: fmt.Sprintf("task-%d", n), Name: Label(t), Where: Where(t), Path: t.Path, Kind: t.Kind, Component: t.Component, State: NewState(t.State), Error: t.Error,
	}
	if shown.Href = "#" + shown.Anchor; v.o.Task != nil {
		shown.Href = v.o.Task(t)
	}
	if !v.o.Brief {
		v.details(shown, t)
		return shown
	}
	for _, as := range t.Writes { // to be linked
		shown.Writes = append(shown.Writes, make([]artifact, len(as))...)
	}
	return shown
}

// Task returns what the page of a task shows, of a brief view too.
func (v *View) Task(t *run.Task) *task {
	shown := v.anchors[t.Path]
	if shown == nil {
		shown = v.newTask(t, 0)
	}
	links := shown.Writes
	v.details(shown, t)
	for i := range links {
		shown.Writes[i].Links = links[i].Links
	}
	return shown
}

// details fills in what belongs to a task alone.
func (v *View) details(shown *task, t *run.Task) {
	shown.StandIn, shown.Open, shown.Attempts, shown.Reason = t.StandIn, t.State == run.Failed, t.Attempts, t.Reason
	shown.Inputs, shown.Outputs, shown.Chips = values(t.Inputs), values(t.Outputs), nil
	shown.Usage = usages(t.Usage)
	shown.Reads, shown.Writes = v.artifacts(t, t.Reads, false), v.artifacts(t, t.Writes, true)
	if !v.o.Brief {
		shown.Log = v.newLog(t)
	}
	for i := range shown.Reads {
		shown.Reads[i].Metadata = nil // it is where the artifact was made
	}
	if !t.Started.IsZero() && !t.Ended.IsZero() && t.State != run.Skipped {
		shown.Duration = picture.Duration(t.Ended.Sub(t.Started))
	}
	for _, o := range shown.Outputs {
		if !o.Block && o.Note == "" && len(o.Text) <= 24 && len(shown.Chips) < 3 {
			shown.Chips = append(shown.Chips, o)
		}
	}
}

// values shows parameters, sorted.
func values(params map[string]json.RawMessage) []Value {
	var all []Value
	for _, name := range slices.Sorted(maps.Keys(params)) {
		all = append(all, NewValue(name, params[name]))
	}
	return all
}

// maxValue is how much of a value is shown.
const maxValue = 4000

// NewValue shows a string as it is, and other values as JSON.
func NewValue(name string, raw json.RawMessage) Value {
	v := Value{Name: name}
	if json.Unmarshal(raw, &v.Text) == nil && len(raw) > 0 && raw[0] == '"' {
		if strings.TrimSpace(v.Text) == "" {
			v.Text, v.Note = "", "an empty string"
			if raw := string(raw); raw != `""` {
				v.Text, v.Note = raw, "only white space"
			}
		}
	} else {
		v.Text = compact(raw)
		if len(v.Text) > 60 {
			v.Text = lines(raw)
		}
	}
	if len(v.Text) > maxValue {
		v.Note = fmt.Sprintf("the first %d of %d bytes", maxValue, len(v.Text))
		v.Text = strings.ToValidUTF8(v.Text[:maxValue], "")
	}
	v.Block = strings.Contains(v.Text, "\n")
	return v
}

// lines shows a list or an object with one line for each of what it holds.
func lines(raw json.RawMessage) string {
	var items []json.RawMessage
	var members map[string]json.RawMessage
	var all []string
	ends := "[]"
	if json.Unmarshal(raw, &items) == nil {
		for _, item := range items {
			all = append(all, compact(item))
		}
	} else if json.Unmarshal(raw, &members) == nil {
		ends = "{}"
		for _, name := range slices.Sorted(maps.Keys(members)) {
			key, _ := json.Marshal(name) // a string
			all = append(all, string(key)+": "+compact(members[name]))
		}
	}
	if len(all) < 2 {
		return compact(raw)
	}
	return ends[:1] + "\n  " + strings.Join(all, ",\n  ") + "\n" + ends[1:]
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

func (v *View) artifacts(t *run.Task, ports map[string][]run.Artifact, written bool) []artifact {
	var all []artifact
	for _, name := range slices.Sorted(maps.Keys(ports)) {
		for i, a := range ports[name] {
			shown := artifact{Name: name, Type: a.Type, URI: a.URI}
			if v.o.Artifact != nil {
				shown.Href = v.o.Artifact(t, name, i, written)
			} else {
				shown.Href = v.href(a.URI)
			}
			if len(ports[name]) > 1 {
				shown.Name = fmt.Sprintf("%s %d", name, i)
			}
			for _, key := range slices.Sorted(maps.Keys(a.Metadata)) {
				if key == confusionMatrix || key == confidenceMetrics || key == evaluationSlices {
					continue // shown as a table and as a curve
				}
				raw, err := json.Marshal(a.Metadata[key])
				if err != nil {
					continue // it was read from JSON
				}
				shown.Metadata = append(shown.Metadata, NewValue(key, raw))
			}
			all = append(all, shown)
		}
	}
	return all
}

// beside returns the address of a file of the run's folder from the page beside
// it, which holds when the folder is moved.
func beside(file string) string { return (&url.URL{Path: "./" + file}).EscapedPath() }

// href returns the address of an artifact's file; empty if it isn't in the run's folder.
func (v *View) href(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	dir, err := filepath.Abs(v.dir)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(dir, filepath.FromSlash(u.Path))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return beside(filepath.ToSlash(rel))
}
