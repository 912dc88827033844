package kfp

import (
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/kfpspec"
	"github.com/kfpgo/kfpgo/internal/placeholder"
	"github.com/kfpgo/kfpgo/internal/program"
)

// collect makes a container whose image writes outputs at paths of its own put
// them where KFP looks for them: a shell runs the command and copies the files.
func (w *writer) collect(at place, c *program.Component, k *kfpspec.Container) {
	var script strings.Builder
	for i := range c.Outputs {
		o := &c.Outputs[i]
		if o.Path == "" {
			continue
		}
		to := placeholder.Part{Kind: placeholder.OutputArtifact, Name: o.Name, Field: "path"}
		if !o.Type.Artifact {
			to = placeholder.Part{Kind: placeholder.OutputParam, Name: o.Name, Field: "output_file"}
		}
		from := quote(o.Path)
		fmt.Fprintf(&script, "take %s %s \"%s\"\n", quote(o.Name), from, to)
	}
	if script.Len() == 0 {
		return
	}
	if len(k.Command) == 0 {
		at.errorf("component %s: on KFP an output at a path of the image's own (dsl.OutputAt) needs the command written out, not the image's entrypoint; set Command", c.Name)
		return
	}
	head := `"$@" || exit
take() {
  [ -e "$2" ] || { echo "output $1: the image wrote nothing at $2" >&2; exit 1; }
  mkdir -p "$(dirname "$3")" && cp -R "$2" "$3" || exit
}
`
	// What follows the script is the command: its first word must not become $0.
	k.Command = append([]string{"sh", "-c", head + script.String(), "sh"}, k.Command...)
}

// quote quotes a text for a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
