package kfp

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/dsl"
	words "github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
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
	Draft   bool   `json:"d,omitempty"` // it never fires, and says what the schedule is to become
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

// fireTimes returns the inputs that get the time at which a recurring run fires: the
// argument says so, and the tasks have the time itself.
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

// note makes a recurring run say which schedule it was made of.
func (r *RecurringRun) note(a applied) error {
	b, err := json.Marshal(a)
	r.Description = scheduleMark + string(b)
	return err
}

// translate returns the recurring run of a schedule, or all that is wrong with it.
func (c *Client) translate(s client.ScheduleSpec) (*RecurringRun, error) {
	op := "apply schedule " + s.Name
	of := words.Schedule(s.Name, s.When)
	k, err := schedule.ForKFP(of, c.conf.Zone, time.Now())
	if err != nil {
		if _, bad := schedule.Zone(c.conf.Zone); bad != nil {
			err = c.conf.env.Blame("KFPGO_CLUSTER_ZONE", err)
		}
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: err.Error(), Err: err}
	}
	if len(s.FireDate) > 0 {
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: schedule.KFPNoDate(s.Name, s.FireDate)}
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
	if len(s.FireTime) > 0 {
		if zone, err := schedule.Zone(s.When.Zone); err != nil || !slices.Contains([]string{"UTC", "Etc/UTC"}, zone.String()) {
			return nil, &client.Error{Op: op, Code: client.Invalid, Msg: schedule.KFPNoZone(s.Name, s.When.Zone, s.FireTime), Err: err}
		}
		if r.Spec, err = fires(spec, s.FireTime); err != nil {
			return nil, &client.Error{Op: op, Code: client.Invalid, Msg: err.Error(), Err: err}
		}
	}
	maps.Copy(r.Args, s.Pipeline.Args)
	for _, name := range s.FireTime {
		r.Args[name], _ = json.Marshal(schedule.KFPFireTime)
	}
	if err := checkRun(op, spec, r.Args); err != nil { // before a schedule of that name is paused
		return nil, err
	}
	b, err := json.Marshal(struct {
		When dsl.When
		Run  RecurringRun
	}{s.When, *r})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	return r, r.note(newApplied(hex.EncodeToString(sum[:8]), s.When))
}
