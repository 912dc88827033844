// Package expect is what schedules are expected to do: one table for KFP, Argo and
// this machine, which tests of each of them run.
package expect

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/dsl"
)

// A Row is something that schedules do.
type Row struct {
	Name  string   `yaml:"name"`
	Does  string   `yaml:"does"`
	When  When     `yaml:"when"`
	Steps []string `yaml:"steps"`
	Local *Differs `yaml:"local"`
	KFP   *Differs `yaml:"kfp"`
	Argo  *Differs `yaml:"argo"`
}

// Differs is what an engine does instead.
type Differs struct {
	Says  string   `yaml:"says"`
	Steps []string `yaml:"steps"`
}

// When is a dsl.When whose times may be so many of an engine's intervals.
type When struct {
	Cron           string `yaml:"cron"`
	Seconds        bool   `yaml:"seconds"`
	Every          string `yaml:"every"`
	Zone           string `yaml:"zone"`
	Start          string `yaml:"start"`
	End            string `yaml:"end"`
	MaxConcurrency int    `yaml:"maxConcurrency"`
	CatchUp        bool   `yaml:"catchUp"`
	Paused         bool   `yaml:"paused"`
}

//go:embed table.yaml
var text string

// Table returns the rows.
func Table() ([]Row, error) {
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	var rows []Row
	return rows, d.Decode(&rows)
}

// On returns what differs on an engine; nil: nothing does.
func (r *Row) On(engine string) *Differs {
	return map[string]*Differs{"local": r.Local, "kfp": r.KFP, "argo": r.Argo}[engine]
}

// of returns the steps of an engine.
func (r *Row) of(engine string) []string {
	if d := r.On(engine); d != nil {
		return d.Steps
	}
	return r.Steps
}

// Away reports whether a row stops the engine, so that no other one can run with it.
func (r *Row) Away() bool { return strings.Contains(strings.Join(r.Steps, " "), "away") }

// Commands reports whether a row has runs started by a command.
func (r *Row) Commands() bool {
	steps := strings.Join(r.Steps, " ")
	return strings.Contains(steps, "trigger") || strings.Contains(steps, "backfill")
}

// duration reads a time that may be a number of intervals.
func duration(text string, interval time.Duration) (time.Duration, error) {
	if n, ok := strings.CutSuffix(text, "i"); ok {
		k, err := strconv.Atoi(n)
		return time.Duration(k) * interval, err
	}
	return time.ParseDuration(text)
}

// when returns when a row's schedule fires, from now.
func (r *Row) when(interval time.Duration, now time.Time) (w dsl.When, err error) {
	w = dsl.When{Cron: r.When.Cron, Seconds: r.When.Seconds, Zone: r.When.Zone, MaxConcurrency: r.When.MaxConcurrency, CatchUp: r.When.CatchUp, Paused: r.When.Paused}
	if w.Cron == "next" { // the next minute but one that is soon
		zone, err := time.LoadLocation(w.Zone)
		if err != nil {
			return w, err
		}
		at := now.Add(80 * time.Second).Truncate(time.Minute).In(zone)
		w.Cron = fmt.Sprintf("%d %d * * *", at.Minute(), at.Hour())
	}
	unit := min(interval, time.Minute)
	for _, t := range []struct {
		text string
		to   *time.Time
	}{{r.When.Start, &w.Start}, {r.When.End, &w.End}} {
		if t.text != "" {
			d, err := duration(t.text, interval)
			if err != nil {
				return w, err
			}
			*t.to = now.Add(d).Truncate(unit).Add(unit).UTC()
		}
	}
	if r.When.Every != "" {
		w.Every, err = duration(r.When.Every, interval)
	}
	return w, err
}
