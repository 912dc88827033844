// Package kubeop does the operations of resource components, on Kubernetes
// objects, over the API of the cluster that the process runs in.
//
// On Argo such a component is a resource template, which Argo's own executor
// runs. KFP has nothing like it, so there the program itself does the same:
// create, apply, patch or delete one object, wait for a condition on its fields,
// and read outputs from it. It needs the standard library and a YAML reader, and
// the service account of its pod needs the right to do it.
package kubeop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/record"
)

// Operate does what the component says, with inputs by name, and returns the
// outputs by name. It uses the pod's own service account.
func Operate(ctx context.Context, c *record.Component, inputs map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	k, err := connect(os.Getenv)
	if err != nil {
		return nil, err
	}
	return k.operate(ctx, c, inputs)
}

// The waits between looks at an object.
const (
	firstWait = 500 * time.Millisecond
	maxWait   = 10 * time.Second
)

func (k *client) operate(ctx context.Context, c *record.Component, inputs map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	f := fill(c.Inputs, inputs, func() (string, error) { return k.ownImage(ctx) })
	spec := c.Resource
	obj, err := f.object(spec.Manifest)
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	at, success, failure, err := k.prepare(ctx, f, obj, spec.Success, spec.Failure)
	if err != nil {
		return nil, err
	}
	if spec.Action == "delete" {
		return nil, k.delete(ctx, at)
	}
	if spec.Owned {
		if err := k.own(ctx, at, obj); err != nil {
			return nil, err
		}
	}
	waits := len(success)+len(failure) > 0
	got, own, err := k.make(ctx, spec.Action, at, obj, waits)
	if err == nil && waits {
		got, err = k.wait(ctx, at, success, failure)
	}
	var values map[string]json.RawMessage
	if err == nil {
		values, err = outputs(c, got)
	}
	if err != nil && own {
		err = errors.Join(err, k.cleanUp(ctx, []*location{at}))
	}
	return values, err
}

// make creates, applies or patches an object. If asked to, it finds out whether it
// wasn't there before, and so is the step's to delete. It isn't cut short when the step's time ends in the midst of it: nobody
// would know whether there is an object, and of what name.
func (k *client) make(ctx context.Context, action string, at *location, obj map[string]any, look bool) (got map[string]any, own bool, err error) {
	if ctx.Err() != nil {
		return nil, false, context.Cause(ctx)
	}
	if look && action == "apply" && at.name != "" {
		_, err := k.do(ctx, request{"GET", at.object(), nil, "", nil}, "get "+at.String())
		own = isStatus(err, http.StatusNotFound)
	}
	if got, err = k.send(context.WithoutCancel(ctx), action, at, obj); err != nil {
		return nil, false, err
	}
	if at.name == "" { // the API made it from generateName
		at.name, _ = textAt(got, "metadata", "name")
	}
	at.uid, _ = textAt(got, "metadata", "uid")
	return got, own || action == "create", nil
}

// send creates, applies or patches an object.
func (k *client) send(ctx context.Context, action string, at *location, obj map[string]any) (map[string]any, error) {
	body, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	// Strict: the API else drops a field that it doesn't know, and says nothing of it.
	query := url.Values{"fieldManager": {"kfpgo"}, "fieldValidation": {"Strict"}}
	if action != "create" && at.name == "" {
		return nil, fmt.Errorf("can't %s %s: the manifest has no metadata.name", action, at)
	}
	switch action {
	case "create":
		return k.do(ctx, request{"POST", at.collection(), query, "application/json", body}, "create "+at.String())
	case "apply":
		query.Set("force", "true") // the manifest's fields are the pipeline's to set
		return k.do(ctx, request{"PATCH", at.object(), query, "application/apply-patch+yaml", body}, "apply "+at.String())
	case "patch":
		return k.do(ctx, request{"PATCH", at.object(), query, "application/merge-patch+json", body}, "patch "+at.String())
	}
	return nil, fmt.Errorf("no action %q; there are create, apply, patch and delete", action)
}

// delete deletes an object and waits until it is gone. One that isn't there is
// no error.
func (k *client) delete(ctx context.Context, at *location) error {
	if at.name == "" {
		return fmt.Errorf("can't delete %s: the manifest has no metadata.name", at)
	}
	there, err := k.askToDelete(ctx, at)
	if err == nil && there {
		err = k.awaitGone(ctx, at)
	}
	return err
}

// askToDelete has the API delete an object, and says whether it was there.
func (k *client) askToDelete(ctx context.Context, at *location) (bool, error) {
	query := url.Values{"propagationPolicy": {"Background"}}
	_, err := k.do(ctx, request{"DELETE", at.object(), query, "", nil}, "delete "+at.String())
	if isStatus(err, http.StatusNotFound) {
		return false, nil
	}
	return err == nil, err
}

// awaitGone waits until an object that is being deleted is gone.
func (k *client) awaitGone(ctx context.Context, at *location) error {
	first := ""
	for wait := firstWait; ; wait = min(2*wait, maxWait) {
		got, err := k.do(ctx, request{"GET", at.object(), nil, "", nil}, "get "+at.String())
		if isStatus(err, http.StatusNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		uid, _ := textAt(got, "metadata", "uid")
		if first == "" {
			first = uid
		}
		if uid != first {
			return nil // somebody has made another one
		}
		if err := sleep(ctx, wait); err != nil {
			return fmt.Errorf("waiting for %s to be gone: %w", at, err)
		}
	}
}

// graceLooks is how often an object that has ended is looked at again before it is
// reported that its condition won't become true.
const graceLooks = 3

// wait looks at the object until all of success hold, or any of failure. An
// object that fails, is deleted, has ended otherwise or doesn't get there in time
// is reported with its reason.
func (k *client) wait(ctx context.Context, at *location, success, failure []condition) (map[string]any, error) {
	said, obj, over := "", map[string]any(nil), 0
	for wait := firstWait; ; wait = min(2*wait, maxWait) {
		got, err := k.do(ctx, request{"GET", at.object(), nil, "", nil}, "get "+at.String())
		switch {
		case isStatus(err, http.StatusNotFound):
			return nil, fmt.Errorf("%s was deleted while it was waited for%s", at, k.events(ctx, at))
		case err != nil && ctx.Err() == nil:
			return nil, err
		case err == nil:
			if uid, _ := textAt(got, "metadata", "uid"); at.uid != "" && uid != "" && uid != at.uid {
				return nil, fmt.Errorf("%s was deleted while it was waited for, and somebody has made another one%s", at, k.events(ctx, at))
			}
			obj = got
		}
		if err == nil && stale(obj) {
			if err := sleep(ctx, firstWait); err != nil {
				return nil, fmt.Errorf("waiting for the controller of %s to look at it: %w%s%s", at, err, reason(obj), k.events(ctx, at))
			}
			continue
		}
		if now := phase(obj); now != said && k.log != nil {
			fmt.Fprintf(k.log, "%s: %s\n", at, now)
			said, wait = now, firstWait
		}
		for _, c := range failure {
			if c.holds(obj) {
				return nil, fmt.Errorf("%s has failed: %s%s%s", at, c.text, reason(obj), k.events(ctx, at))
			}
		}
		missing := ""
		for _, c := range success {
			if !c.holds(obj) {
				missing = c.text
			}
		}
		if missing == "" {
			return obj, nil
		}
		if how := ended(at, obj); how != "" {
			if over++; over > graceLooks {
				return nil, fmt.Errorf("%s has ended (%s), and %s won't hold any more%s%s", at, how, missing, reason(obj), k.events(ctx, at))
			}
			wait = firstWait
		}
		if err := sleep(ctx, wait); err != nil {
			return nil, fmt.Errorf("waiting for %s of %s: %w%s%s", missing, at, err, reason(obj), k.events(ctx, at))
		}
	}
}

// Speed divides the pauses between looks. Only tests set it: nothing changes by itself there.
var Speed time.Duration = 1

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d / Speed)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
