// Package pyrun is the runtime of Python steps: a program of the standard
// library alone, sent along with the step's source, that gives a function its
// inputs and writes its outputs by the contract that Go steps follow too.
//
// A function written for KFP's Python SDK runs in it unmodified: it has a small
// kfp.dsl of its own, so that neither the image nor a pip install has to.
package pyrun

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// Runtime is the text of the runtime, as a container gets it: small, since each
// step of a pipeline has it. It holds nothing that KFP, Argo or the kubelet would expand.
var Runtime = packed("This is kfpgo's runtime of Python steps; its source is github.com/kfpgo/kfpgo/internal/target/pyrun/py", runtimePacked)

var (
	//go:embed runtime.packed
	runtimePacked string
	//go:embed notebook.packed
	notebookPacked string

	notebookRunner = packed("What runs notebooks in kfpgo's runtime", notebookPacked)
)

// packed returns Python that runs packed Python. The packed files are kept, so
// that they don't depend on who compresses; a test makes them.
func packed(what, text string) string {
	return "# " + what + ".\nimport base64, zlib\nexec(zlib.decompress(base64.b64decode('''\n" + text + "''')))\n"
}

// Command starts the runtime with an image's Python.
func Command() []string { return []string{"python3", "-c", Runtime} }

// Args returns the arguments of the runtime for a component. Input is the
// executor input, or @ and the name of a file that holds it. With install, the
// packages that the component names are installed first; leave that out where
// they are there.
func Args(c *program.Component, input string, install bool) []string {
	py := c.Exec.Python
	args := []string{"--name", c.Titled(), "--function", py.Function, "--outputs", outputTypes(c), "--input", input}
	var optional []string // artifacts; outputTypes marks parameters
	for _, out := range c.Outputs {
		if out.Type.Artifact && out.Optional {
			optional = append(optional, out.Name)
		}
	}
	if optional != nil {
		text, _ := json.Marshal(optional)
		args = append(args, "--optional", string(text))
	}
	if install && len(py.Packages) > 0 {
		args = append(args, pipArgs(py)...)
	}
	if len(py.Files) > 0 {
		args = append(args, "--files", archive(py.Files))
	}
	if py.Notebook != "" {
		args = append(args, "--notebook", py.Notebook, "--notebook-runner", notebookRunner)
	}
	source := py.Source
	if strings.Contains(source, "{{") || strings.Contains(source, "$(") || strings.Contains(source, "$$") {
		return append(args, "--source64", base64.StdEncoding.EncodeToString([]byte(source)))
	}
	return append(args, "--source", source)
}

// outputTypes returns the output parameters with their types, as JSON: ? marks
// those that needn't be set.
func outputTypes(c *program.Component) string {
	var b strings.Builder
	for _, out := range c.Outputs {
		if out.Type.Artifact {
			continue
		}
		kind := out.Type.Name
		if out.Optional {
			kind += "?"
		}
		name, _ := json.Marshal(out.Name)
		text, _ := json.Marshal(kind)
		fmt.Fprintf(&b, ",%s:%s", name, text)
	}
	return "{" + strings.TrimPrefix(b.String(), ",") + "}"
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

// PipOptions returns pip's options for the packages of a Python step.
func PipOptions(py *program.Python) (args []string) {
	for i, url := range py.IndexURLs {
		args = append(args, map[bool]string{true: "--index-url", false: "--extra-index-url"}[i == 0], url)
	}
	for _, host := range py.TrustedHosts {
		args = append(args, "--trusted-host", host)
	}
	return args
}

// NeedFile reports whether requirements have options of their own, such as
// --hash, which pip takes in a file only.
func NeedFile(packages []string) bool {
	return slices.ContainsFunc(packages, func(p string) bool { return strings.Contains(p, " --") })
}
