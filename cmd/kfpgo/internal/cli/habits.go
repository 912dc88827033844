package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// habits are commands of other tools (argo, kfp, kubectl, go, airflow) that kfpgo has by another
// name, and what it calls them.
var habits = map[string]string{
	"lint": "kfpgo vet", "check": "kfpgo vet", "validate": "kfpgo vet", "test": "go test, with package dsltest",
	"submit": "kfpgo run --on kfp or --on argo", "create": "kfpgo run --on kfp or --on argo", "start": "kfpgo run", "exec": "kfpgo run", "resubmit": "kfpgo run",
	"get": "kfpgo runs get", "list": "kfpgo runs list, pipelines list, schedule list or artifacts list", "ls": "kfpgo runs list", "ps": "kfpgo runs list",
	"describe": "kfpgo runs describe", "logs": "kfpgo runs logs", "log": "kfpgo runs logs", "wait": "kfpgo runs wait", "watch": "kfpgo runs wait, or kfpgo run --watch",
	"retry": "kfpgo runs retry, or kfpgo run --resume", "stop": "kfpgo runs terminate", "terminate": "kfpgo runs terminate", "kill": "kfpgo runs terminate", "delete": "kfpgo runs delete",
	"archive": "kfpgo runs archive", "upload": "kfpgo pipelines upload", "cp": "kfpgo artifacts get", "download": "kfpgo artifacts get",
	"cron": "kfpgo schedule", "apply": "kfpgo schedule apply", "backfill": "kfpgo schedule backfill", "trigger": "kfpgo schedule trigger", "suspend": "kfpgo schedule pause", "serve": "kfpgo schedule serve, or kfpgo ui",
	"login": "kfpgo context set", "auth": "kfpgo context", "config": "kfpgo context", "server": "kfpgo ui", "dashboard": "kfpgo ui",
	"new": "kfpgo init", "convert": "kfpgo import", "decompile": "kfpgo import", "draw": "kfpgo graph", "show": "kfpgo graph", "generate": "kfpgo gen", "dsl": "kfpgo compile", "component": "kfpgo build",
}

// habit returns what a command of another tool is called here, for an error, or "".
func habit(cmd *cobra.Command, word string) string {
	if ours := habits[word]; ours != "" && !cmd.HasParent() {
		return "; here that is " + ours
	}
	return ""
}

// flagHabit returns which flag is meant by one that other commands of kfpgo, or other tools, have.
func flagHabit(cmd *cobra.Command, name string) string {
	has := func(name string) bool { return cmd.Flags().Lookup(name) != nil }
	switch {
	case (name == "target" || name == "t") && has("on"):
		return "; where it runs is --on local, kfp or argo, and kfpgo compile --target writes YAML"
	case name == "on" && has("target"):
		return fmt.Sprintf("; --target selects the output of %s, and kfpgo run --on runs it on a server", cmd.CommandPath())
	case (name == "log" || name == "follow" || name == "f") && has("wait"):
		return "; --logs shows the lines that steps write on this machine; on a server --wait follows the run, and kfpgo runs logs prints the logs of its steps"
	}
	return ""
}
