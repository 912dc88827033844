package pod

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Role is what the pods of one role of a job have, such as its workers, in place of what
// the job's [Spec] says. What it doesn't set is as there. A job whose roles have GPUs
// of different numbers, or of which some have none, sets them in the roles and not in the Spec.
type Role struct {
	Placement
	Image string         `json:"image,omitempty"`
	Ports map[string]int `json:"ports,omitempty"` // of the container, by name
	Patch map[string]any `json:"patch,omitempty"` // merged over the Spec's Patch
}

// Over returns the spec of the role's pods.
func (r Role) Over(s Spec) Spec {
	s = r.Placement.Over(s)
	if r.Image != "" {
		s.Image = r.Image
	}
	if len(r.Ports) > 0 {
		s.Ports = r.Ports
	}
	if len(r.Patch) > 0 {
		patch := map[string]any{}
		if len(s.Patch) > 0 {
			patch = clone(s.Patch).(map[string]any)
		}
		s.Patch = merge(patch, clone(r.Patch).(map[string]any))
	}
	return s
}

// Without returns the spec with a Patch that says nothing about some containers: those
// that only pods of other roles have.
func (s Spec) Without(containers ...string) Spec {
	if s.Patch["containers"] == nil {
		return s
	}
	left := slices.DeleteFunc(slices.Clone(elements(s.Patch["containers"])), func(e any) bool { return slices.Contains(containers, of(e, "name")) })
	s.Patch = maps.Clone(s.Patch)
	if s.Patch["containers"] = left; len(left) == 0 {
		delete(s.Patch, "containers")
	}
	return s
}

// StrayContainers returns the problems of a Patch for pods whose own containers have
// the given names: a container of another name is one more, and needs an image.
func StrayContainers(patch map[string]any, names ...string) (msgs []string) {
	for _, list := range []string{"containers", "initContainers"} {
		for _, e := range elements(patch[list]) {
			name := of(e, "name")
			if name == "" || of(e, "image") != "" || list == "containers" && slices.Contains(names, name) {
				continue // one without a name is found by Check
			}
			msgs = append(msgs, fmt.Sprintf("Patch: %s: %s has no image and is not a container of these pods, which is %s; give it an image, or that name", list, name, strings.Join(names, " or ")))
		}
	}
	return msgs
}

// clone copies maps and lists, so that a merge into the copy changes nothing in them.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := maps.Clone(v)
		for k, e := range m {
			m[k] = clone(e)
		}
		return m
	case []any:
		list := slices.Clone(v)
		for i, e := range list {
			list[i] = clone(e)
		}
		return list
	case []map[string]any:
		return clone(elements(v))
	}
	return v
}
