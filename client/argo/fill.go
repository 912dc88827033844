package argo

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/contexts"
)

// podNamespace says in which namespace a pod runs.
const podNamespace = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// fill completes a Config by the environment and the context.
func (o *Config) fill(getenv func(string) string) error {
	file, err := contexts.Load(getenv)
	if err != nil {
		return err
	}
	name := cmp.Or(o.Context, getenv("KFPGO_CONTEXT"))
	ctx, err := file.Get(name)
	if err != nil {
		return err
	}
	env := o.Context == "" // what is named on purpose wins over variables
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.Store = cmp.Or(o.Store, getenv("KFPGO_STORE"))
	if ctx.Engine != "argo" {
		if name != "" && !(env && (o.Server != "" || getenv("ARGO_SERVER") != "")) {
			return fmt.Errorf("context %s is of KFP, not of Argo; choose another one with --context", name)
		}
		ctx = &contexts.Context{}
	}
	switch {
	case o.Server != "":
		o.serverFrom = "given"
		if env {
			ctx = &contexts.Context{} // its secrets are for another server
		}
	case o.Endpoint != "" || o.Kubeconfig != "":
		if env {
			ctx = &contexts.Context{Namespace: ctx.Namespace}
		}
	case env && getenv("ARGO_SERVER") != "":
		o.Server, o.serverFrom, ctx = getenv("ARGO_SERVER"), "ARGO_SERVER", &contexts.Context{}
	case ctx.ArgoServer != "":
		o.Server, o.serverFrom = ctx.ArgoServer, "context "+cmp.Or(name, file.Current)
	}
	o.Namespace = cmp.Or(o.Namespace, getenv("KFPGO_NAMESPACE"))
	if o.Server != "" {
		return o.fillServer(getenv, ctx, env)
	}
	if o.Endpoint == "" && o.Kubeconfig == "" {
		o.Endpoint, o.Kubeconfig = ctx.Endpoint, ctx.Kubeconfig
	}
	o.KubeContext, o.Namespace = cmp.Or(o.KubeContext, ctx.KubeContext), cmp.Or(o.Namespace, ctx.Namespace)
	if o.Token == "" && o.TokenFile == "" {
		o.Token, o.TokenFile = ctx.Token, ctx.TokenFile
	}
	o.link(ctx)
	if o.TokenFile == "" {
		o.Token = cmp.Or(o.Token, getenv("KFPGO_TOKEN"))
	}
	return nil
}

// link takes over what is below the requests.
func (o *Config) link(ctx *contexts.Context) {
	o.CA, o.Cert, o.Key = cmp.Or(o.CA, ctx.CA), cmp.Or(o.Cert, ctx.Cert), cmp.Or(o.Key, ctx.Key)
	o.Insecure = o.Insecure || ctx.Insecure
	o.Store = cmp.Or(o.Store, ctx.Store)
}

// fillServer completes what is of the Argo server. env is that variables count.
func (o *Config) fillServer(getenv func(string) string, ctx *contexts.Context, env bool) error {
	given := 0
	for _, is := range []bool{o.Token != "", o.TokenFile != "", len(o.TokenCommand) > 0} {
		if is {
			given++
		}
	}
	o.CA = cmp.Or(o.CA, getenv("KFPGO_CA"))
	o.tokenFrom = "given"
	switch token, from := "", ""; {
	case given > 1:
		return errors.New("more than one credential is given; choose one of token, token file and token command")
	case given == 1:
	default:
		for _, from = range []string{"KFPGO_TOKEN", "ARGO_TOKEN"} {
			if token = getenv(from); env && token != "" {
				break
			}
			token = ""
		}
		if o.Token, o.tokenFrom = token, from; token == "" {
			o.Token, o.TokenFile, o.TokenCommand, o.tokenFrom = ctx.Token, ctx.TokenFile, ctx.TokenCommand, "context"
		}
	}
	if env && o.Namespace == "" {
		o.Namespace = getenv("ARGO_NAMESPACE")
	}
	if o.Namespace = cmp.Or(o.Namespace, ctx.Namespace); o.Namespace == "" {
		b, _ := os.ReadFile(podNamespace)
		o.Namespace = cmp.Or(strings.TrimSpace(string(b)), "default")
	}
	if !strings.HasPrefix(o.serverFrom, "context ") {
		o.plain, o.path = getenv("ARGO_SECURE") == "false", getenv("ARGO_BASE_HREF")
		o.Insecure = o.Insecure || getenv("ARGO_INSECURE_SKIP_VERIFY") == "true"
	}
	o.Proxy = cmp.Or(o.Proxy, ctx.Proxy)
	o.link(ctx)
	return nil
}
