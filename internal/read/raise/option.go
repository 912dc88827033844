package raise

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

const k8sPath = "github.com/kfpgo/kfpgo/dsl/k8s"

// common adds the options of package dsl.
func (o *options) common() {
	s := &o.rest
	for _, q := range []struct {
		option string
		v      **program.Value
	}{
		{"Image", &s.Image}, {"CPU", &s.CPULimit}, {"CPURequest", &s.CPURequest}, {"Memory", &s.MemoryLimit}, {"MemoryRequest", &s.MemoryRequest},
	} {
		if *q.v != nil {
			o.add("dsl.%s(%s)", q.option, o.value(**q.v))
			*q.v = nil
		}
	}
	for _, a := range s.Accelerators {
		switch n := o.count("a number of devices", a.Count); {
		case a.Type != nil:
			o.add("dsl.Accelerator(%s, %s)", o.value(*a.Type), n)
		case a.Resource == "nvidia.com/gpu":
			o.add("dsl.GPU(%s)", n)
		default:
			o.add("dsl.Accelerator(%s, %s)", gosrc.Quote(a.Resource), n)
		}
	}
	s.Accelerators = nil
	for _, e := range s.Env {
		o.add("dsl.Env(%s, %s)", gosrc.Quote(e.Name), o.value(e.Value))
	}
	s.Env = nil
	if s.TimeoutSecs != 0 {
		o.add("dsl.Timeout(%s)", o.w.duration(time.Duration(s.TimeoutSecs)*time.Second))
		s.TimeoutSecs = 0
	}
	if r := s.Retry; r != nil {
		o.retry(*r)
		s.Retry = nil
	}
	if s.NoCache {
		if !o.n.runsAnyway() {
			o.add("dsl.NoCache()")
		}
		s.NoCache = false
	} else if o.n.in.class.uncached || o.n.runsAnyway() && s.CacheKey == "" {
		o.add("dsl.Cache()")
	}
	if s.CacheKey != "" {
		o.add("dsl.CacheKey(%s)", gosrc.Quote(s.CacheKey))
		s.CacheKey = ""
	}
}

// atExit reports whether a task belongs to an exit handler.
func (n *node) atExit() bool {
	if n.exitOf != nil {
		return true
	}
	in := n.in.parent
	return in != nil && in.byName[n.in.task.Name] != nil && in.byName[n.in.task.Name].atExit()
}

// runsAnyway reports whether the language caches a task only if it says so.
func (n *node) runsAnyway() bool {
	return n.class.Exec != nil && n.class.Exec.Resource != nil || n.atExit()
}

func (o *options) retry(r program.Retry) {
	wait := func(text string) time.Duration {
		d, err := time.ParseDuration(text)
		if err != nil && text != "" {
			o.w.taskErrorf(o.n.task, "a retry that waits %q", text)
		}
		return d
	}
	n := o.count("a number of retries", r.Max)
	factor := ""
	if r.Factor != 0 && r.Factor != 2 {
		factor = strconv.FormatFloat(r.Factor, 'g', -1, 64)
	}
	longest := wait(r.MaxBackoff)
	if longest == time.Hour {
		longest = 0
	}
	if backoff := fields("dsl.Backoff", "Initial", o.w.duration(wait(r.Initial)), "Factor", factor, "Max", o.w.duration(longest)); backoff != "dsl.Backoff{}" {
		n += ", " + backoff
	}
	o.add("dsl.Retry(%s)", n)
}

// duration returns a duration as Go; nothing for none.
func (b *builder) duration(d time.Duration) string {
	if d == 0 {
		return ""
	}
	b.imports["time"] = true
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Hour, "time.Hour"}, {time.Minute, "time.Minute"}, {time.Second, "time.Second"}, {time.Millisecond, "time.Millisecond"}, {1, "time.Nanosecond"}} {
		if d%u.unit == 0 {
			if d == u.unit {
				return u.name
			}
			return strconv.FormatInt(int64(d/u.unit), 10) + " * " + u.name
		}
	}
	return ""
}

// constant returns the constant with the name of a string, or the string.
func constant(pkg, s string, known ...string) string {
	for _, k := range known {
		if s == k {
			return pkg + k
		}
	}
	return gosrc.Quote(s)
}

// chosen is constant for a field; nothing for none.
func chosen(pkg, s string, known ...string) string {
	if s == "" {
		return ""
	}
	return constant(pkg, s, known...)
}

// leftover reports the settings that no option says.
func (o *options) leftover() {
	if reflect.ValueOf(o.rest).IsZero() {
		return
	}
	j, err := json.Marshal(o.rest)
	if err != nil || string(j) == "{}" {
		return
	}
	var set map[string]json.RawMessage
	if json.Unmarshal(j, &set) != nil {
		return
	}
	var names []string
	for k, v := range sorted(set) {
		names = append(names, k+" "+short(v))
	}
	o.w.taskErrorf(o.n.task, "settings that no option of the language says: %s", strings.Join(names, ", "))
}
