package pyrun

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A dialect is how versions of KFP's SDK write a lightweight Python component.
type dialect struct {
	since    string // the first version that writes it
	launcher string // the script that starts the function
	together bool   // one pip install for the SDK and the packages
	sdkFirst bool   // the SDK is installed before the packages, not after
	pairs    bool   // each index URL has its trusted host beside it
}

// The dialects, the newest first.
var dialects = []dialect{
	{"2.14", launcher("\n", "_KFP_RUNTIME=true ", "kfp.dsl"), false, false, false},
	{"2.9", launcher("\n", "_KFP_RUNTIME=true ", "kfp.dsl"), false, true, false},
	{"2.1", launcher("\n", "_KFP_RUNTIME=true ", "kfp.dsl"), false, true, true},
	{"2.0.2", launcher("\n", "_KFP_RUNTIME=true ", "kfp.dsl"), true, true, true},
	{"2.0", launcher("", "", "kfp.components"), true, true, true},
	{"1.8", launcher("", "", "kfp.v2.components"), true, true, true},
}

func launcher(blank, env, module string) string {
	const gap = "                         " // where the SDK's own source breaks the line
	return "program_path=$(mktemp -d)\n" + blank + `printf "%s" "$0" > "$program_path/ephemeral_component.py"` + "\n" +
		env + "python3 -m " + module + ".executor_main" + gap + "--component_module_path" + gap + `"$program_path/ephemeral_component.py"` + gap + `"$@"` + "\n"
}

// dialectOf returns the dialect with a name; the empty one is the newest's.
func dialectOf(name string) dialect {
	if i := slices.IndexFunc(dialects, func(d dialect) bool { return d.since == name }); i >= 0 {
		return dialects[i]
	}
	return dialects[0]
}

// The parts of the script that installs packages.
const (
	scriptHead = "\nif ! [ -x \"$(command -v pip)\" ]; then\n    python3 -m ensurepip || python3 -m ensurepip --user || apt-get install python3-pip\nfi\n\n" +
		"PIP_DISABLE_PIP_VERSION_CHECK=1 "
	scriptTail   = ` && "$0" "$@"` + "\n"
	scriptVenv   = "\nexport PIP_DISABLE_PIP_VERSION_CHECK=1\ntmp=$(mktemp -d)\npython3 -m venv \"$tmp/venv\" --system-site-packages\n. \"$tmp/venv/bin/activate\"\n"
	pip          = "python3 -m pip install --quiet --no-warn-script-location "
	pipTogether  = "python3 -m pip install --quiet     --no-warn-script-location "
	typingExtras = `typing-extensions>=3.7.4,<5; python_version<"3.9"`
)

// SDKImports is what KFP's SDK puts in front of a function.
const SDKImports = "\nimport kfp\nfrom kfp import dsl\nfrom kfp.dsl import *\nfrom typing import *\n"

// SDK returns the command and the arguments by which KFP's SDK runs a Python
// step: the form that its SDK field says, or today's.
func SDK(p *program.Python) (command, args []string) {
	sdk := program.PythonSDK{}
	if p.SDK != nil {
		sdk = *p.SDK
	}
	d := dialectOf(sdk.Dialect)
	if script := d.install(p, &sdk); script != "" {
		command = append(command, "sh", "-c", script)
	}
	command = append(command, "sh", "-ec", d.launcher, Module(p))
	return command, []string{"--executor_input", contract.ExecutorInput, "--function_to_execute", p.Function}
}

// Module returns the text of the module that KFP's SDK makes of a Python step.
func Module(p *program.Python) string {
	switch h := helper(p); {
	case p.SDK != nil && p.SDK.Whole:
		return p.Source
	case h != "":
		return strings.TrimSuffix(SDKImports, "\n") + "\n\n" + h + "\n\n\n" + p.Source + "\n"
	case importsFirst(p.Source):
		return SDKImports + p.Source + "\n"
	}
	return SDKImports + "\n" + p.Source + "\n"
}

// importsFirst reports whether a source starts with imports, which join those of the SDK.
func importsFirst(source string) bool {
	return strings.HasPrefix(source, "import ") || strings.HasPrefix(source, "from ")
}

// install returns the script that installs packages, or "" if there are none.
func (d dialect) install(p *program.Python, sdk *program.PythonSDK) string {
	var kfp []string
	switch {
	case sdk.None:
	case sdk.Package != "" && sdk.NoDeps:
		kfp = []string{sdk.Package, "--no-deps"}
	case sdk.Package != "":
		kfp = []string{sdk.Package}
	case d.together:
		kfp = []string{"kfp==" + sdk.Version}
	default:
		kfp = []string{"kfp==" + sdk.Version, "--no-deps", typingExtras}
	}
	options := d.indexes(p)
	install := func(packages []string) string {
		var b strings.Builder
		for i, name := range packages {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(pythonRepr(name))
		}
		if d.together {
			return pipTogether + options + b.String()
		}
		return pip + options + b.String()
	}
	var parts []string
	switch {
	case len(p.Packages)+len(kfp) == 0:
		return ""
	case d.together:
		parts = append(parts, install(slices.Concat(p.Packages, kfp)))
	default:
		var user, own []string
		if len(p.Packages) > 0 {
			user = append(user, install(p.Packages))
		}
		if len(kfp) > 0 {
			if p.Venv {
				own = append(own, scriptVenv)
			}
			own = append(own, install(kfp))
		}
		if d.sdkFirst {
			user, own = own, user
		}
		parts = append(parts, user...)
		if len(user) > 0 && len(own) > 0 {
			parts = append(parts, " && ")
		}
		parts = append(parts, own...)
	}
	return scriptHead + strings.Join(parts, " ") + scriptTail
}

// indexes returns pip's options for the index URLs, each with a blank behind.
func (d dialect) indexes(p *program.Python) string {
	var b strings.Builder
	for i, url := range p.IndexURLs {
		if i == 0 {
			fmt.Fprintf(&b, "--index-url %s ", url)
		} else {
			fmt.Fprintf(&b, "--extra-index-url %s ", url)
		}
		if d.pairs && i < len(p.TrustedHosts) {
			fmt.Fprintf(&b, "--trusted-host %s ", p.TrustedHosts[i])
		}
	}
	for i, host := range p.TrustedHosts {
		if !d.pairs || i >= len(p.IndexURLs) {
			fmt.Fprintf(&b, "--trusted-host %s ", host)
		}
	}
	return b.String()
}
