// Package rules has an example of what each rule of vet finds, and the same fixed.
// The pages of the rules show them, and a test vets them.
package rules

import "github.com/kfpgo/kfpgo/dsl"

// An Example is what a rule finds something in, and what it doesn't. Their schedules
// go with them.
type Example struct{ Found, Fixed []dsl.Definition }

// Examples are those of the rules, by name.
var Examples = map[string]Example{}

func add(rule string, found, fixed dsl.Definition, more ...dsl.Definition) {
	e := Example{Found: []dsl.Definition{found}, Fixed: []dsl.Definition{fixed}}
	if len(more) == 2 {
		e.Found, e.Fixed = append(e.Found, more[0]), append(e.Fixed, more[1])
	}
	Examples[rule] = e
}

// RunIn is what a job of the examples works on.
type RunIn struct{ Day dsl.Param[string] }

// Job is a step whose image and command don't matter.
var Job = dsl.Container("job", func(in RunIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "ghcr.io/acme/job:3", Command: []string{"job"}, Args: dsl.Args(in.Day)}
})
