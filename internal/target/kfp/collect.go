package kfp

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// collect makes a container whose image writes outputs at paths of its own put
// them where KFP looks for them: a shell runs the command and copies the files.
// Where the command is a shell itself and the IR goes to a server, it also takes the
// end of the line from a parameter, as Argo and this machine do: echo writes one.
func (w *writer) collect(at place, c *program.Component, k *kfpspec.Container) {
	var script strings.Builder
	shell, functions := "sh", map[string]bool{}
	trims := w.exact() && len(k.Command) > 0 && slices.Contains(shells, path.Base(k.Command[0]))
	if trims {
		shell = k.Command[0]
	}
	for i := range c.Outputs {
		o := &c.Outputs[i]
		if o.Path == "" && (o.Type.Artifact || !trims) {
			continue
		}
		to := placeholder.Part{Kind: placeholder.OutputArtifact, Name: o.Name, Field: "path"}
		if !o.Type.Artifact {
			to = placeholder.Part{Kind: placeholder.OutputParam, Name: o.Name, Field: "output_file"}
		}
		if o.Path != "" {
			functions[take] = true
			fmt.Fprintf(&script, "take %s %s \"%s\"\n", quote(o.Name), quote(o.Path), to)
		}
		if trims && !o.Type.Artifact {
			functions[trim] = true
			fmt.Fprintf(&script, "trim \"%s\"\n", to)
		}
	}
	if script.Len() == 0 {
		return
	}
	if len(k.Command) == 0 {
		at.errorf("component %s: on KFP an output at a path of the image's own (dsl.OutputAt) needs the command written out, not the image's entrypoint; set Command", c.Name)
		return
	}
	head := "\"$@\" || exit\n"
	for _, f := range []string{take, trim} {
		if functions[f] {
			head += f
		}
	}
	// What follows the script is the command: its first word must not become $0.
	k.Command = append([]string{shell, "-c", head + script.String(), shell}, k.Command...)
}

var shells = []string{"sh", "bash", "dash", "ash"}

// The functions of the script.
const (
	take = `take() {
  [ -e "$2" ] || { echo "output $1: the image wrote nothing at $2" >&2; exit 1; }
  mkdir -p "$(dirname "$3")" && cp -R "$2" "$3" || exit
}
`
	trim = `end='
'
trim() {
  [ -f "$1" ] || return 0
  text=$(cat "$1" && echo .) || exit
  case ${text%.} in
  *"$end") printf %s "${text%"$end".}" >"$1" ;;
  esac
}
`
)

// quote quotes a string for a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
