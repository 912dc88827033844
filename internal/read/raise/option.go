package raise

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

const (
	k8sPath  = "github.com/kfpgo/kfpgo/dsl/k8s"
	argoPath = "github.com/kfpgo/kfpgo/dsl/argo"
)

// settings adds the options that are set.
func (o *options) settings() {
	s := o.n.task.Settings
	s.NoCache = true // caching has its place among the options, whether it is on or off
	for opt, v := range s.All() {
		o.set(opt, v)
	}
}

// set adds an option that sets a value.
func (o *options) set(opt *program.Option, v any) {
	switch v := v.(type) {
	case program.Accelerator:
		switch n := o.count("a number of devices", v.Count); {
		case v.Type != nil:
			o.add("dsl.Accelerator(%s, %s)", o.value(*v.Type), n)
		case v.Resource == "nvidia.com/gpu":
			o.add("dsl.GPU(%s)", n)
		default:
			o.add("dsl.Accelerator(%s, %s)", gosrc.Quote(v.Resource), n)
		}
	case program.Retry:
		o.retry(v)
	case program.Affinity:
		o.affinity(opt, v)
	case program.Toleration:
		o.add("k8s.Tolerate(%s)", toleration(v))
	case program.EmptyDir:
		o.emptyDir(v)
	case program.EphemeralVolume:
		o.ephemeralVolume(v)
	case program.InitContainer:
		o.initContainer(opt, v)
	case json.RawMessage:
		if opt.Name == "store" {
			o.store(v)
			return
		}
		o.w.taskErrorf(o.n.task, "settings that no option of the language says: %s %s", "podPatch", short(v))
	default:
		switch {
		case opt.Name == "timeout":
			o.add("dsl.Timeout(%s)", o.w.duration(time.Duration(o.n.task.Settings.TimeoutSecs)*time.Second))
		case opt.Name == "no-cache":
			o.cache()
		case opt.Name == "pull-policy":
			o.add("k8s.Pull(%s)", constant("k8s.Pull", v.(string), "Always", "IfNotPresent", "Never"))
		case opt.JSON:
			o.add("%s(%s)", opt.Go[0], o.json(v.(program.Value)))
		default:
			o.add("%s(%s)", opt.Go[0], strings.Join(o.operands(reflect.ValueOf(v)), ", "))
		}
	}
}

// cache adds what the task says about the cache, beside its key.
func (o *options) cache() {
	s := &o.n.task.Settings
	switch {
	case s.NoCache && !o.n.runsAnyway():
		o.add("dsl.NoCache()")
	case !s.NoCache && (o.n.in.class.uncached || o.n.runsAnyway() && s.CacheKey == ""):
		o.add("dsl.Cache()")
	}
}

// operands returns a value as the operands of its option: a struct as one for each
// field.
func (o *options) operands(v reflect.Value) (all []string) {
	switch x := v.Interface().(type) {
	case program.Value:
		return []string{o.value(x)}
	case string:
		return []string{gosrc.Quote(x)}
	case []string:
		for _, s := range x {
			all = append(all, gosrc.Quote(s))
		}
		return all
	}
	if v.Kind() != reflect.Struct {
		return []string{fmt.Sprint(v.Interface())}
	}
	for i := range v.NumField() {
		f, x := v.Type().Field(i), v.Field(i)
		fn := f.Tag.Get("dsl")
		fixed, ok := f.Tag.Lookup("fixed")
		switch {
		case ok && x.String() != "" && x.String() != fixed:
			o.w.taskErrorf(o.n.task, "shared memory in a volume called %s: the language calls it %s", x, fixed)
		case ok, x.Kind() == reflect.Bool && (fn == "" || x.IsZero()), fn != "" && x.IsZero():
		case x.Kind() == reflect.Bool:
			all = append(all, fn+"()")
		case fn != "":
			all = append(all, fn+"("+strings.Join(o.operands(x), ", ")+")")
		default:
			all = append(all, o.operands(x)...)
		}
	}
	return all
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
