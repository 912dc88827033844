package lower

import (
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// condition sets when the group of an arm runs: its own condition holds and none
// of the earlier arms' does.
func (p *pipelineLowering) condition(g *group) {
	arm := g.scope
	var parts []*expr.Expr
	if branches := p.g.Scope(arm.Parent); len(branches.Nodes) > 1 {
		for _, n := range branches.Nodes {
			if n.Scope == arm.ID {
				break
			}
			parts = append(parts, expr.Not(p.expr(g, p.g.Scope(n.Scope).Cond)))
		}
	}
	if arm.Cond != nil {
		parts = append(parts, p.expr(g, arm.Cond))
	}
	g.task.When = expr.And(parts...)
}

// expr returns a condition in terms of the inputs of group g.
func (p *pipelineLowering) expr(g *group, c *graph.Cond) *expr.Expr {
	e := &expr.Expr{Op: c.Op}
	for _, id := range c.Values {
		e.Args = append(e.Args, p.operand(g, id))
	}
	for _, sub := range c.Conds {
		e.Args = append(e.Args, p.expr(g, sub))
	}
	return e
}

func (p *pipelineLowering) operand(g *group, id graph.ValueID) *expr.Expr {
	v := p.g.Value(id)
	if v.Kind == graph.Const {
		return &expr.Expr{Op: "const", Type: v.Type, Const: v.Const}
	}
	src := p.source(id, g.scope.Pos)
	d := p.details[src]
	if d == nil { // a mistake that was reported
		return &expr.Expr{Op: "const", Type: kfptype.Boolean, Const: []byte("false")}
	}
	if !slices.Contains(g.chans, src) {
		g.chans = append(g.chans, src)
	}
	return &expr.Expr{Op: "name", Name: p.thread(src, g), Type: d.typ.Name, Optional: d.optional, Artifact: d.typ.Artifact}
}

// operands threads what the conditions around a group read into the group, even
// where it isn't used, as KFP's Python does for each task in one.
func (p *pipelineLowering) operands(g *group) {
	if !g.known {
		for _, src := range p.conditions(g) {
			p.thread(itemOf(src), g)
		}
		g.known = true
	}
}

// conditions returns what the conditions around the tasks of a group read, those
// of the innermost first. Groups that add nothing share the list of their parent,
// so that deep nesting takes time for what it reads and not for its depth.
func (p *pipelineLowering) conditions(g *group) []source {
	switch {
	case g == nil || g.known || g.around != nil:
	case g.kind != program.Condition || len(g.chans) == 0:
		g.around = p.conditions(g.parent)
	default:
		outer := p.conditions(g.parent)
		if len(g.chans) == 1 && len(outer) > 0 && outer[0] == g.chans[0] {
			g.around = outer
			break
		}
		g.around = slices.Clone(g.chans)
		for _, src := range outer {
			if !slices.Contains(g.chans, src) {
				g.around = append(g.around, src)
			}
		}
	}
	if g == nil {
		return nil
	}
	return g.around
}
