package kfp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// maxArgs is how long the arguments of a run may be together, as JSON: KFP hands them to
// the driver of the run as one argument, for which Linux has a limit.
const maxArgs = 128<<10 - 1

// checkArgs refuses arguments that KFP would change, for inputs whose types may be known: it holds numbers as doubles, its
// launcher replaces {{$ in strings, Argo its variables, and Kubernetes $$. It refuses those of which no run could begin, too.
func checkArgs(op string, args map[string]json.RawMessage, of inputs) error {
	if b, err := json.Marshal(args); err == nil && len(b) > maxArgs {
		return &client.Error{Op: op, Code: client.Invalid, Msg: fmt.Sprintf("the arguments have %d bytes, most of them %s; KFP hands them to a program as one argument, which has at most %d: pass an artifact by its URI", len(b), largest(args), maxArgs)}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		d := json.NewDecoder(bytes.NewReader(args[name]))
		d.UseNumber()
		var v any
		err := d.Decode(&v)
		if _, number := v.(json.Number); err == nil && !(number && of.Parameters[name].ParameterType == kfptype.Double) {
			err = held(v)
		}
		if err != nil {
			return &client.Error{Op: op, Code: client.Invalid, Msg: fmt.Sprintf("argument %s: %v", name, err)}
		}
	}
	return nil
}

// checkRun refuses arguments of a run: what KFP can't carry, and what isn't of the pipeline.
// A nil spec is one that isn't known here.
func checkRun(op string, spec any, args map[string]json.RawMessage) error {
	in := inputsOf(spec)
	if err := checkArgs(op, args, in); err != nil || spec == nil {
		return err
	}
	return in.check(op, args)
}

// inputs are those of a pipeline, as its specification has them.
type inputs struct {
	Parameters map[string]struct {
		ParameterType string
		DefaultValue  json.RawMessage
		IsOptional    bool
	}
	Artifacts map[string]json.RawMessage
}

func inputsOf(spec any) inputs {
	var p struct {
		Inner json.RawMessage `json:"pipeline_spec"`
		Root  struct{ InputDefinitions inputs }
	}
	b, err := json.Marshal(spec)
	if err == nil && json.Unmarshal(b, &p) == nil && p.Inner != nil {
		json.Unmarshal(p.Inner, &p)
	}
	return p.Root.InputDefinitions
}

// check refuses arguments that aren't those of the pipeline: KFP reports them in the run, or
// not at all.
func (i inputs) check(op string, args map[string]json.RawMessage) error {
	var ports []program.Port
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(i.Parameters)) {
		in := i.Parameters[name]
		ports = append(ports, program.Port{Name: name, Type: graph.Type{Name: in.ParameterType}, Optional: in.IsOptional})
		if _, ok := args[name]; !ok && !in.IsOptional && in.DefaultValue == nil {
			errs = append(errs, fmt.Errorf("parameter %s is required", name))
		}
	}
	args = maps.Clone(args)
	for _, name := range slices.Sorted(maps.Keys(i.Artifacts)) {
		if _, ok := args[name]; ok {
			delete(args, name)
			errs = append(errs, fmt.Errorf("input %s is an artifact, and KFP takes parameters only as arguments; take its URI as a parameter, and import it in the pipeline", name))
		}
	}
	if err := errors.Join(append(errs, params.Check(ports, args))...); err != nil {
		return &client.Error{Op: op, Code: client.Invalid, Msg: err.Error()}
	}
	return nil
}

// largest returns the name of the longest argument.
func largest(args map[string]json.RawMessage) string {
	return slices.MaxFunc(slices.Sorted(maps.Keys(args)), func(a, b string) int { return len(args[a]) - len(args[b]) })
}

func held(v any) error {
	switch v := v.(type) {
	case json.Number:
		if i, ok := new(big.Int).SetString(v.String(), 10); ok && !isDouble(i) {
			return fmt.Errorf("KFP holds numbers as doubles, and %s isn't one; give it as a string", v)
		}
	case string:
		if strings.Contains(v, "{{$") {
			return fmt.Errorf("KFP's launcher replaces {{$ in strings, and there is one in %.40q", v)
		}
		if strings.Contains(v, "$$") { // Kubernetes, in the arguments of the driver and of the pod
			return fmt.Errorf("KFP leaves one $ of two, and there are two in %.40q; pass it as an artifact", v)
		}
		if tag := placeholder.ArgoReplaces(v); tag != "" {
			return fmt.Errorf("Argo, which runs KFP's steps, replaces %s in the string %.40q; pass it as an artifact", tag, v)
		}
	case []any:
		for _, e := range v {
			if err := held(e); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if err := held(v[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

func isDouble(i *big.Int) bool {
	_, accuracy := new(big.Float).SetInt(i).Float64()
	return accuracy == big.Exact
}
