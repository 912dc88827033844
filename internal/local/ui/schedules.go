package ui

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/kfpgo/kfpgo/internal/local/report"
	"github.com/kfpgo/kfpgo/internal/local/scheduler"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

// A schedulesView is the page of the schedules of this machine.
type schedulesView struct {
	Schedules []scheduleRow
	Serving   bool
}

type scheduleRow struct {
	Name, Pipeline, Source string
	When, Zone             string
	Paused                 bool
	Args                   []report.Value
	Next                   []fireTime
	Last                   []fire
	Ends                   string
	Problem                string
}

// A fireTime is when a schedule will fire.
type fireTime struct {
	At   time.Time
	Wall string // in the schedule's zone
	In   string
}

type fire struct {
	At      time.Time
	State   report.State
	Reason  string
	Run     string
	Kind    string
	HasPage bool
}

func (s *Server) schedules(w http.ResponseWriter, r *http.Request) error {
	v := &schedulesView{}
	// Opening a store makes it, which looking at it should not.
	if _, err := os.Stat(filepath.Join(s.o.Home, "schedules", "schedules.db")); errors.Is(err, fs.ErrNotExist) {
		return s.render(w, r, http.StatusOK, "schedules", page{Title: "Schedules", Section: "schedules", Body: v})
	}
	st, err := scheduler.Open(s.o.Home)
	if err != nil {
		return err
	}
	defer st.Close()
	entries, err := st.List(r.Context())
	if err != nil {
		return err
	}
	v.Serving = st.Serving() != 0
	now := s.o.Now()
	for _, e := range entries {
		row := newSchedule(r.Context(), e, now)
		fires, err := st.Fires(r.Context(), e.Schedule.Name, 5)
		if err != nil {
			return err
		}
		for _, f := range fires {
			state := report.NewState(f.State)
			switch f.State {
			case scheduler.Queued, scheduler.Starting:
				state = report.NewState(run.Pending)
			}
			_, err := os.Stat(filepath.Join(s.runs.Dir, f.Run, "run.json"))
			row.Last = append(row.Last, fire{At: f.At, State: state, Reason: firstLine(f.Reason), Run: f.Run, Kind: string(f.Kind), HasPage: f.Run != "" && err == nil})
		}
		v.Schedules = append(v.Schedules, row)
	}
	return s.render(w, r, http.StatusOK, "schedules", page{Title: "Schedules", Section: "schedules", Body: v})
}

func newSchedule(ctx context.Context, e *scheduler.Entry, now time.Time) scheduleRow {
	s := e.Schedule
	row := scheduleRow{Name: s.Name, Pipeline: e.Pipeline, Source: e.Source, Paused: e.Paused, When: "cron " + s.Cron, Zone: cmp.Or(s.Zone, "UTC")}
	if s.Every > 0 {
		row.When = "every " + s.Every.String()
	}
	for _, name := range slices.Sorted(maps.Keys(s.Args)) {
		a := s.Args[name]
		value := report.NewValue(name, a.Const)
		if a.Const == nil {
			value = report.Value{Name: name, Text: "the time for which it fires"}
			if a.Kind == program.FireDate {
				value.Text = "the day for which it fires"
			}
		}
		row.Args = append(row.Args, value)
	}
	times, err := schedule.New(s, e.Since)
	if err != nil {
		row.Problem = err.Error()
		return row
	}
	if e.Paused {
		return row
	}
	zone, err := schedule.Zone(s.Zone)
	if err != nil {
		zone = time.UTC
	}
	for ev := range times.Events(ctx, now) {
		if len(row.Next) == 5 {
			break
		}
		if ev.Change == schedule.Skipped {
			continue
		}
		at := ev.At
		row.Next = append(row.Next, fireTime{At: at, Wall: at.In(zone).Format("Mon 2 Jan 2006, 15:04:05 MST"), In: in(at.Sub(now))})
	}
	if len(row.Next) == 0 {
		row.Ends = "It does not fire again."
	}
	return row
}
