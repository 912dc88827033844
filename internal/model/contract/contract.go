// Package contract is what writes a pipeline, what runs it and a step of ours agree on:
// how a program is started as a step, what it is given and returns, and the names that
// are reserved for that.
//
// The executor input and output are KFP's: v2/component in its launcher, and
// ExecutorInput and ExecutorOutput in pipeline_spec.proto.
package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// How a program is started. The first argument of ours starts with Own, so that a program
// can have arguments of its own.
const (
	Own     = "kfpgo:"
	Exec    = Own + "exec"    // COMPONENT, EXECUTOR_INPUT or @FILE
	Graph   = Own + "graph"   // the names of the variables that were given to dsl.Main
	Objects = Own + "objects" // a list of Step at standard input; prints what they would do, as Plans
	Program = "/app"          // the program in its image
)

// ExecutorInput stands for the executor input in a container's arguments.
const ExecutorInput = "{{$}}"

// ProgramImage stands for the image of the program in strings and constants.
const ProgramImage = "{{kfpgo.program-image}}"

// The variables that a step reads.
const (
	ImageVar     = "KFPGO_IMAGE"     // the image of the program, which builds and compiles read too
	ComponentVar = "KFPGO_COMPONENT" // which component it is, since KFP's servers take equal containers for one
)

// The names of inputs that no author writes.
const (
	Channel = "pipelinechannel--" // starts what a task reads in a group, or in a string, as in KFP's SDK

	// EnvInput starts the name of an input that a Go or Python step gets for a
	// variable, on an engine that has no references in variables. The step's runtime
	// (package dsl, package pyrun) sets the variable from it.
	EnvInput = "kfpgo-env--"

	// EnvDigest is the name of an input that a Go or Python step gets on KFP for its
	// variables that are constants. Nothing reads it: it is there because the variables
	// aren't part of the key by which KFP's servers up to 2.17 look up a cached result.
	EnvDigest = "kfpgo-env"
)

// Intact starts the expression that selects the value of a parameter where it reaches a step
// of KFP unchanged, and fails where it doesn't. It isn't part of the pipeline.
const Intact = `{"": `

// HandOn is the name of a step that is in each program with Go steps: it returns its input
// Handed as its output of the same name. A back end puts it where a target can't take a
// value from where it is. No component of an author has a name that starts with Own.
const (
	HandOn = Own + "hand-on"
	Handed = "value"
	Beside = "beside" // an artifact that it has where its output is the folder of the run's artifacts
)

// Command returns the command of a container that runs a component of the program, with arguments.
func Command(component string, args ...string) []string {
	return append([]string{Program, Exec, component}, args...)
}

// An Input is the executor input of a step, whose artifacts are read as A. KFP's launcher makes
// it; off KFP it has one member more.
type Input[A any] struct {
	Inputs struct {
		ParameterValues map[string]json.RawMessage `json:"parameterValues"`
		Artifacts       map[string]List[A]         `json:"artifacts,omitempty"`
	} `json:"inputs"`
	Outputs struct {
		Parameters map[string]OutputParameter `json:"parameters,omitempty"`
		Artifacts  map[string]List[A]         `json:"artifacts,omitempty"`
		OutputFile string                     `json:"outputFile"`
	} `json:"outputs"`
	Kfpgo struct {
		V       int    `json:"v"`
		Outputs string `json:"outputs"` // Argo or Local; empty on KFP
	} `json:"kfpgo"`
}

// The values of Kfpgo.Outputs, and the highest version of that member.
const (
	Argo    = "argo"
	Local   = "local"
	Version = 1
)

// An OutputParameter says where a step writes a parameter.
type OutputParameter struct {
	OutputFile string `json:"outputFile"`
}

// An Output is the executor output of a step.
type Output[A any] struct {
	Artifacts       map[string]List[A]         `json:"artifacts"`
	ParameterValues map[string]json.RawMessage `json:"parameterValues"`
}

// A List is the artifacts of an input or output: one, or those of a list.
type List[A any] struct {
	Artifacts []A `json:"artifacts"`
}

// Carrier returns a value in the form in which a Workflow carries it: compact
// JSON in which neither Argo's templates nor the kubelet find anything to
// replace, and no character that Argo's plain tags, of which {{item}} is one, would
// quote as Go does, which isn't JSON: \x7f or \U000e0001. A value that was not set is null.
func Carrier(value json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return []byte("null")
	}
	text := strings.NewReplacer("{{", `{\u007b`, "$", `\u0024`, "\x7f", `\u007f`).Replace(b.String())
	odd := func(r rune) bool { return r > 0xffff && !strconv.IsPrint(r) }
	if !strings.ContainsFunc(text, odd) {
		return []byte(text)
	}
	var out []byte
	for _, r := range text {
		if !odd(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		high, low := utf16.EncodeRune(r)
		out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
	}
	return out
}
