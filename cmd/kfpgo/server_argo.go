package main

import (
	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client/argo"
	argonames "github.com/kfpgo/kfpgo/internal/target/argo"
)

// namesOn returns what an engine calls the tasks of a pipeline.
func namesOn(engine string) func(string) string {
	if engine == "argo" {
		return argonames.TaskName
	}
	return func(name string) string { return name }
}

func tryArgo(cmd *cobra.Command, c *argo.Client) error {
	w := cmd.OutOrStdout()
	address, credential := c.Server()
	say(w, "server      %s", address)
	say(w, "credential  %s", credential)
	version, err := c.Health(cmd.Context())
	if err != nil {
		return err
	}
	if version != "" {
		say(w, "version     %s, of the Argo server", version)
	}
	return say(w, "access      ok, in namespace %s", c.Namespace())
}
