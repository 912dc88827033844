package cli

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pythonFlags are the flags of KFP's own command line that are called otherwise here,
// by kfpgo's command that does the same. Those of "" are flags of all commands.
var pythonFlags = map[string]map[string]string{
	"": {
		"output": "-o table, json, yaml, name or wide, of the commands that show something", "iap-client-id": "--iap-client", "n": "--namespace",
		"existing-token":  "KFPGO_TOKEN in the environment, or --token-file FILE, so that no list of processes shows it",
		"other-client-id": "--token-command, with a command that prints your token", "other-client-secret": "--token-command, with a command that prints your token",
		"show-completion": "kfpgo completion SHELL", "install-completion": "kfpgo completion SHELL", "m": "--max-size",
	},
	"runs list": {"experiment-id": "--experiment", "e": "--experiment"},
	"runs create": {
		"experiment-name": "--experiment", "e": "--experiment", "r": "--run-name", "package-file": "an argument: kfpgo runs create FILE", "f": "an argument: kfpgo runs create FILE",
		"pipeline-id": "--pipeline", "pipeline-name": "--pipeline", "n": "--pipeline", "watch": "--wait", "v": "--version", "timeout": "--wait-timeout, with a unit, such as 300s", "t": "--wait-timeout, with a unit, such as 300s",
	},
	"runs get": {"watch": "kfpgo runs wait RUN", "w": "kfpgo runs wait RUN", "detail": "-o json", "d": "-o json"},
	"recurring-runs create": {
		"catchup": "what it does without --no-catchup", "cron-expression": "--cron", "enable-caching": "what the pipeline says of itself", "disable-caching": "what the pipeline says: kfpgo compile --no-cache, or dsl.NoCache",
		"enabled": "what it does without --disabled", "end-time": "--end", "start-time": "--start", "experiment-id": "--experiment", "experiment-name": "--experiment", "job-name": "an argument: kfpgo recurring-runs create NAME",
		"interval-second": "--interval, with a unit, such as 90s", "pipeline-id": "--pipeline", "pipeline-package-path": "an argument: kfpgo recurring-runs create NAME FILE", "version-id": "--version",
	},
	"recurring-runs list":   {"experiment-id": "--experiment", "e": "--experiment"},
	"pipelines upload":      {"pipeline-name": "--name", "n": "--name", "p": "--name", "pipeline-id": "--name", "d": "--description", "pipeline-version": "--version", "v": "--version"},
	"experiments create":    {"d": "--description"},
	"experiments archive":   {"experiment-id": "an argument: kfpgo experiments archive EXPERIMENT", "experiment-name": "an argument: kfpgo experiments archive EXPERIMENT"},
	"experiments unarchive": {"experiment-id": "an argument: kfpgo experiments unarchive EXPERIMENT", "experiment-name": "an argument: kfpgo experiments unarchive EXPERIMENT"},
	"compile":               {"py": "an argument, a package of Go: Python is compiled by KFP's own kfp dsl compile", "function": "PIPELINE#Name", "pipeline-parameters": "-p of kfpgo run: a compiled pipeline has its inputs"},
}

// FlagError is what a command line says that has a flag that isn't there.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		dashed := "--" + name
		if len(unknown.GetSpecifiedShortnames()) > 0 {
			dashed = "-" + name
		}
		if cmd.CommandPath() == "kfpgo run" && cmd.Flags().NArg() > 0 && isRunCommand(cmd.Flags().Arg(0)) {
			return Usagef(cmd, "%v; kfpgo run runs a pipeline: KFP's run %s is kfpgo runs %[2]s", err, cmd.Flags().Arg(0))
		}
		if ours := likePython(cmd, name); ours != "" {
			return Usagef(cmd, "%v; KFP's %s is %s here", err, dashed, ours)
		}
		return Usagef(cmd, "%v%s", err, flagHabit(cmd, name))
	}
	return Usagef(cmd, "%v", err)
}

// likePython returns what a flag of KFP's command line is here, or "".
func likePython(cmd *cobra.Command, name string) string {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	if ours := pythonFlags[path][name]; ours != "" {
		return ours
	}
	if noun, _, _ := strings.Cut(path, " "); name != "output" || noun == "runs" || noun == "pipelines" || noun == "experiments" || noun == "recurring-runs" {
		return pythonFlags[""][name]
	}
	return ""
}

// isRunCommand reports whether a word is a subcommand of KFP's run, and not a file or folder.
func isRunCommand(word string) bool {
	_, err := os.Stat(word)
	return err != nil && slices.Contains([]string{"create", "list", "get", "archive", "unarchive", "delete"}, word)
}

// NotRun refuses arguments that are meant for kfpgo runs.
func NotRun(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && isRunCommand(args[0]) {
		return Usagef(cmd, "there is no pipeline %s; KFP's run %[1]s is kfpgo runs %[1]s", args[0])
	}
	return nil
}

// PipelineArg checks the arguments of commands that take one PIPELINE and parameters by -p,
// where KFP's command takes parameters as arguments.
func PipelineArg(max int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= max {
			return nil
		}
		extra := args[max]
		if strings.Contains(extra, "=") {
			return Usagef(cmd, "unexpected argument %q; a parameter is given as -p %s", extra, extra)
		}
		return Usagef(cmd, "unexpected argument %q", extra)
	}
}
