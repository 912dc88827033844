package kfp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/gateway"
)

// A kept is what the server keeps of a schedule: one recurring run that may be
// enabled, those before it with running runs, and drafts of updates that are under
// way or were interrupted.
type kept struct {
	name   string
	all    []*RecurringRun // but for drafts; the newest first
	drafts []*RecurringRun
}

// called returns the recurring runs that are kept under a name.
func (c *Client) called(ctx context.Context, op, name string) (*kept, error) {
	k := &kept{name: name}
	for r, err := range c.RecurringRuns(ctx, "", ListOptions{Name: name}) {
		if err != nil {
			return nil, err
		}
		if r.Name == name && !k.add(r) {
			return nil, &client.Error{Op: op, Code: client.Exists, Msg: "the recurring run with that name wasn't made by kfpgo schedule", Advice: "kfpgo recurring-runs manages it; choose another name for the schedule"}
		}
	}
	k.sort()
	return k, nil
}

// add adds a recurring run, if it is one of a schedule.
func (k *kept) add(r *RecurringRun) bool {
	a, ours := appliedOf(r)
	if a.Draft {
		k.drafts = append(k.drafts, r)
	} else if ours {
		k.all = append(k.all, r)
	}
	return ours
}

func (k *kept) sort() {
	for _, list := range [][]*RecurringRun{k.all, k.drafts} {
		slices.SortStableFunc(list, func(a, b *RecurringRun) int { return cmp.Or(b.Created.Compare(a.Created), strings.Compare(b.ID, a.ID)) })
	}
}

// enabled returns those that fire.
func (k *kept) enabled() (some []*RecurringRun) {
	for _, r := range k.all {
		if r.Enabled {
			some = append(some, r)
		}
	}
	return some
}

// current returns the one that is the schedule: it is enabled, or else the newest.
func (k *kept) current() *RecurringRun {
	if on := k.enabled(); len(on) > 0 {
		return on[0]
	}
	if all := slices.Concat(k.all, k.drafts); len(all) > 0 {
		return all[0]
	}
	return nil
}

// broken reports whether an update was broken off after it had disabled what was
// there, so that nothing fires now. A draft is made only of what is to be enabled.
func (k *kept) broken() bool { return len(k.drafts) > 0 && len(k.enabled()) == 0 }

const brokenOff = "an update was broken off, and the schedule doesn't fire; apply it again, or resume it"

// of returns the recurring run that was made of a content.
func (k *kept) of(hash string) (found *RecurringRun) {
	for _, r := range k.all {
		if a, _ := appliedOf(r); a.Hash == hash && (found == nil || r.Enabled && !found.Enabled) {
			found = r
		}
	}
	return found
}

// ApplySchedule creates a recurring run, replaces it, or leaves it as it is. KFP
// can't change one. So an update disables the one that there is, and makes a new one;
// never are two enabled. A draft of the new one is stored before, and deleted
// afterwards: if the update is broken off between, by whatever, the draft says that
// something is to be enabled, and the next call finishes it. The one before is deleted
// when none of its runs is running, because Kubernetes deletes those with it.
func (c *Client) ApplySchedule(ctx context.Context, s client.ScheduleSpec) (*client.Schedule, client.Change, error) {
	ctx, end := c.limit(ctx)
	defer end()
	op := "apply schedule " + s.Name
	want, err := c.translate(s)
	if err != nil {
		return nil, "", err
	}
	k, err := c.called(ctx, op, s.Name)
	if err != nil {
		return nil, "", err
	}
	want.Enabled = !s.When.Paused
	change := client.Created
	if now := k.current(); now != nil {
		change = client.Updated
		was, _ := appliedOf(now)
		on := len(k.enabled()) > 0 || k.broken()
		if was.Paused == s.When.Paused {
			want.Enabled = on // paused or resumed by hand
		}
		note, _ := appliedOf(want)
		if !was.Draft && was.Hash == note.Hash && now.Enabled == want.Enabled {
			change = client.Unchanged
		}
	}
	made, err := c.become(ctx, k, want)
	if err != nil {
		return nil, "", err
	}
	out, err := c.scheduleOf(ctx, made)
	return out, change, err
}

// become changes the stored schedule to the wanted one.
func (c *Client) become(ctx context.Context, k *kept, want *RecurringRun) (*RecurringRun, error) {
	note, _ := appliedOf(want)
	made := k.of(note.Hash)
	others := slices.DeleteFunc(k.enabled(), func(r *RecurringRun) bool { return r == made })
	if want.Enabled && len(others) > 0 && (made == nil || !made.Enabled) {
		draft := *want
		draft.Enabled = false
		d := note
		d.Draft = true
		if err := draft.note(d); err != nil {
			return nil, err
		}
		stored, err := c.CreateRecurringRun(ctx, draft)
		if err != nil {
			return nil, err
		}
		k.drafts = append(k.drafts, stored)
		// From here on it is better to finish than to stop when asked to.
		var end context.CancelFunc
		ctx, end = c.limit(context.WithoutCancel(ctx))
		defer end()
	}
	for _, r := range others {
		if err := c.disable(ctx, r); err != nil {
			return nil, unfinished(err)
		}
	}
	var err error
	switch {
	case made == nil:
		made, err = c.CreateRecurringRun(ctx, *want)
	case want.Enabled && !made.Enabled:
		err = c.EnableRecurringRun(ctx, made.ID)
	case !want.Enabled && made.Enabled:
		err = c.disable(ctx, made)
	}
	if err != nil {
		return nil, unfinished(err)
	}
	made.Enabled = want.Enabled
	err = c.discard(ctx, k)
	for _, r := range k.all {
		if err == nil && r.ID != made.ID {
			err = c.retire(ctx, r)
		}
	}
	return made, cmp.Or(c.alone(ctx, k.name), err)
}

// disable disables a recurring run; one that another call has deleted is.
func (c *Client) disable(ctx context.Context, r *RecurringRun) error {
	err := gateway.Gone(c.DisableRecurringRun(ctx, r.ID))
	r.Enabled = r.Enabled && err != nil
	return err
}

// unfinished says what the state is after an update has failed half way.
func unfinished(err error) error {
	var e *client.Error
	if errors.As(err, &e) {
		e.Advice = strings.TrimPrefix(e.Advice+"; apply the schedule again: it may not fire until then", "; ")
	}
	return err
}

// discard deletes drafts.
func (c *Client) discard(ctx context.Context, k *kept) error {
	for _, r := range k.drafts {
		if err := gateway.Gone(c.DeleteRecurringRun(ctx, r.ID)); err != nil {
			return err
		}
	}
	k.drafts = nil
	return nil
}

// alone sees to it that of what two calls at the same time have made, one is left
// enabled: the newest.
func (c *Client) alone(ctx context.Context, name string) error {
	k, err := c.called(ctx, "apply schedule "+name, name)
	if err != nil {
		return err
	}
	for i, r := range k.enabled() {
		if i > 0 {
			if err := c.disable(ctx, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish finishes an update that was interrupted.
func (c *Client) finish(ctx context.Context, k *kept, enabled bool) error {
	want := *k.drafts[0]
	a, _ := appliedOf(&want)
	a.Draft = false
	if err := want.note(a); err != nil {
		return err
	}
	want.Enabled = enabled
	_, err := c.become(ctx, k, &want)
	return err
}

// retire disables a recurring run, and deletes it if none of its runs is running.
func (c *Client) retire(ctx context.Context, r *RecurringRun) error {
	if r.Enabled {
		if err := c.disable(ctx, r); err != nil {
			return err
		}
	}
	active, err := c.active(ctx, r.ID)
	if err != nil || len(active) > 0 {
		return err
	}
	return gateway.Gone(c.DeleteRecurringRun(ctx, r.ID))
}

// active returns the running runs of a recurring run.
func (c *Client) active(ctx context.Context, id string) (ids []string, err error) {
	for r, err := range client.Runs(ctx, c, client.ListOptions{Schedule: id, Size: 100}) {
		if err != nil {
			return nil, err
		}
		if !r.State.Done() {
			ids = append(ids, r.ID)
		}
	}
	return ids, nil
}

// running is the error that a schedule can't be deleted yet.
func running(op string, active []string) error {
	return &client.Error{Op: op, Code: client.Precondition, Msg: fmt.Sprintf("runs are still running (%s), and Kubernetes would delete them too; the schedule is paused now", strings.Join(active, ", ")), Advice: "delete it again when they have ended"}
}
