package kfp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/schedule"
	words "github.com/kfpgo/kfpgo/internal/when"
)

// scheduleMark begins the line of a description that says which schedule a recurring
// run was made of.
const scheduleMark = "kfpgo schedule "

// An applied is what that line says. Servers keep 255 characters of a description, so
// the names are short, and what the recurring run says itself is left out.
type applied struct {
	Hash    string `json:"h"`
	Cron    string `json:"c,omitempty"`
	Seconds bool   `json:"s,omitempty"`
	Every   int64  `json:"e,omitempty"` // seconds
	Zone    string `json:"z,omitempty"`
	Start   int64  `json:"b,omitempty"` // Unix times
	End     int64  `json:"n,omitempty"`
	Max     int    `json:"m,omitempty"`
	CatchUp bool   `json:"u,omitempty"`
	Paused  bool   `json:"p,omitempty"`
}

func newApplied(hash string, w dsl.When) applied {
	a := applied{
		Hash: hash, Cron: w.Cron, Seconds: w.Seconds, Every: int64(w.Every / time.Second), Zone: w.Zone,
		Max: w.MaxConcurrency, CatchUp: w.CatchUp, Paused: w.Paused,
	}
	if !w.Start.IsZero() {
		a.Start = w.Start.Unix()
	}
	if !w.End.IsZero() {
		a.End = w.End.Unix()
	}
	return a
}

func (a *applied) when() dsl.When {
	w := dsl.When{
		Cron: a.Cron, Seconds: a.Seconds, Every: time.Duration(a.Every) * time.Second, Zone: a.Zone,
		MaxConcurrency: a.Max, CatchUp: a.CatchUp, Paused: a.Paused,
	}
	if a.Start != 0 {
		w.Start = time.Unix(a.Start, 0).UTC()
	}
	if a.End != 0 {
		w.End = time.Unix(a.End, 0).UTC()
	}
	return w
}

// fireTimes returns the inputs that get the time at which a recurring run fires.
func fireTimes(r *RecurringRun) (names []string) {
	macro, _ := json.Marshal(schedule.KFPFireTime)
	for _, name := range slices.Sorted(maps.Keys(r.Args)) {
		if string(r.Args[name]) == string(macro) {
			names = append(names, name)
		}
	}
	return names
}

func appliedOf(r *RecurringRun) (a applied, ok bool) {
	for line := range strings.Lines(r.Description) {
		if text, found := strings.CutPrefix(strings.TrimSpace(line), scheduleMark); found {
			return a, json.Unmarshal([]byte(text), &a) == nil
		}
	}
	return a, false
}

// translate returns the recurring run of a schedule, or all that is wrong with it.
func (c *Client) translate(s client.ScheduleSpec) (*RecurringRun, error) {
	op := "apply schedule " + s.Name
	of := words.Schedule(s.Name, s.When)
	k, err := schedule.ForKFP(of, c.conf.Zone, time.Now())
	if err != nil {
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: err.Error(), Err: err}
	}
	if err := checkArgs(op, s.Pipeline.Args); err != nil {
		return nil, err
	}
	spec, err := SpecOf(s.Pipeline.Spec)
	if err != nil {
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: err.Error(), Err: err}
	}
	r := &RecurringRun{
		Name: s.Name, Experiment: cmp.Or(s.Pipeline.Experiment, c.conf.Experiment), Cron: k.Cron, Every: time.Duration(k.Interval) * time.Second,
		MaxConcurrency: int64(k.Limit), NoCatchUp: k.NoCatchUp, ArtifactRoot: s.Pipeline.ArtifactRoot, ServiceAccount: s.Pipeline.ServiceAccount,
		Spec: spec, Args: map[string]json.RawMessage{},
	}
	if k.Start != nil {
		r.Start = *k.Start
	}
	if k.End != nil {
		r.End = *k.End
	}
	for name, v := range s.Pipeline.Args {
		r.Args[name] = v
	}
	for _, name := range s.FireTime {
		r.Args[name], _ = json.Marshal(schedule.KFPFireTime)
	}
	b, err := json.Marshal(struct {
		When dsl.When
		Run  RecurringRun
	}{s.When, *r})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	note, err := json.Marshal(newApplied(hex.EncodeToString(sum[:8]), s.When))
	r.Description = scheduleMark + string(note)
	return r, err
}

// called returns the recurring runs with a name, the newest first, and which of them
// is the schedule: the one that is enabled, or else the newest.
func (c *Client) called(ctx context.Context, op, name string) (all []*RecurringRun, current *RecurringRun, err error) {
	for r, err := range c.RecurringRuns(ctx, "", ListOptions{Name: name}) {
		if err != nil {
			return nil, nil, err
		}
		if r.Name != name {
			continue
		}
		if _, ours := appliedOf(r); !ours {
			return nil, nil, &client.Error{Op: op, Code: client.Exists, Msg: "the recurring run with that name wasn't made by kfpgo schedule", Advice: "kfpgo recurring-runs manages it; choose another name for the schedule"}
		}
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b *RecurringRun) int { return b.Created.Compare(a.Created) })
	for _, r := range all {
		if r.Enabled {
			return all, r, nil
		}
	}
	if len(all) == 0 {
		return nil, nil, nil
	}
	return all, all[0], nil
}

// ApplySchedule creates a recurring run, replaces it, or leaves it as it is. KFP
// can't change one, so that an update makes a new one, enables it, and disables the
// one before. That is deleted when none of its runs goes on, because Kubernetes
// deletes those with it.
func (c *Client) ApplySchedule(ctx context.Context, s client.ScheduleSpec) (*client.Schedule, client.Change, error) {
	ctx, end := c.limit(ctx)
	defer end()
	op := "apply schedule " + s.Name
	want, err := c.translate(s)
	if err != nil {
		return nil, "", err
	}
	all, current, err := c.called(ctx, op, s.Name)
	if err != nil {
		return nil, "", err
	}
	note, _ := appliedOf(want)
	change, enable := client.Created, !s.When.Paused
	var made *RecurringRun
	if current != nil {
		was, _ := appliedOf(current)
		if change = client.Updated; was.Paused == s.When.Paused {
			enable = current.Enabled // paused or resumed by hand
		}
		for _, r := range all {
			if a, _ := appliedOf(r); a.Hash == note.Hash && made == nil {
				made = r
			}
		}
		if made == current {
			change, enable = client.Unchanged, current.Enabled
		}
	}
	if made == nil {
		if made, err = c.CreateRecurringRun(ctx, *want); err != nil { // it isn't enabled
			return nil, "", err
		}
	}
	if enable && !made.Enabled {
		if err := c.EnableRecurringRun(ctx, made.ID); err != nil {
			return nil, "", err
		}
	}
	for _, r := range all {
		if r.ID == made.ID {
			continue
		}
		if err := c.retire(ctx, r); err != nil {
			return nil, "", err
		}
	}
	made.Enabled = enable
	out, err := c.scheduleOf(ctx, made)
	return out, change, err
}

// retire disables a recurring run, and deletes it if none of its runs goes on.
func (c *Client) retire(ctx context.Context, r *RecurringRun) error {
	if r.Enabled {
		if err := c.DisableRecurringRun(ctx, r.ID); err != nil {
			return err
		}
	}
	active, err := c.active(ctx, r.ID)
	if err != nil || len(active) > 0 {
		return err
	}
	return c.DeleteRecurringRun(ctx, r.ID)
}

// active returns the runs of a recurring run that go on.
func (c *Client) active(ctx context.Context, id string) (ids []string, err error) {
	p, err := c.List(ctx, client.ListOptions{Schedule: id, Size: 100})
	if err != nil {
		return nil, err
	}
	for _, r := range p.Runs {
		if !r.State.Done() {
			ids = append(ids, r.ID)
		}
	}
	return ids, nil
}
