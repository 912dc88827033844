package program

import (
	"encoding/json"
	"fmt"

	"github.com/kfpgo/kfpgo/internal/model/nulls"
)

// Read reads the JSON of a program. What it returns can be walked: the main component
// and each that a task calls are there, none calls itself, and nothing is nil in a list.
func Read(b []byte) (*Program, error) {
	p := &Program{}
	if err := json.Unmarshal(b, p); err != nil {
		return nil, err
	}
	if err := nulls.Check(p); err != nil {
		return nil, err
	}
	if c := p.Component(p.Main); c == nil || c.DAG == nil {
		return nil, fmt.Errorf("the main component %q is not there, or has no tasks", p.Main)
	}
	return p, p.acyclic()
}

// acyclic reports a call of a component that is not there or that calls itself.
func (p *Program) acyclic() error {
	const open, done = 1, 2
	state := map[*Component]int{}
	var visit func(c *Component) error
	visit = func(c *Component) error {
		if c.DAG == nil || state[c] == done {
			return nil
		}
		state[c] = open
		for _, t := range c.DAG.Tasks {
			called := p.Component(t.Component)
			if called == nil {
				return fmt.Errorf("task %s of component %s calls the component %q, which is not there", t.Name, c.Name, t.Component)
			}
			if state[called] == open {
				return fmt.Errorf("task %s of component %s calls %s, which calls itself that way", t.Name, c.Name, called.Name)
			}
			if err := visit(called); err != nil {
				return err
			}
		}
		state[c] = done
		return nil
	}
	for _, c := range p.Components {
		if err := visit(c); err != nil {
			return err
		}
	}
	return nil
}
