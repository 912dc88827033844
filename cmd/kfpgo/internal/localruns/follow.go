package localruns

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// followEvery is how often a run that is followed is looked at.
const followEvery = 200 * time.Millisecond

// Logs writes the logs of the steps of a run, all attempts of each.
func (c Client) Logs(ctx context.Context, id string, o client.LogOptions) error {
	op := "logs of run " + id
	if !o.Since.IsZero() || o.Follow && o.Tail > 0 {
		return &client.Error{Op: op, Code: client.Unsupported, Msg: "the lines of logs on this machine have no times, and are followed from the beginning"}
	}
	var failed error
	line := func(t *run.Task, text string) {
		if o.Task == "" {
			text = t.Path + ": " + text
		}
		if failed == nil {
			_, failed = io.WriteString(o.Out, text+"\n")
		}
	}
	var logs *records.Logs
	for {
		r, err := records.Find(c.Home, id)
		if err != nil {
			return err
		}
		id = r.Dir // also if id was @latest, which may be another one later
		if logs == nil {
			logs = records.NewLogs(r.Dir, line)
		}
		chosen, err := choose(r, o)
		if err != nil {
			return &client.Error{Op: op, Code: client.NotFound, Msg: err.Error()}
		}
		for _, t := range chosen {
			if o.Tail > 0 {
				for _, text := range records.Tail(r.Dir, t, o.Tail) {
					line(t, text)
				}
				continue
			}
			logs.See(*t)
		}
		logs.Read()
		if !o.Follow || r.State.Done() || failed != nil {
			return errors.Join(failed, logs.Close())
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(followEvery):
		}
	}
}

// choose returns the steps whose logs are asked for. Of a run that isn't followed it is
// an error if they have none.
func choose(r *run.Run, o client.LogOptions) ([]*run.Task, error) {
	all := steps(r)
	if o.Task == "" {
		return all, nil
	}
	var names []string
	for _, t := range all {
		names = append(names, t.Path)
	}
	chosen := slices.DeleteFunc(all, func(t *run.Task) bool { return t.Path != o.Task && t.Name != o.Task })
	switch {
	case o.Follow && !r.State.Done():
	case len(chosen) == 0 && len(names) > 20:
		return nil, fmt.Errorf("it has no step %s; kfpgo runs get %s lists its steps", o.Task, r.ID)
	case len(chosen) == 0:
		return nil, fmt.Errorf("it has no step %s; its steps are %s", o.Task, strings.Join(names, ", "))
	case !slices.ContainsFunc(chosen, func(t *run.Task) bool { return len(t.Logs) > 0 }):
		return nil, fmt.Errorf("step %s has no log, since it didn't run: it is %s", chosen[0].Path, chosen[0].State)
	}
	return chosen, nil
}
