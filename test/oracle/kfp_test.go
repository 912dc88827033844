package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// A limit is something that KFP 2.0.5 can't do and 2.17 can: words of the
// refusal, whether a task has it, and what to take out of the task so that the
// rest can be checked.
type limit struct {
	name  string
	words string
	mend  func(task map[string]any) bool
}

var limits = []limit{
	// The compiler has no final status for an exit handler's task.
	{"KFP 2.0.5 has no final status", "task final status", func(task map[string]any) bool {
		return drop(task, func(source map[string]any) bool { return source["taskFinalStatus"] != nil })
	}},

	// It makes two tasks of a loop, and gives neither the name that a task which
	// collects from the loop, or just follows it, waits for.
	{"KFP 2.0.5 can't wait for a loop", "invalid dependency for-loop-", func(task map[string]any) bool {
		loop := func(name any) bool { s, _ := name.(string); return strings.HasPrefix(s, "for-loop-") }
		after, _ := task["dependentTasks"].([]any)
		rest := slices.DeleteFunc(slices.Clone(after), loop)
		if len(rest) < len(after) {
			task["dependentTasks"] = rest
		}
		dropped := drop(task, func(source map[string]any) bool {
			for _, from := range source {
				if from, _ := from.(map[string]any); loop(from["producerTask"]) {
					return true
				}
			}
			return false
		})
		return dropped || len(rest) < len(after)
	}},

	{"KFP 2.0.5 has no loop over artifacts", "artifact iterator", func(task map[string]any) bool {
		_, ok := task["artifactIterator"]
		delete(task, "artifactIterator")
		return ok
	}},
}

// TestServer compiles all of our IR with KFP's own server-side compiler, and
// validates the Workflow as Argo does.
func TestServer(t *testing.T) {
	all := ours(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			exceptions, err := accept(all[name])
			if err != nil {
				t.Error(err)
			}
			why := ""
			if exceptions != nil {
				why = name + ": " + strings.Join(exceptions, "; ")
			}
			tally("server compiler accepted", err == nil && exceptions == nil, why)
		})
	}
}

// accept compiles IR and validates the Workflow. It returns the limits of that
// server that it met; of each it takes out what meets it, and the rest must pass.
func accept(ir []byte) (exceptions []string, err error) {
	newer, err := Strict(ir)
	if err != nil {
		return nil, err
	}
	if newer != nil {
		exceptions = append(exceptions, "newer than the published protos: "+strings.Join(newer, ", "))
		if ir, err = edit(ir, func(doc any) any {
			for _, n := range newer {
				doc = without(doc, n)
			}
			return doc
		}); err != nil {
			return nil, err
		}
	}
	for {
		refused := refusal(ir)
		if refused == nil {
			slices.Sort(exceptions)
			return exceptions, nil
		}
		i := slices.IndexFunc(limits, func(l limit) bool { return strings.Contains(refused.Error(), l.words) })
		if i < 0 || slices.Contains(exceptions, limits[i].name) {
			return exceptions, refused
		}
		mended := false
		if ir, err = edit(ir, func(doc any) any {
			eachTask(doc, func(task map[string]any) { mended = limits[i].mend(task) || mended })
			return doc
		}); err != nil {
			return nil, err
		}
		if !mended {
			return exceptions, fmt.Errorf("it has nothing of what is refused: %w", refused)
		}
		exceptions = append(exceptions, limits[i].name)
	}
}

// refusal returns what KFP's compiler or Argo's validator has against IR.
func refusal(ir []byte) error {
	wf, err := CompileIR(ir)
	if err != nil {
		return err
	}
	return ValidateArgo(nil, wf)
}

// edit returns what f makes of each document of IR.
func edit(ir []byte, f func(doc any) any) ([]byte, error) {
	docs, err := jsonDocs(ir)
	if err != nil {
		return nil, err
	}
	var out []byte
	for i, d := range docs {
		var doc any
		if err := json.Unmarshal(d, &doc); err != nil {
			return nil, err
		}
		b, err := json.Marshal(f(doc))
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, "\n---\n"...)
		}
		out = append(out, b...)
	}
	return out, nil
}

// eachTask calls f for each task of a document.
func eachTask(doc any, f func(task map[string]any)) {
	components := []any{object(doc, "root")}
	for _, c := range object(doc, "components") {
		components = append(components, c)
	}
	for _, c := range components {
		for _, task := range object(c, "dag", "tasks") {
			f(task.(map[string]any))
		}
	}
}

// drop removes inputs of a task, and reports whether there were any.
func drop(task map[string]any, drop func(source map[string]any) bool) bool {
	n := 0
	for _, kind := range []string{"parameters", "artifacts"} {
		all := object(task, "inputs", kind)
		for name, source := range all {
			if drop(source.(map[string]any)) {
				delete(all, name)
				n++
			}
		}
	}
	return n > 0
}
