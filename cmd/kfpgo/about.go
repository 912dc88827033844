package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Show the version of kfpgo",
		Long:    "Version shows the version of kfpgo, the commit that it was built from where that is\nknown, and the Go version and system that it was built for.",
		Example: "  kfpgo version",
		Args:    cli.Exactly(0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), cli.Version())
			return err
		},
	}
}

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
		Args:      cli.Exactly(1, "SHELL: bash, zsh, fish or powershell"),
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
			return cli.Usagef(cmd, "there is no completion for %q; the shells are %s", args[0], strings.Join(shells, ", "))
		},
	}
}
