package main

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func newCompletion() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write a script that completes kfpgo's command lines",
		Long:  "Completion writes a script for a shell, bash, zsh, fish or powershell, with which\nthe shell completes verbs, flags, the folders of pipelines and their parameters.",
		Example: `  source <(kfpgo completion bash)
  kfpgo completion zsh > "${fpath[1]}/_kfpgo"
  kfpgo completion fish > ~/.config/fish/completions/kfpgo.fish
  kfpgo completion powershell | Out-String | Invoke-Expression`,
		Args:      exactly(1, "SHELL: bash, zsh, fish or powershell"),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root, w := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(w, true)
			case "zsh":
				return root.GenZshCompletion(w)
			case "fish":
				return root.GenFishCompletion(w, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(w)
			}
			return usagef(cmd, "there is no completion for %q; the shells are %s", args[0], strings.Join(shells, ", "))
		},
	}
}

// completePipeline completes PIPELINE with folders, those that hold Go files or
// that lead further, and with compiled pipelines.
func completePipeline(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return completePipelines(cmd, args, typed)
}

// completePipelines completes each of several.
func completePipelines(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	dir, _ := filepath.Split(typed)
	at, given := dir, dir
	if at == "" {
		at, dir = ".", "./"
	}
	entries, _ := os.ReadDir(at)
	var found []string
	for _, e := range entries {
		if name := dir + e.Name(); e.IsDir() && !strings.HasPrefix(e.Name(), ".") && strings.HasPrefix(name, prefixed(typed)) {
			found = append(found, name+"/")
		} else if isCompiled(e) && strings.HasPrefix(given+e.Name(), typed) {
			found = append(found, given+e.Name())
		}
	}
	if files, _ := filepath.Glob(filepath.Join(at, "*.go")); len(files) > 0 && typed != "" {
		found = append(found, dir)
	}
	return found, directive
}

// isCompiled reports whether a file may be a compiled pipeline.
func isCompiled(e os.DirEntry) bool {
	switch filepath.Ext(e.Name()) {
	case ".yaml", ".yml", ".json":
		return !e.IsDir() && !strings.HasPrefix(e.Name(), ".")
	}
	return false
}

// prefixed returns what was typed, as a folder of the working directory.
func prefixed(typed string) string {
	if dir, _ := filepath.Split(typed); dir == "" {
		return "./" + typed
	}
	return typed
}

// completeParam completes -p with the names of the pipeline's parameters. Once
// its program is built, that takes some milliseconds.
func completeParam(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	if len(args) == 0 {
		return nil, directive
	}
	p, _, err := load(cmd.Context(), args[0])
	if err != nil {
		return nil, directive
	}
	var found []string
	for _, in := range p.Component(p.Main).Inputs {
		if in.Type.Artifact {
			found = append(found, in.Name+"=\t"+in.Type.Name)
			continue
		}
		found = append(found, in.Name+"=\t"+cmp.Or(in.Type.Go, in.Type.Name))
	}
	return found, directive
}
