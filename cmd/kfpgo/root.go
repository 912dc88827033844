package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/compile"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/doctor"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/gocode"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/inspect"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/run"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/schedule"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/server"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/ui"
)

// newRoot returns the command with all of its subcommands.
func newRoot() *cobra.Command {
	var dir string
	var version, quiet bool
	cmd := cli.Noun("kfpgo", "Compile and run pipelines that are written in Go",
		`kfpgo compiles pipelines written in Go for Kubeflow Pipelines and Argo Workflows, and
runs them on this machine.

PIPELINE is the folder of a Go package, or its import path. The pipeline is the
exported variable Pipeline, or else the only pipeline that no other pipeline calls;
#Name selects another variable: ./mnist#Nightly. PIPELINE can also be a file that kfpgo
or KFP's Python SDK compiled, or - for the standard input.`,
		doctor.Command(), schedule.Command(), ui.Command(), newVersion(), newCompletion())
	for _, group := range [][]*cobra.Command{compile.Commands(), inspect.Commands(), gocode.Commands(), run.Commands(), server.Commands()} {
		cmd.AddCommand(group...)
	}
	cmd.Example = `  kfpgo compile ./examples/calc -o calc.yaml
  kfpgo run ./examples/calc -p a=12`
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	list := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if version {
			return showVersion(cmd, args)
		}
		return list(cmd, args)
	}
	cmd.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if quiet && cmd.HasParent() { // errors are written by the root, as are questions
			cmd.SetErr(io.Discard)
			cli.Notes = io.Discard
		}
		if err := cmp.Or(flags.NoServer(cmd), flags.CheckImage(cmd)); err != nil || dir == "" {
			return err
		}
		if err := os.Chdir(dir); err != nil {
			return fmt.Errorf("-C: %w", err)
		}
		return nil
	}
	cmd.SetOut(cli.Stdout)
	cmd.SetErr(cli.Stderr)
	cmd.PersistentFlags().StringVarP(&dir, "dir", "C", "", "work in `DIR`, as if kfpgo was started there")
	cmd.PersistentFlags().BoolVarP(&quiet, "quiet", "q", false, "print only results and errors, without progress, notes and warnings")
	cmd.Flags().BoolVar(&version, "version", false, "show the version of kfpgo")
	flags.Anywhere(cmd)
	cmd.SetFlagErrorFunc(cli.FlagError)
	cobra.AddTemplateFunc("groups", flags.Groups)
	cmd.SetUsageTemplate(usageTemplate)
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.SetHelpCommand(newHelp())
	return cmd
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Show the version of kfpgo",
		Long:    "Version shows the version of kfpgo, the commit that it was built from where that is\nknown, and the Go version and system that it was built for.",
		Example: "  kfpgo version",
		Args:    cli.Exactly(0, ""),
		RunE:    showVersion,
	}
}

func showVersion(cmd *cobra.Command, _ []string) error {
	_, err := fmt.Fprintln(cmd.OutOrStdout(), cli.Version())
	return err
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		Long:  "Help prints the help of kfpgo, or of the named command, as --help does.",
		Example: `  kfpgo help run
  kfpgo help runs list`,
		RunE: func(cmd *cobra.Command, args []string) error {
			of, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if of.HasSubCommands() && len(rest) > 0 {
				return of.Args(of, rest)
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if of, _, err := cmd.Root().Find(args); err == nil {
				for _, sub := range of.Commands() {
					if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), begun) {
						names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func newCompletion() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the shell completion script",
		Long: `Completion prints the completion script for a shell: bash, zsh, fish or powershell. The
shell then completes commands, flags, the folders of pipelines and their parameters, and
the names of runs, tasks, schedules, pipelines and experiments, on a server if it answers
within three seconds.`,
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

// usageTemplate is cobra's, in this command's words and without the lines that
// only repeat what is above them.
const usageTemplate = `Usage:{{if .HasAvailableSubCommands}}{{if index .Annotations "` + cli.Alone + `"}}
  {{.UseLine}}{{end}}
  {{.CommandPath}} COMMAND [flags]{{else}}
  {{.UseLine}}{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}{{end}}{{range groups .LocalFlags "Flags"}}

{{.Title}}:
{{.Usages | trimTrailingWhitespaces}}{{end}}{{range groups .InheritedFlags "Global flags"}}

{{.Title}}:
{{.Usages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableSubCommands}}

Use '{{.CommandPath}} COMMAND --help' for more information about a command.{{end}}
`
