package kfp

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-openapi/runtime"
	"github.com/go-openapi/strfmt"
	em "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/experiment_model"
	pm "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/pipeline_model"
	rrm "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/recurring_run_model"
	rm "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/run_model"

	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/internal/model/nulls"
	"github.com/kfpgo/kfpgo/internal/net/web"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// tolerant reads answers into the types of the API that this program was built with,
// where the server is of another version. Unknown fields and values of enumerations
// are fine by themselves. A field whose form has changed is left out, so that a detail
// that kfpgo has no use for doesn't hide a run: but the objects and the lists that an
// answer consists of must be what they are.
func tolerant() runtime.Consumer {
	return runtime.ConsumerFunc(func(r io.Reader, into any) error {
		var b []byte
		if read, ok := r.(*gateway.Body); ok {
			b = read.Whole
		} else if all, err := io.ReadAll(io.LimitReader(r, web.MaxAnswer)); err != nil {
			return err
		} else {
			b = all
		}
		strict := jsontext.Decode(b, into)
		if strict == nil {
			strict = nulls.Check(into)
		}
		if strict == nil {
			return says(b, into)
		}
		if errors.Is(strict, io.EOF) && reflect.TypeOf(into).Elem().Kind() == reflect.Struct {
			return errors.New("the answer is empty") // io.EOF would pass for an object without fields
		}
		var v any
		if jsontext.Decode(b, &v) != nil {
			return strict // it isn't JSON
		}
		if _, ok := v.(map[string]any); !ok {
			return strict
		}
		t, roots := reflect.TypeOf(into).Elem(), 0
		if strings.Contains(t.Name(), "List") {
			roots = 2 // the list, and the objects in it
		}
		v, _ = fitted(v, t, roots)
		fit, err := json.Marshal(v)
		if err != nil {
			return strict
		}
		to := reflect.ValueOf(into).Elem()
		to.SetZero()
		if jsontext.Decode(fit, into) != nil || nulls.Check(into) != nil {
			to.SetZero()
			return strict
		}
		return says(b, into)
	})
}

// says checks that an answer says something: one object has an id, and a list has
// fields of one.
func says(b []byte, into any) error {
	id, what := "-", ""
	switch v := into.(type) {
	case *Health:
		return nil // servers say other things there
	case *rm.V2beta1Run:
		id, what = v.RunID, "run_id"
	case *em.V2beta1Experiment:
		id, what = v.ExperimentID, "experiment_id"
	case *pm.V2beta1Pipeline:
		id, what = v.PipelineID, "pipeline_id"
	case *pm.V2beta1PipelineVersion:
		id, what = v.PipelineVersionID, "pipeline_version_id"
	case *rrm.V2beta1RecurringRun:
		id, what = v.RecurringRunID, "recurring_run_id"
	}
	if err := web.Known(b, into); err != nil || id != "" {
		return err
	}
	return fmt.Errorf("the answer has no %s", what)
}

var textual = reflect.TypeFor[encoding.TextUnmarshaler]()

// fitted returns what of a value fits a type, and false if nothing does. The objects and
// the lists of the first levels stay what they are, whether they fit or not.
func fitted(v any, t reflect.Type, roots int) (any, bool) {
	if v == nil {
		return nil, true
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[strfmt.DateTime]():
		text, ok := v.(string)
		_, err := strfmt.ParseDateTime(text)
		return v, ok && err == nil
	case t == reflect.TypeFor[strfmt.Base64]():
		return nil, false // the values of Any, which nobody reads
	case reflect.PointerTo(t).Implements(textual):
		return v, true
	}
	switch t.Kind() {
	case reflect.Interface:
		return v, true
	case reflect.Struct:
		return fittedObject(v, t, roots)
	case reflect.Slice:
		list, ok := v.([]any)
		if !ok {
			return v, roots >= 0 // which fails then
		}
		out := []any{}
		for _, e := range list {
			if e == nil && roots <= 0 && t.Elem().Kind() == reflect.Pointer {
				continue // an object that is not there
			}
			if fit, ok := fitted(e, t.Elem(), roots-1); ok {
				out = append(out, fit)
			}
		}
		return out, true
	case reflect.Map:
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		out := map[string]any{}
		for k, e := range m {
			if e == nil && t.Elem().Kind() == reflect.Pointer {
				continue
			}
			if fit, ok := fitted(e, t.Elem(), roots-1); ok {
				out[k] = fit
			}
		}
		return out, true
	case reflect.String: // an enumeration may come as a number
		switch v.(type) {
		case string:
			return v, true
		case json.Number, bool:
			return fmt.Sprint(v), true
		}
		return nil, false
	case reflect.Bool:
		_, ok := v.(bool)
		return v, ok
	}
	n, err := strconv.ParseInt(fmt.Sprint(v), 10, t.Bits())
	return n, err == nil
}

// fittedObject is fitted for an object.
func fittedObject(v any, t reflect.Type, roots int) (any, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		return v, roots >= 0 // which fails then
	}
	out := map[string]any{}
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		e, there := m[name]
		if !there {
			continue
		}
		fit, ok := fitted(e, t.Field(i).Type, roots-1)
		if !ok || fit == nil {
			continue
		}
		if strings.Contains(options, "string") { // a long number, which is a string in JSON
			fit = fmt.Sprint(fit)
		}
		out[name] = fit
	}
	return out, true
}
