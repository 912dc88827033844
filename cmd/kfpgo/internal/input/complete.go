package input

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Complete completes PIPELINE with folders, those that hold Go files or
// that lead further, and with compiled pipelines.
func Complete(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return CompleteAll(cmd, args, typed)
}

// CompleteAll completes each of several.
func CompleteAll(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	dir, _ := filepath.Split(typed)
	at, given, begun := dir, dir, typed
	if at == "" { // the working directory
		at, dir, begun = ".", "./", "./"+typed
	}
	entries, _ := os.ReadDir(at)
	var found []string
	for _, e := range entries {
		name := e.Name()
		compiled := slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name))
		switch {
		case strings.HasPrefix(name, "."):
		case e.IsDir() && strings.HasPrefix(dir+name, begun):
			found = append(found, dir+name+"/")
		case !e.IsDir() && compiled && strings.HasPrefix(given+name, typed):
			found = append(found, given+name)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(at, "*.go")); len(files) > 0 && typed != "" {
		found = append(found, dir)
	}
	return found, directive
}

// CompleteParam completes -p with the names of the pipeline's parameters. Once
// its program is built, that takes some milliseconds.
func CompleteParam(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	if len(args) == 0 {
		return nil, directive
	}
	p, err := Load(cmd.Context(), args[0])
	if err != nil {
		return nil, directive
	}
	var found []string
	for _, in := range p.Inputs() {
		kind := cmp.Or(in.Type.Go, in.Type.Name)
		if in.Type.Artifact {
			kind = in.Type.Name
		}
		found = append(found, in.Name+"=\t"+kind)
	}
	return found, directive
}

// CompleteFile completes the files of compiled pipelines and components.
func CompleteFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
}
