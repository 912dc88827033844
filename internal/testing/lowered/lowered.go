// Package lowered has the programs of definitions, for tests of what reads programs.
package lowered

import (
	"errors"
	"fmt"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

// Program lowers a definition that has no mistakes.
func Program(t testing.TB, d dsl.Definition) *program.Program {
	t.Helper()
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	g := recorded.Graph(d)
	p, err := lower.Lower(g, g.Component(1))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Plans returns a function that plans steps of definitions in this process, where the
// command starts their program.
func Plans(t testing.TB, defs ...dsl.Definition) func([]contract.Step) ([]contract.Planned, error) {
	run := recorded.InProcess(defs...)
	return func(steps []contract.Step) (all []contract.Planned, err error) {
		for _, s := range steps {
			p := &record.Plan{}
			if _, err := run(record.WithPlan(t.Context(), p), s.Component, s.Input); !errors.Is(err, record.ErrPlanned) {
				all = append(all, contract.Planned{Error: fmt.Sprint(err)})
				continue
			}
			all = append(all, contract.Planned{Operations: p.Operations})
		}
		return all, nil
	}
}
