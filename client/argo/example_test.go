package argo_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/client/argo"
)

// A program that is to use the server of kfpgo context says so.
func ExampleFromContext() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	os.Setenv("KFPGO_CONFIG", filepath.Join(dir, "config.yaml"))
	defer os.Unsetenv("KFPGO_CONFIG")
	// kfpgo context set team-a --engine argo --argo-server URL --token-file FILE writes such a file.
	const text = "contexts:\n  team-a: {engine: argo, argoServer: 'https://argo.example.com', namespace: team-a, tokenFile: token}\n"
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(text), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	conf, err := argo.FromContext("team-a")
	if err != nil {
		fmt.Println(err)
		return
	}
	conf.Namespace = "team-a-nightly" // what the program knows better
	c, err := argo.Connect(conf)
	if err != nil {
		fmt.Println(err)
		return
	}
	address, credential := c.Server()
	fmt.Println(address, credential, c.Namespace())
	// Output: https://argo.example.com token file token (context) team-a-nightly
}
