package dsl

import (
	"encoding/json"
	"strings"
	"time"
	"unicode"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// An Option changes how a task runs. Given to a component, it applies to every
// task that calls it. Package k8s has the options that only Kubernetes knows.
// KFP's Python has methods of the task for them, such as set_memory_limit.
type Option func(*record.Task)

// Text is a string that is known now or at run time.
type Text interface{ string | Param[string] }

// Count is a number that is known now or at run time.
type Count interface{ int | Param[int] }

// Options joins options, to share between tasks.
func Options(opts ...Option) Option {
	return func(t *record.Task) {
		for _, o := range opts {
			if o != nil {
				o(t)
			}
		}
	}
}

// CPU limits the CPU of a task, as a Kubernetes quantity: "4" or "500m". KFP's
// Python has set_cpu_limit.
func CPU[Q Text](limit Q) Option { return quantity("cpu", "cpu", limit) }

// CPURequest is the CPU that a task needs to be scheduled (set_cpu_request).
func CPURequest[Q Text](request Q) Option { return quantity("cpu-request", "cpu", request) }

// Memory limits the memory of a task, as a Kubernetes quantity: "16Gi". KFP's
// Python has set_memory_limit.
func Memory[Q Text](limit Q) Option { return quantity("memory", "memory", limit) }

// MemoryRequest is the memory that a task needs to be scheduled (set_memory_request).
func MemoryRequest[Q Text](request Q) Option { return quantity("memory-request", "memory", request) }

func quantity[Q Text](name, resource string, q Q) Option {
	return record.At(func(t *record.Task) {
		if s, ok := known[string](q); ok {
			if err := record.Resource(resource).Check(s); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		t.Set(name, q)
	})
}

// known returns an operand that is known when the pipeline is defined.
func known[T any](operand any) (x T, ok bool) {
	if p, is := operand.(Param[T]); is {
		v := p.ref()
		return x, v != nil && v.Kind == graph.Const && json.Unmarshal(v.Const, &x) == nil
	}
	x, ok = operand.(T)
	return x, ok
}

// GPU asks for NVIDIA GPUs. KFP's Python has set_gpu_limit and, in v2,
// set_accelerator_limit.
func GPU[N Count](n N) Option { return Accelerator("nvidia.com/gpu", n) }

// Accelerator asks for devices of a resource type, such as amd.com/gpu, or for
// units of one that is shared, such as tencent.com/vcuda-core
// (set_accelerator_type and set_accelerator_limit, and add_resource_limit in v1).
// A task may ask for several types. Google's own names, such as NVIDIA_TESLA_K80
// and tpu-v3, are for its service only. An empty type is what
// set_accelerator_limit alone says: so many of a kind that the server knows.
func Accelerator[R Text, N Count](resource R, n N) Option {
	return record.At(func(t *record.Task) {
		what := "Accelerator"
		if name, ok := any(resource).(string); ok && name != "" {
			what = name
			if err := deviceName.Check(name); err != nil {
				t.Errorf("Accelerator: %v", err)
			}
		}
		atLeast(t, what, n, 0)
		t.Set("accelerator", resource, n)
	})
}

var deviceName = record.Rule{
	What: "a device resource", Max: 253 + 1 + 63,
	Form: lazyregexp.New(`^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?|[A-Za-z0-9]+([-_][A-Za-z0-9]+)+)$`),
	Hint: "a domain, a slash and a name, such as nvidia.com/gpu; or a name of Google's, such as NVIDIA_TESLA_K80",
}

// Env sets an environment variable (set_env_variable). As in Kubernetes, a constant may
// use $(NAME) of a variable that was set before it; any other $ stays as it is.
func Env[V Text](name string, value V) Option {
	return record.At(func(t *record.Task) {
		if err := record.EnvName.Check(name); err != nil {
			t.Errorf("Env: %v", err)
		}
		t.Set("env", name, value)
	})
}

// Image replaces the image of the component (set_container_image). On a Go
// component it is the image that has the program in it, in place of the one that
// kfpgo compile is given with --image: its /app must be this program.
func Image[R Text](ref R) Option {
	return record.At(func(t *record.Task) {
		if s, ok := any(ref).(string); ok {
			if err := imageRef.Check(graph.InImage.ReplaceAllString(s, "x")); err != nil {
				t.Errorf("Image: %v", err)
			}
		}
		t.Set("image", ref)
	})
}

var imageRef = record.Rule{What: "an image", Form: graph.ImageForm, Hint: graph.ImageHint, Max: 4096}

// Named sets the name that the UI shows (set_display_name).
func Named(name string) Option {
	return record.At(func(t *record.Task) {
		if strings.TrimSpace(name) == "" || strings.ContainsFunc(name, unicode.IsControl) {
			t.Errorf("Named(%q): give it a name of one line", name)
		}
		t.Set("name", name)
	})
}

// NoCache makes the task run even if an equal one has run before
// (set_caching_options(False)).
func NoCache() Option { return setting("no-cache") }

// Cache lets the result of an equal task that has run before be used
// (set_caching_options(True)). It is there for tasks that otherwise run each time:
// those of an exit handler, of pipelines that are called in one, and operations on
// objects of a cluster. Others are cached anyway, unless a pipeline around them is
// called with [NoCache].
func Cache() Option { return setting("cache") }

// CacheKey makes tasks with the same key share what has been cached, whatever
// their arguments (set_caching_options with a cache_key).
func CacheKey(key string) Option {
	return record.At(func(t *record.Task) {
		if key == "" {
			t.Errorf("CacheKey of an empty string: leave it out, or use dsl.NoCache")
		}
		t.Set("cache-key", key)
	})
}

// Timeout ends a task that runs longer (set_timeout).
func Timeout(d time.Duration) Option {
	return record.At(func(t *record.Task) {
		if d < time.Second {
			t.Errorf("Timeout(%v): must be at least a second", d)
		}
		t.Set("timeout", d.String())
	})
}

// A Backoff says how long to wait between tries.
type Backoff struct {
	Initial time.Duration `json:"initial,omitempty"`
	Factor  float64       `json:"factor,omitempty"`
	Max     time.Duration `json:"max,omitempty"`
}

// Retry runs a failed task again, at most n times (set_retry). Retry(0) says that
// it isn't. On a pipeline that is called as a task it runs all of that again, with
// what had succeeded, which may be in the cache; KFP's servers do nothing about that.
func Retry[N Count](n N, backoff ...Backoff) Option {
	return record.At(func(t *record.Task) {
		atLeast(t, "Retry", n, 0)
		switch len(backoff) {
		case 0:
			t.Set("retry", n)
		case 1:
			if b := backoff[0]; b.Initial < 0 || b.Max < 0 || b.Factor < 0 {
				t.Errorf("Retry: a Backoff of %v, %v and %v must not be negative", b.Initial, b.Factor, b.Max)
			}
			t.Set("retry", n, backoff[0])
		default:
			t.Errorf("Retry takes one Backoff, not %d", len(backoff))
		}
	})
}

// After makes a task wait for others, or for groups, that it reads nothing from
// (after).
func After(tasks ...Handle) Option {
	return record.At(func(t *record.Task) {
		for i, h := range tasks {
			var task *record.Task
			var scope *record.Scope
			if h != nil {
				task, scope = h.handle()
			}
			switch {
			case task != nil:
				t.After = append(t.After, task)
			case scope != nil:
				t.AfterScopes = append(t.AfterScopes, scope)
			default:
				t.Errorf("After: task %d is nil; give it a task that is called before this one", i+1)
			}
		}
	})
}

// IgnoreUpstreamFailure runs the task even if one that it waits for has failed
// (ignore_upstream_failure).
func IgnoreUpstreamFailure() Option { return setting("ignore-upstream-failure") }

func setting(name string, operands ...any) Option {
	return record.At(func(t *record.Task) { t.Set(name, operands...) })
}

func atLeast[N Count](t *record.Task, name string, n N, least int) {
	if i, ok := known[int](n); ok && i < least {
		t.Errorf("%s(%d): must be at least %d", name, i, least)
	}
}

func textParam[U Text](u U) Param[string] {
	if p, ok := any(u).(Param[string]); ok {
		return p
	}
	s, _ := any(u).(string)
	return Const(s)
}
