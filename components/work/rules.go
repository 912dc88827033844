package work

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// stringChecks are the checks of inputs that are strings, by their tag check. An empty
// one is checked where the input has no default and isn't optional.
var stringChecks = map[string]func(string) string{"name": pod.BadName, "image": pod.BadImage, "duration": badTime}

// quantities are those of quantities, which can't be empty.
var quantities = map[string]func(string) string{
	"memory": func(s string) string { return pod.BadResource("memory", s) }, "size": pod.BadSize,
}

var others = lazyregexp.New(`^(|min=\d+|port|share|env|pod|placement|role)$`)

// checks returns what the tags check of a struct say, by input:
//
//	name, image, duration, memory, size    strings and quantities of Kubernetes
//	min=N, port                            numbers
//	share                                  a number from 0 to 1
//	env                                    names of variables
//
// What a pod.Spec, a pod.Placement or a pod.Role is needs no tag.
func checks(in reflect.Type) map[string]string {
	all := map[string]string{}
	for _, f := range reflect.VisibleFields(in) {
		name, _, _ := strings.Cut(f.Tag.Get("kfp"), ",")
		name = cmp.Or(name, graph.PortName(f.Name))
		check := f.Tag.Get("check")
		switch f.Type {
		case reflect.TypeFor[dsl.Param[pod.Spec]]():
			check = "pod"
		case reflect.TypeFor[dsl.Param[pod.Placement]]():
			check = "placement"
		case reflect.TypeFor[dsl.Param[pod.Role]]():
			check = "role"
		}
		if stringChecks[check] == nil && quantities[check] == nil && !others.MatchString(check) {
			panic(fmt.Sprintf("%v.%s: the tag check:%q isn't known", in, f.Name, check))
		}
		if check != "" {
			all[name] = check
		}
	}
	return all
}

// standard checks inputs as their tags say, so that a bad one is
// reported at the line of its call rather than by a cluster, hours later.
func (c *Call) standard(checks map[string]string) {
	for _, f := range c.t.Component.Inputs {
		check := checks[f.Name]
		if check == "" || !c.Given(f.Name) {
			continue
		}
		bad := func(msg string) {
			if msg != "" {
				c.Errorf("input %s: %s", f.Name, msg)
			}
		}
		least, isMin := strings.CutPrefix(check, "min=")
		switch {
		case stringChecks[check] != nil:
			if s, ok := Arg[string](c, f.Name); ok && (s != "" || f.Default == nil && !f.Optional) {
				bad(stringChecks[check](s))
			}
		case quantities[check] != nil:
			if s, ok := Arg[string](c, f.Name); ok {
				bad(quantities[check](s))
			}
		case isMin:
			min, _ := strconv.Atoi(least) // checks has looked at it
			if n, ok := Arg[int](c, f.Name); ok && n < min {
				bad(fmt.Sprintf("%d is less than %d", n, min))
			}
		case check == "port":
			if n, ok := Arg[int](c, f.Name); ok && n < 1 {
				bad(fmt.Sprintf("%d is less than 1", n))
			} else if ok && n > 65535 {
				bad(fmt.Sprintf("%d is not a port; the last is 65535", n))
			}
		case check == "share":
			if x, ok := Arg[float64](c, f.Name); ok && !(x >= 0 && x <= 1) {
				bad(fmt.Sprintf("%v is not a share; it must be from 0 to 1", x))
			}
		case check == "env":
			vars, _ := Arg[map[string]string](c, f.Name)
			for _, name := range slices.Sorted(maps.Keys(vars)) {
				bad(pod.BadEnv(name))
			}
		case check == "pod":
			each(checked[pod.Spec](c, f.Name), bad)
		case check == "placement":
			each(checked[pod.Placement](c, f.Name), bad)
		case check == "role":
			each(checked[pod.Role](c, f.Name), bad)
		}
	}
}

// checked returns the problems of a constant that can be asked for it.
func checked[T interface{ Check() []string }](c *Call, input string) []string {
	v, ok := Arg[T](c, input)
	if !ok {
		return nil
	}
	return v.Check()
}

func each(msgs []string, f func(string)) {
	for _, msg := range msgs {
		f(msg)
	}
}

// Containers checks that the Patch of a pod.Spec adds no container without an image to
// pods whose own containers have the given names.
func (c *Call) Containers(input string, names ...string) {
	s, _ := Arg[pod.Spec](c, input)
	c.stray(input, s.Patch, names...)
}

// Role checks that the Patch of a pod.Role adds no container without an image to
// pods whose own container has the given name.
func (c *Call) Role(input, container string) {
	r, _ := Arg[pod.Role](c, input)
	c.stray(input, r.Patch, container)
}

func (c *Call) stray(input string, patch map[string]any, names ...string) {
	each(pod.StrayContainers(patch, names...), func(msg string) { c.Errorf("input %s: %s", input, msg) })
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
		c.Errorf("input %s: %q is not a URL that begins with http:// or https://", input, s)
	}
}

// Short checks an input that names what controllers make Services and labels of: up
// to max characters, a letter first.
func (c *Call) Short(input string, max int) {
	s, ok := Arg[string](c, input)
	if !ok || !c.Given(input) || pod.BadName(s) != "" {
		return // which is reported already
	}
	if !shortForm.MatchString(s) || len(s) > max {
		c.Errorf("input %s: %q becomes the name of Services, which has lower case letters, digits and -, a letter first; here it has %d characters at most", input, s, max)
	}
}

var shortForm = lazyregexp.New(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

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
