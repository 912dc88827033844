package program

import "reflect"

// Leaf returns the component of a program that does no more than to run it, with
// the program's own inputs and outputs, as KFP's SDK writes a component. Nil:
// the program does more. Its name is that of the task.
func (p *Program) Leaf() *Component {
	root := p.Component(p.Main)
	if root == nil || root.DAG == nil || len(root.DAG.Tasks) != 1 {
		return nil
	}
	t := root.DAG.Tasks[0]
	c := p.Component(t.Component)
	if c == nil || c.Exec == nil || c.Exec.Importer != nil || c.Exec.Resource != nil || c.Exec.Suspend != nil || t.When != nil || t.WhenText != "" || t.Each != nil || !reflect.ValueOf(t.Settings).IsZero() {
		return nil
	}
	if len(c.Inputs) != len(root.Inputs) || len(c.Outputs) < len(root.Outputs) {
		return nil
	}
	for _, in := range c.Inputs {
		v := t.Args[in.Name]
		if root.Input(in.Name) == nil || v.Kind != Input || v.Name != in.Name {
			return nil
		}
	}
	return c
}
