package lower

import (
	"cmp"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// config sets what concerns the whole pipeline.
func (l *lowering) config(c *graph.Config) {
	if c == nil {
		return
	}
	l.p.Title, l.p.Root = cmp.Or(c.Title, l.p.Title), c.Root
	if c.RunConfig != (program.Config{}) {
		l.p.Config = copied(&c.RunConfig)
		l.p.Config.Workspace = copied(c.Workspace)
	}
}

// workspacePath is the name, as of KFP's placeholder, of where a workspace is.
const workspacePath = "workspace_path"

// needWorkspace refuses a use of the workspace where the pipeline has none.
func (l *lowering) needWorkspace(pos graph.Pos, who string) {
	if l.p.Config == nil || l.p.Config.Workspace == nil {
		l.errorf(pos, "%s uses the workspace of the run, and pipeline %s has none; give it one with dsl.Config", who, cmp.Or(l.p.Title, l.p.Name))
	}
}

// strings looks for the workspace in the strings of a container.
func (l *lowering) texts(gc *graph.Component) {
	if gc.Importer != nil && gc.Importer.Workspace {
		l.needWorkspace(gc.Pos, "an import")
	}
	if gc.Container == nil {
		return
	}
	for _, list := range [][]string{{gc.Container.Image}, gc.Container.Command, gc.Container.Args} {
		for _, t := range list {
			if strings.Contains(t, "{{$."+workspacePath+"}}") {
				l.needWorkspace(gc.Pos, "component "+gc.Name)
				return
			}
		}
	}
}
