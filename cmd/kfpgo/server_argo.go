package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/argo"
	argonames "github.com/kfpgo/kfpgo/internal/argo"
	"github.com/kfpgo/kfpgo/internal/contexts"
)

// connectArgo returns a connection to Argo Workflows, by the flags that are for it too.
func connectArgo(f *serverFlags) (client.Client, error) {
	for _, only := range []struct{ name, value string }{
		{"login", f.Login}, {"password-file", f.PasswordFile}, {"iap-client", f.IAPClient}, {"service-account-key", f.ServiceAccountKey},
		{"user", f.User}, {"user-header", f.UserHeader}, {"via", f.Via}, {"service", f.Service},
	} {
		if only.value != "" {
			return nil, fmt.Errorf("--%s is of KFP, and the server is one of Argo", only.name)
		}
	}
	return argo.Connect(argo.Config{
		Server: f.ArgoServer, TokenCommand: f.TokenCommand, Proxy: f.Proxy,
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

// checkArgo tries if a connection to the Argo server can be made of a context. A
// kubeconfig may come to be there later.
func checkArgo(c *contexts.Context) error {
	if c.ArgoServer == "" {
		return nil
	}
	if c.Endpoint != "" || c.Kubeconfig != "" {
		return fmt.Errorf("the context names the Argo server and the API of Kubernetes; give one of --argo-server and --endpoint or --kubeconfig")
	}
	_, err := argo.Connect(argo.Config{Server: c.ArgoServer, Token: c.Token, TokenFile: c.TokenFile, TokenCommand: c.TokenCommand, CA: c.CA, Cert: c.Cert, Key: c.Key, Insecure: c.Insecure, Proxy: c.Proxy})
	return err
}

func tryArgo(cmd *cobra.Command, c *argo.Client) error {
	w := cmd.OutOrStdout()
	address, credential := c.Server()
	fmt.Fprintf(w, "server      %s\n", address)
	fmt.Fprintf(w, "credential  %s\n", credential)
	version, err := c.Health(cmd.Context())
	if err != nil {
		return err
	}
	if version != "" {
		fmt.Fprintf(w, "version     %s, of the Argo server\n", version)
	}
	fmt.Fprintf(w, "access      ok, in namespace %s\n", c.Namespace())
	return nil
}
