package program

// Clone returns a copy of a program whose components, DAGs and tasks may be
// changed. What they hold is shared.
func (p *Program) Clone() *Program {
	c := *p
	c.index, c.calls = nil, nil
	c.Components = make([]*Component, len(p.Components))
	for i, old := range p.Components {
		component := *old
		c.Components[i] = &component
		if old.DAG == nil {
			continue
		}
		dag := *old.DAG
		dag.Tasks = make([]*Task, len(old.DAG.Tasks))
		for j, t := range old.DAG.Tasks {
			task := *t
			dag.Tasks[j] = &task
		}
		component.DAG = &dag
	}
	return &c
}
