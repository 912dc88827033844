// Package pyrun is the runtime of Python steps: a program of the standard
// library alone, sent along with the step's source, that gives a function its
// inputs and writes its outputs by the contract that Go steps follow too.
//
// A function written for KFP's Python SDK runs in it unmodified: it has a small
// kfp.dsl of its own, so that neither the image nor a pip install has to.
package pyrun

import (
	"cmp"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/kfpgo/kfpgo/internal/program"
)

// Runtime is the text of the runtime. It holds nothing that KFP, Argo or the
// kubelet would expand.
//
//go:embed runtime.py
var Runtime string

// Command starts the runtime with an image's Python.
func Command() []string { return []string{"python3", "-c", Runtime} }

// Args returns the arguments of the runtime for a component. Input is the
// executor input, or @ and the name of a file that holds it. With install, the
// packages that the component names are installed first; leave that out where
// they are there.
func Args(c *program.Component, input string, install bool) []string {
	py := c.Exec.Python
	outputs := []string{}
	for _, out := range c.Outputs {
		switch {
		case out.Type.Artifact:
		case out.Optional:
			outputs = append(outputs, out.Name+"?")
		default:
			outputs = append(outputs, out.Name)
		}
	}
	names, _ := json.Marshal(outputs)
	args := []string{"--name", cmp.Or(c.Title, c.Name), "--function", py.Function, "--outputs", string(names), "--input", input}
	if install && len(py.Packages) > 0 {
		args = append(args, pipArgs(py)...)
	}
	source := Module(py)
	if strings.Contains(source, "{{") || strings.Contains(source, "$(") || strings.Contains(source, "$$") {
		return append(args, "--source64", base64.StdEncoding.EncodeToString([]byte(source)))
	}
	return append(args, "--source", source)
}

// pipArgs returns what the runtime needs to know to install packages.
func pipArgs(py *program.Python) (args []string) {
	list := func(flag string, list []string) {
		if len(list) > 0 {
			text, _ := json.Marshal(list)
			args = append(args, flag, string(text))
		}
	}
	list("--packages", py.Packages)
	list("--index-urls", py.IndexURLs)
	list("--trusted-hosts", py.TrustedHosts)
	if py.Venv {
		args = append(args, "--venv", "true")
	}
	return args
}

// Pip returns pip's options and packages for a Python step.
func Pip(py *program.Python) (args []string) {
	for i, url := range py.IndexURLs {
		args = append(args, map[bool]string{true: "--index-url", false: "--extra-index-url"}[i == 0], url)
	}
	for _, host := range py.TrustedHosts {
		args = append(args, "--trusted-host", host)
	}
	return append(args, py.Packages...)
}
