package stepfunc

import (
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// naming names the Go variable of a step: Score for score, and ScoreStep where the
// function is Score itself.
func (p *Package) naming(s *step) {
	fn := s.fn.Name.Name
	s.variable = gosrc.Exported(fn, "Step")
	if s.fn.Name.IsExported() {
		s.variable += "Step"
	}
}

// declares returns the names that the written file declares for a step.
func (s *step) declares() []string {
	return Declares(s.variable, len(s.inputs), len(s.outputs))
}

// names reports names that the package has already, and steps that have the same.
func (p *Package) names() {
	steps, made := map[string]*step{}, map[string]*step{}
	for _, s := range p.steps {
		fn, pos := s.fn.Name.Name, s.fn.Pos()
		if old := steps[s.name]; old != nil {
			p.errorf(pos, "the steps of %s and %s are both called %q; name one with //kfpgo:step NAME", old.fn.Name.Name, fn, s.name)
		}
		steps[s.name] = s
		for _, name := range s.declares() {
			at, declared := p.declared[name]
			old := made[name]
			made[name] = s
			if declared {
				p.errorf(pos, "the step of %s needs the name %s, which is declared at %v; rename one of them", fn, name, p.at(at))
			} else if old != nil {
				p.errorf(pos, "the steps of %s and %s both need the name %s; rename one of the functions", old.fn.Name.Name, fn, name)
				break
			}
		}
	}
}
