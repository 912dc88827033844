package contexts

import (
	"fmt"
	"strings"
)

// An Env is the environment of a configuration, and which of its variables stand in
// for what wasn't given: an error about such a value names its variable.
type Env struct {
	get  func(string) string
	used map[string]bool
}

// NewEnv returns the environment that get reads.
func NewEnv(get func(string) string) *Env { return &Env{get: get, used: map[string]bool{}} }

// Or returns the given value, or else the value of a variable.
func (e *Env) Or(given, variable string) string {
	if given != "" {
		return given
	}
	v := e.get(variable)
	e.used[variable] = v != ""
	return v
}

// Under fills what settings leave out. Where their context was named on purpose, no
// variable says another server or credential. Of several credentials the first one counts.
func (e *Env) Under(s *Settings, named bool) {
	argo := s.Engine == "argo" && !named && (s.Server != "" || !s.Has("place") && e.get("ARGO_SERVER") != "")
	var has Settings
	from := map[*Field]string{}
	for _, f := range Fields() {
		if named && (f.Group == "place" || f.Group == "credential") || f.Group != "" && has.Has(f.Group) {
			continue
		}
		for _, name := range f.Env {
			other := strings.HasPrefix(name, "KF_PIPELINES_") && s.Engine != "kfp" || strings.HasPrefix(name, "ARGO_") && !argo
			if value := e.get(name); value != "" && !other && from[f] == "" {
				*f.In(&has).(*string), from[f] = value, name
			}
		}
	}
	s.Under(&has)
	for f, name := range from {
		e.used[name] = f.Text(s) == f.Text(&has)
	}
}

// From says where a group of settings comes from: a variable, a context, or "given"; ""
// if there is none of it.
func (e *Env) From(group string, s *Settings, of *Origin) string {
	f := s.first(group)
	if f == nil {
		return ""
	}
	for _, name := range f.Env {
		if e.used[name] {
			return name
		}
	}
	if of.Name != "" && fmt.Sprint(f.of(s)) == fmt.Sprint(f.of(&of.settings)) {
		return "context " + of.Name
	}
	return "given"
}

// Used returns a variable if its value was taken, or else "".
func (e *Env) Used(variable string) string {
	if e == nil || !e.used[variable] {
		return ""
	}
	return variable
}

// Blame names a variable in an error about its value; one about a value from elsewhere
// stays as it is.
func (e *Env) Blame(variable string, err error) error {
	if err == nil || e.Used(variable) == "" {
		return err
	}
	return fmt.Errorf("%s: %w", variable, err)
}
