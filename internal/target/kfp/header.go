package kfp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// header returns the comment at the top of the file. Its text stays on its lines: some
// readers end a line at more than \n.
func header(s *kfpspec.PipelineSpec) string {
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString("# " + strings.TrimRight(printable.Line(fmt.Sprintf(format, args...)), " ") + "\n")
	}
	line("PIPELINE DEFINITION")
	line("Name: %s", s.PipelineInfo.Name)
	prefix := "Description: "
	for l := range strings.Lines(s.PipelineInfo.Description) {
		line("%s%s", prefix, strings.TrimRight(l, "\r\n"))
		prefix = strings.Repeat(" ", len(prefix))
	}
	if in := s.Root.InputDefinitions; in != nil {
		line("Inputs:")
		ports(line, in.Parameters, in.Artifacts)
	}
	if out := s.Root.OutputDefinitions; out != nil {
		line("Outputs:")
		ports(line, out.Parameters, out.Artifacts)
	}
	return b.String()
}

func ports(line func(string, ...any), ps map[string]*kfpspec.ParameterSpec, as map[string]*kfpspec.ArtifactSpec) {
	all := map[string]string{}
	for name, p := range ps {
		all[name] = types[p.ParameterType]
		if p.DefaultValue != nil {
			all[name] += fmt.Sprintf(" [Default: %s]", p.DefaultValue)
		} else if p.IsOptional {
			all[name] += " [Optional]"
		}
	}
	for name, a := range as {
		all[name] = a.ArtifactType.SchemaTitle
		if a.IsArtifactList {
			all[name] = "List[" + all[name] + "]"
		}
		if a.IsOptional {
			all[name] += " [Optional]"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		line("   %s: %s", name, all[name])
	}
}

// types are the names that KFP's headers have for the types.
var types = map[string]string{
	kfptype.String: "str", kfptype.Integer: "int", kfptype.Double: "float", kfptype.Boolean: "bool", kfptype.List: "list", kfptype.Struct: "dict",
	kfptype.FinalStatus: "PipelineTaskFinalStatus",
}
