package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A Question is about the outputs of a suspended step.
type Question struct {
	Task     string // its path
	Doc      string // of its component
	Inputs   map[string]json.RawMessage
	Outputs  []program.Port
	Deadline time.Time // when it takes the defaults; zero: never
}

// An answer is the outputs of a suspended step, by name.
type answer map[string]json.RawMessage

// readAnswers reads Options.Answers: answers by the name or path of a task. The error
// lists all mistakes.
func readAnswers(p *program.Program, given []string) (map[string]answer, error) {
	suspended := map[string]*program.Component{}
	for _, t := range p.Tasks() {
		if c := p.Component(t.Component); c != nil && c.Exec != nil && c.Exec.Suspend != nil {
			suspended[t.Name] = c
		}
	}
	all := map[string]answer{}
	var errs []error
	wrong := func(given, format string, args ...any) {
		errs = append(errs, fmt.Errorf("--answer %s: %w", given, fmt.Errorf(format, args...)))
	}
	for _, g := range given {
		name, value, valued := strings.Cut(g, "=")
		task, output, named := strings.Cut(name, ".")
		c := suspended[path.Base(task)]
		switch {
		case c == nil && len(suspended) == 0:
			wrong(g, "the pipeline has no step that waits for a person; leave it out")
			continue
		case c == nil:
			wrong(g, "no task %q waits for a person; there is %s", task, strings.Join(slices.Sorted(maps.Keys(suspended)), ", "))
			continue
		case named != valued:
			wrong(g, "give it as TASK.OUTPUT=VALUE, or as TASK to take the defaults")
			continue
		case all[task] == nil:
			all[task] = answer{}
		}
		if !named {
			continue
		}
		port := c.Output(output)
		if port == nil {
			wrong(g, "task %s has no output %q; it has %s", task, output, outputNames(c))
		} else if all[task][output] != nil {
			wrong(g, "output %s is given twice", output)
		} else if b, err := params.Value(value, port); err != nil {
			wrong(g, "%w", err)
		} else {
			all[task][output] = b
		}
	}
	return all, errors.Join(errs...)
}

func outputNames(c *program.Component) string {
	if len(c.Outputs) == 0 {
		return "none"
	}
	var names []string
	for _, p := range c.Outputs {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// answer returns the answer that was given for a task, with the defaults of its outputs.
func (e *engine) answer(at string, t *program.Task, c *program.Component) (answer, bool, error) {
	given, ok := e.answers[at]
	if !ok {
		given, ok = e.answers[t.Name]
	}
	if !ok {
		return nil, false, nil
	}
	a, err := withDefaults(given, at, c)
	return a, true, err
}

// withDefaults returns an answer with the defaults of the outputs that it lacks.
func withDefaults(given answer, at string, c *program.Component) (answer, error) {
	all := answer{}
	var errs []error
	for i := range c.Outputs {
		switch p := &c.Outputs[i]; {
		case given[p.Name] != nil:
			all[p.Name] = given[p.Name]
		case p.Default != nil:
			all[p.Name] = p.Default
		case !p.Optional:
			errs = append(errs, fmt.Errorf("output %s was not given and has no default; give it with --answer %s.%s=VALUE, %s", p.Name, at, p.Name, params.Wanted(p)))
		}
	}
	return all, errors.Join(errs...)
}

// unanswered returns why nothing ends a task that waits for a person, or nil.
func (e *engine) unanswered(at string, t *program.Task, c *program.Component) error {
	if _, ok, err := e.answer(at, t, c); ok || e.o.Ask != nil || c.Exec.Suspend.Duration > 0 {
		return err
	}
	flags := "--answer " + at
	if len(c.Outputs) > 0 {
		flags = ""
		for i := range c.Outputs {
			if p := &c.Outputs[i]; p.Default == nil && !p.Optional || i == 0 {
				flags += " --answer " + at + "." + p.Name + "=VALUE"
			}
		}
		flags = flags[1:]
	}
	return fmt.Errorf("it waits for a person, and there is no terminal to ask on; give %s, or run it on Argo", flags)
}

// suspend waits for a person, or until its duration has passed.
func (s *step) suspend(ctx context.Context) (env, error) {
	at := s.rec.Path
	got, ok, err := s.e.answer(at, s.t, s.c)
	if err != nil {
		return env{}, err
	}
	if !ok {
		if err := s.e.unanswered(at, s.t, s.c); err != nil {
			return env{}, err
		}
		q := Question{Task: at, Doc: s.c.Doc, Inputs: s.in.params, Outputs: s.c.Outputs}
		limited, cancel := ctx, context.CancelFunc(func() {})
		if d := time.Duration(s.c.Exec.Suspend.Duration) * time.Second; d > 0 {
			q.Deadline = time.Now().Add(d)
			limited, cancel = context.WithDeadline(ctx, q.Deadline)
		}
		defer cancel()
		if s.e.o.Ask == nil {
			fmt.Fprintf(s.log, "nobody is asked; the outputs have their defaults at %s\n", q.Deadline.Format(time.RFC3339))
			<-limited.Done()
		} else if got, err = s.e.o.Ask(limited, q); err != nil && limited.Err() == nil {
			return env{}, err
		}
		if ctx.Err() != nil {
			return env{}, ctx.Err()
		}
		if got, err = withDefaults(got, at, s.c); err != nil {
			return env{}, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		fmt.Fprintf(s.log, "%s = %s\n", name, got[name])
	}
	return env{params: got}, nil
}
