package emit

import (
	"fmt"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// noCredentials refuses packages and indexes with a password in their addresses: the output
// is kept by servers and shown to everybody who may see a run.
func noCredentials(p *program.Program) error {
	for _, c := range p.Components {
		if c.Exec == nil || c.Exec.Python == nil {
			continue
		}
		py := c.Exec.Python
		for _, text := range slices.Concat(py.Packages, py.LocalPackages, py.IndexURLs) {
			if graph.HoldsCredentials(text) {
				return fmt.Errorf("component %s: package or index %q: %s", c.Name, graph.WithoutCredentials(text), graph.CredentialsAdvice)
			}
		}
	}
	return nil
}
