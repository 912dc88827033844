package work

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/components/pod"
)

// A rule says what is wrong with the text of an input, or "".
type rule func(string) string

// The texts that inputs of a name are in all components.
var texts = map[string]rule{
	"name": pod.BadName, "claim": pod.BadName, "queue": pod.BadName, "priority": pod.BadName,
	"runtime": pod.BadName, "service_account": pod.BadName, "secret": pod.BadName,
	"image": pod.BadImage, "timeout": badTime, "ready": badTime,
}

// The quantities that inputs of a name are. Unlike other texts they can't be empty.
var quantities = map[string]rule{
	"memory": func(s string) string { return pod.BadResource("memory", s) }, "size": pod.BadSize,
}

// The least that a number can be.
var least = map[string]int{
	"workers": 0, "servers": 0, "retries": 0, "limit": 0, "min_devices": 0, "min_memory_mib": 0, "batch_wait_ms": 0,
	"completions": 1, "parallelism": 1, "replicas": 1, "nodes": 1, "procs_per_node": 1, "min_available": 1, "queue_weight": 1,
	"tries": 1, "batch": 1, "max_batch": 1, "samples": 1, "repeats": 1, "size": 1, "version": 1, "retention_days": 1, "port": 1,
}

// standard checks what inputs of a name are in all components, so that a bad one is
// told at the line of its call rather than by a cluster, hours later.
func (c *Call) standard() {
	for _, f := range c.t.Component.Inputs {
		if !c.Given(f.Name) {
			continue
		}
		bad := func(msg string) {
			if msg != "" {
				c.Errorf("input %s: %s", f.Name, msg)
			}
		}
		if s, ok := Arg[string](c, f.Name); ok {
			if check := texts[f.Name]; check != nil && (s != "" || f.Default == nil && !f.Optional) {
				bad(check(s))
			}
			if check := quantities[f.Name]; check != nil {
				bad(check(s))
			}
		}
		if n, ok := Arg[int](c, f.Name); ok {
			if min, has := least[f.Name]; has && n < min {
				bad(fmt.Sprintf("%d is less than %d", n, min))
			}
			if f.Name == "port" && n > 65535 {
				bad(fmt.Sprintf("%d is no port; the last is 65535", n))
			}
		}
		switch f.Name {
		case "env":
			vars, _ := Arg[map[string]string](c, f.Name)
			for _, name := range slices.Sorted(maps.Keys(vars)) {
				bad(pod.BadEnv(name))
			}
		case "pod":
			if s, ok := Arg[pod.Spec](c, f.Name); ok {
				for _, msg := range s.Check() {
					bad(msg)
				}
			}
		case "min_accuracy":
			if x, ok := Arg[float64](c, f.Name); ok && !(x >= 0 && x <= 1) {
				bad(fmt.Sprintf("%v is no share; it is from 0 to 1", x))
			}
		}
	}
}

func badTime(s string) string {
	if d, err := time.ParseDuration(s); err != nil || d <= 0 {
		return fmt.Sprintf("%q is not a time such as 90m or 24h", s)
	}
	return ""
}

// Web checks an input that is an address on the web.
func (c *Call) Web(input string) {
	s, ok := Arg[string](c, input)
	if !ok {
		return
	}
	if u, err := url.Parse(s); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		c.Errorf("input %s: %q is no address that begins with http:// or https://", input, s)
	}
}

// Short checks an input that names what controllers make Services and labels of: up
// to max characters, a letter first.
func (c *Call) Short(input string, max int) {
	s, ok := Arg[string](c, input)
	if !ok || !c.Given(input) || pod.BadName(s) != "" {
		return // which is told already
	}
	if !shortForm.MatchString(s) || len(s) > max {
		c.Errorf("input %s: %q becomes the name of Services, which has lower case letters, digits and -, a letter first; here it has %d characters at most", input, s, max)
	}
}

var shortForm = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

// OneOf checks an input that is one of some words.
func OneOf[T ~string](c *Call, input string, words ...T) {
	if s, ok := Arg[T](c, input); ok && !slices.Contains(words, s) {
		var names []string
		for _, w := range words {
			names = append(names, string(w))
		}
		last := len(names) - 1
		c.Errorf("input %s is %q; there are %s and %s", input, s, strings.Join(names[:last], ", "), names[last])
	}
}
