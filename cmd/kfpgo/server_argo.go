package main

import (
	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/argo"
	argonames "github.com/kfpgo/kfpgo/internal/argo"
)

// connectArgo returns a connection to Argo Workflows, by the flags that are for it too.
func connectArgo(f *serverFlags) (client.Client, error) {
	return argo.Connect(argo.Config{
		Context: f.Context, Kubeconfig: f.Kubeconfig, KubeContext: f.KubeContext, Namespace: f.Namespace,
		Endpoint: f.Endpoint, TokenFile: f.TokenFile, CA: f.CA, Cert: f.Cert, Key: f.Key, Insecure: f.Insecure, Timeout: f.Timeout, Store: f.Store,
	})
}

// namesOn returns what an engine calls the tasks of a pipeline.
func namesOn(engine string) func(string) string {
	if engine == "argo" {
		return argonames.TaskName
	}
	return func(name string) string { return name }
}
