package kubeop

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// Work is objects that a step makes, in order, and what it waits for.
type Work struct {
	Objects []Object
	Timeout time.Duration // of all of it; 0: none but the step's own
	Keep    bool          // the created objects stay when the work fails or is stopped
	Pods    string        // label selector of pods, whose logs are followed and whose failures are reported
	Log     io.Writer     // what happens; nil: standard error
}

// An Object is one object of a Work, with the operation on it.
type Object struct {
	Action   string // create, apply, patch, delete, or get, which wants it to be there; empty: apply
	Manifest any    // a map or struct with the fields of the object, or its YAML as a string
	Success  string // conditions on its fields that are waited for
	Failure  string // and those that end the work

	// What of status.conditions is waited for, and what ends the work, by type
	// and status: Complete, or Progressing=False.
	Condition, NotCondition []string
}

// cleanupTime is how long deleting the created objects may take, when the step's own
// time is over.
const cleanupTime = 20 * time.Second

// Do does the work and returns the objects as the cluster has them. An error
// says what the object and its pods say of themselves, and their last events.
// Objects that didn't exist before are then deleted, unless Keep is set.
//
// Where the step is only planned, the objects are added to the plan.
func Do(ctx context.Context, w Work) ([]map[string]any, error) {
	if p := record.PlanOf(ctx); p != nil {
		return nil, w.plan(p)
	}
	k, err := connect(os.Getenv)
	if err != nil {
		return nil, err
	}
	return k.work(ctx, w)
}

// plan adds what would be done to a plan.
func (w Work) plan(p *record.Plan) error {
	for i, o := range w.Objects {
		obj, err := Manifest(o.Manifest)
		if err != nil {
			return fmt.Errorf("object %d: manifest: %w", i+1, err)
		}
		j, err := json.Marshal(obj)
		if err != nil {
			return err
		}
		p.Operations = append(p.Operations, contract.Operation{Action: cmp.Or(o.Action, "apply"), Object: j})
	}
	return record.ErrPlanned
}

func (k *client) work(ctx context.Context, w Work) (done []map[string]any, err error) {
	if w.Log == nil {
		w.Log = os.Stderr
	}
	k.log = w.Log
	if w.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, w.Timeout, fmt.Errorf("its time of %s is over", w.Timeout))
		defer cancel()
	}
	var made []*location
	defer func() {
		if err != nil && !w.Keep {
			err = errors.Join(err, k.cleanUp(ctx, made))
		}
	}()
	for i, o := range w.Objects {
		obj, err := Manifest(o.Manifest)
		if err != nil {
			return nil, fmt.Errorf("object %d: manifest: %w", i+1, err)
		}
		at, success, failure, err := k.prepare(ctx, &filler{}, obj, o.Success, o.Failure)
		if err != nil {
			return nil, err
		}
		action := cmp.Or(o.Action, "apply")
		if action == "delete" {
			if err := k.delete(ctx, at); err != nil {
				return nil, err
			}
			fmt.Fprintf(k.log, "deleted %s\n", at)
			done = append(done, nil)
			continue
		}
		if action == "get" {
			got, err := k.do(ctx, request{"GET", at.object(), nil, "", nil}, "find "+at.String())
			if err != nil {
				return nil, err
			}
			done = append(done, got)
			continue
		}
		got, own, err := k.make(ctx, action, at, obj, true)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(k.log, "%s %s\n", map[string]string{"create": "created", "apply": "applied", "patch": "patched"}[action], at)
		if own {
			made = append(made, at)
		}
		if got, err = k.await(ctx, at, got, o, success, failure, w.Pods); err != nil {
			return nil, err
		}
		done = append(done, got)
	}
	return done, nil
}

// prepare finds out where an object is, and reads the conditions on it.
func (k *client) prepare(ctx context.Context, f *filler, obj map[string]any, success, failure string) (at *location, holds, fails []condition, err error) {
	if holds, err = f.conditions("success", success); err == nil {
		fails, err = f.conditions("failure", failure)
	}
	if err == nil {
		at, err = k.locate(ctx, obj)
	}
	return at, holds, fails, err
}

// await waits for an object, with the logs of its pods.
func (k *client) await(ctx context.Context, at *location, got map[string]any, o Object, success, failure []condition, pods string) (map[string]any, error) {
	for _, t := range o.Condition {
		success = append(success, conditionOf(t))
	}
	for _, t := range o.NotCondition {
		failure = append(failure, conditionOf(t))
	}
	if len(success)+len(failure) == 0 {
		return got, nil
	}
	pods = strings.ReplaceAll(pods, "{name}", at.name)
	var troubles sync.Map
	if pods != "" {
		stop := k.follow(ctx, at.namespace, pods, &troubles)
		defer stop()
	}
	obj, err := k.wait(ctx, at, success, failure)
	if err != nil && pods != "" && at.kind != "Pod" { // which has reported its own
		err = fmt.Errorf("%w%s", err, k.troubles(at.namespace, pods, &troubles))
	}
	return obj, err
}

// conditionOf returns a condition on status.conditions: Ready, or Progressing=False.
func conditionOf(text string) condition {
	typ, status, ok := strings.Cut(text, "=")
	if !ok {
		status = "True"
	}
	return condition{text: "condition " + text, path: []string{typ}, op: "condition", values: []string{status}}
}

// cleanUp deletes the created objects, the last one first: it asks for all deletions before
// it waits for any, since the process may be killed meanwhile.
func (k *client) cleanUp(ctx context.Context, made []*location) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTime)
	defer cancel()
	var errs []error
	var asked []*location
	for i := len(made) - 1; i >= 0; i-- {
		there, err := k.askToDelete(ctx, made[i])
		if err != nil {
			errs = append(errs, fmt.Errorf("the objects of the step are not deleted: %w", err))
		} else if there {
			asked = append(asked, made[i])
		}
	}
	for _, at := range asked {
		switch err := k.awaitGone(ctx, at); {
		case err == nil:
			k.say("deleted %s", at)
		case ctx.Err() != nil:
			k.say("%s is being deleted", at) // its pods may take their time to end
		default:
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// say writes what happens, if anybody reads it.
func (k *client) say(format string, args ...any) {
	if k.log != nil {
		fmt.Fprintf(k.log, format+"\n", args...)
	}
}

// Manifest returns an object as Do sends it: maps, lists and scalars.
func Manifest(manifest any) (map[string]any, error) {
	if text, ok := manifest.(string); ok {
		return (&holes{}).read(text)
	}
	j, err := json.Marshal(manifest)
	if err != nil {
		return nil, err
	}
	v, err := decode(j)
	if err != nil {
		return nil, err
	}
	obj, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%T is not an object", manifest)
	}
	if status, ok := obj["status"].(map[string]any); ok && empty(status) {
		delete(obj, "status") // Go's types of Kubernetes write one
	}
	if meta, ok := obj["metadata"].(map[string]any); ok && meta["creationTimestamp"] == nil {
		delete(meta, "creationTimestamp")
	}
	return obj, nil
}

// empty reports whether there is nothing in a value.
func empty(v any) bool {
	m, ok := v.(map[string]any)
	for _, e := range m {
		ok = ok && empty(e)
	}
	return ok || v == nil
}

// Text returns what is at a path of an object, as text: status.url.
func Text(obj map[string]any, path string) string {
	v, ok := at(obj, fieldPath(path)...)
	if !ok || v == nil {
		return ""
	}
	return strings.TrimSpace(text(v))
}
