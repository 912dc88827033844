package rules

import (
	"regexp"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/review/vet"
)

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// Vet returns the findings in a pipeline of an example, with the quota that the page
// of the rule has, if it has one.
func Vet(rule *vet.Rule, defs []dsl.Definition) ([]vet.Finding, error) {
	g := recorded.Graph(defs...)
	if len(g.Errors) > 0 {
		return nil, g.Errors
	}
	p, err := lower.Lower(g, g.Component(1))
	if err != nil {
		return nil, err
	}
	var o vet.Options
	if m := yamlBlock.FindStringSubmatch(rule.Page()); m != nil {
		if o.Quotas, err = vet.ParseQuotas(rule.Name+".md", []byte(m[1])); err != nil {
			return nil, err
		}
	}
	return vet.Silence(p, vet.Program(p, o)), nil
}
