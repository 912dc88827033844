package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client/argo"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/internal/contexts"
	"github.com/kfpgo/kfpgo/internal/scrub"
)

func newContext() *cobra.Command {
	cmd := noun("context", "Keep the servers that you work with, and how to be let in",
		`Context keeps servers under names, in one file that only you can read: KFPGO_CONFIG,
or else kfpgo/config.yaml in your folder for configurations.

A flag wins over the environment, and the environment over the context. Variables are
KFPGO_CONTEXT, KF_PIPELINES_ENDPOINT, KF_PIPELINES_UI_ENDPOINT, KFPGO_NAMESPACE,
KFPGO_TOKEN, KF_PIPELINES_SA_TOKEN_PATH, KFPGO_COOKIE, KFPGO_USER, KFPGO_PASSWORD,
KFPGO_CA, KF_PIPELINES_IAP_OAUTH2_CLIENT_ID and
KF_PIPELINES_DEFAULT_EXPERIMENT_NAME; for the Argo server they are Argo's own,
ARGO_SERVER, ARGO_TOKEN, ARGO_NAMESPACE, ARGO_SECURE, ARGO_INSECURE_SKIP_VERIFY and
ARGO_BASE_HREF. Without any of them a pod finds the server of its own cluster, and another
program the one that a kubeconfig leads to.`, nil,
		newContextSet(), newContextUse(), newContextList(), newContextTest(), newContextDelete())
	cmd.Aliases = []string{"contexts"}
	return cmd
}

func newContextSet() *cobra.Command {
	var c contexts.Context
	var stdin, cookie bool
	cmd := &cobra.Command{
		Use: "set NAME", Short: "Make a context, or change what is given of one",
		Long: `Set makes a context, or changes what is given of one; the first one becomes the
current one. An empty value takes a setting away. A token or a cookie is read from the
standard input, so that no list of processes and no history of a shell shows it.`,
		Example: `  kfpgo context set prod --endpoint https://kubeflow.example.com/pipeline --namespace team-a --token-file ~/token
  kfpgo context set prod --token-stdin < token
  kfpgo context set cloud --endpoint https://kfp.example.com --token-command gcloud --token-command auth --token-command print-access-token
  kfpgo context set mine --kubeconfig ~/.kube/config --kube-context kind
  kfpgo context set argo --engine argo --argo-server https://argo.example.com --namespace team-a --token-file ~/token
  kfpgo context set work --endpoint https://kubeflow.example.com/pipeline --login ada@example.com --password-file ~/password`,
		Args: exactly(1, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := contexts.Load(os.Getenv)
			if err != nil {
				return err
			}
			if args[0] == "" || strings.ContainsAny(args[0], " \t\n") {
				return usagef(cmd, "%q is no name of a context", args[0])
			}
			to := file.Contexts[args[0]]
			if to == nil {
				to = &contexts.Context{}
			}
			change(cmd, to, &c)
			if to.Engine != "" && to.Engine != "kfp" && to.Engine != "argo" {
				return usagef(cmd, "--engine is kfp or argo, not %q", to.Engine)
			}
			if stdin && cookie {
				return usagef(cmd, "--token-stdin and --cookie-stdin both read the standard input; choose one")
			}
			for _, of := range []struct {
				read bool
				what string
				to   *string
			}{{stdin, "token", &to.Token}, {cookie, "cookie", &to.Cookie}} {
				if !of.read {
					continue
				}
				line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
				if *of.to = strings.TrimSpace(line); *of.to == "" {
					return fmt.Errorf("the standard input holds no %s (%v)", of.what, err)
				}
			}
			if to.ArgoServer != "" && to.Engine != "argo" {
				return usagef(cmd, "--argo-server goes with --engine argo")
			}
			if err := checkContext(to); err != nil { // what can't be used is not kept
				return err
			}
			file.Contexts[args[0]] = to
			file.Current = cmp.Or(file.Current, args[0])
			return file.Save()
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.Engine, "engine", "", "`KIND` of the server: kfp or argo; default kfp")
	f.StringVar(&c.Endpoint, "endpoint", "", "`URL` of the server, with the path that its API is below")
	f.StringVar(&c.ArgoServer, "argo-server", "", "with --engine argo: `URL` of the Argo server, in place of a kubeconfig")
	f.StringVar(&c.UI, "ui", "", "`URL` of its pages, for links")
	f.StringVar(&c.Namespace, "namespace", "", "`NAME` of your namespace there")
	f.StringVar(&c.Experiment, "experiment", "", "`NAME` of the experiment for runs that name none")
	f.StringVar(&c.TokenFile, "token-file", "", "`FILE` with a bearer token, read again when it changes")
	f.StringArrayVar(&c.TokenCommand, "token-command", nil, "`COMMAND` that prints a bearer token; repeat it for each argument")
	f.BoolVar(&stdin, "token-stdin", false, "keep the bearer token that is on the standard input")
	f.BoolVar(&cookie, "cookie-stdin", false, "keep the cookie of a session, NAME=VALUE, that is on the standard input")
	f.StringVar(&c.Login, "login", "", "`NAME` for the login page of Dex")
	f.StringVar(&c.PasswordFile, "password-file", "", "`FILE` with the password of --login; default: KFPGO_PASSWORD")
	f.StringVar(&c.IAPClient, "iap-client", "", "client `ID` of Google's Identity-Aware Proxy")
	f.StringVar(&c.IAPKey, "service-account-key", "", "`FILE` with the key of a service account, for --iap-client; default: GOOGLE_APPLICATION_CREDENTIALS")
	f.StringVar(&c.User, "user", "", "`NAME` of the user, for servers that believe it")
	f.StringVar(&c.UserHeader, "user-header", "", "`HEADER` that the user is told in; default kubeflow-userid")
	f.StringVar(&c.CA, "ca", "", "`FILE` with the certificates that are trusted")
	f.StringVar(&c.Cert, "cert", "", "`FILE` with the client's certificate")
	f.StringVar(&c.Key, "key", "", "`FILE` with the key of --cert")
	f.BoolVar(&c.Insecure, "insecure-skip-tls-verify", false, "take any certificate of the server")
	f.StringVar(&c.Proxy, "proxy", "", "`URL` of a proxy")
	f.StringVar(&c.Kubeconfig, "kubeconfig", "", "`FILE` that leads to the server through the API of its cluster")
	f.StringVar(&c.Via, "via", "", "with --kubeconfig: `WAY` to the server: service-proxy, the default, or port-forward")
	f.StringVar(&c.Service, "service", "", "with --kubeconfig: `NAME.NAMESPACE` of KFP's service; default ml-pipeline.kubeflow")
	f.StringVar(&c.Metadata, "metadata", "", "`HOST:PORT` of KFP's ML Metadata, for kfpgo artifacts; default: its service in the cluster")
	f.StringVar(&c.Store, "store", "", "`URL` of the S3 store with the artifacts; default: as the cluster has it")
	f.StringVar(&c.KubeContext, "kube-context", "", "`NAME` of a context in the kubeconfig")
	return cmd
}

// change takes over what was given on the command line.
func change(cmd *cobra.Command, to, from *contexts.Context) {
	text := map[string][2]*string{
		"engine": {&to.Engine, &from.Engine}, "endpoint": {&to.Endpoint, &from.Endpoint}, "ui": {&to.UI, &from.UI}, "namespace": {&to.Namespace, &from.Namespace},
		"experiment": {&to.Experiment, &from.Experiment}, "token-file": {&to.TokenFile, &from.TokenFile}, "login": {&to.Login, &from.Login},
		"password-file": {&to.PasswordFile, &from.PasswordFile}, "user": {&to.User, &from.User}, "user-header": {&to.UserHeader, &from.UserHeader},
		"ca": {&to.CA, &from.CA}, "cert": {&to.Cert, &from.Cert}, "key": {&to.Key, &from.Key}, "proxy": {&to.Proxy, &from.Proxy},
		"iap-client": {&to.IAPClient, &from.IAPClient}, "service-account-key": {&to.IAPKey, &from.IAPKey},
		"kubeconfig": {&to.Kubeconfig, &from.Kubeconfig}, "kube-context": {&to.KubeContext, &from.KubeContext},
		"via": {&to.Via, &from.Via}, "service": {&to.Service, &from.Service}, "metadata": {&to.Metadata, &from.Metadata}, "store": {&to.Store, &from.Store},
		"argo-server": {&to.ArgoServer, &from.ArgoServer},
	}
	for _, name := range slices.Sorted(maps.Keys(text)) {
		if cmd.Flags().Changed(name) {
			*text[name][0] = *text[name][1]
		}
	}
	if cmd.Flags().Changed("token-command") {
		to.TokenCommand = slices.DeleteFunc(from.TokenCommand, func(s string) bool { return s == "" })
	}
	if cmd.Flags().Changed("insecure-skip-tls-verify") {
		to.Insecure = from.Insecure
	}
}

// checkContext tries if a connection can be made of a context.
func checkContext(c *contexts.Context) error {
	if c.Engine == "argo" {
		return checkArgo(c)
	}
	if c.Endpoint == "" && c.Kubeconfig == "" {
		return fmt.Errorf("the context leads nowhere; give --endpoint URL or --kubeconfig FILE")
	}
	o := kfp.Config{
		Endpoint: c.Endpoint, Kubeconfig: c.Kubeconfig, KubeContext: c.KubeContext, Via: c.Via, Service: c.Service, Token: c.Token, TokenFile: c.TokenFile, TokenCommand: c.TokenCommand,
		IAPClient: c.IAPClient, ServiceAccountKey: c.IAPKey, Cookie: c.Cookie, CA: c.CA, Cert: c.Cert, Key: c.Key, Insecure: c.Insecure, Proxy: c.Proxy,
	}
	if c.Endpoint != "" {
		o.Kubeconfig = ""
	}
	_, err := kfp.Connect(o)
	return err
}

func newContextUse() *cobra.Command {
	return &cobra.Command{
		Use: "use NAME", Short: "Make a context the current one", Args: exactly(1, "NAME"), ValidArgsFunction: completeContext,
		RunE: func(_ *cobra.Command, args []string) error {
			return withContext(args[0], func(file *contexts.File) { file.Current = args[0] })
		},
	}
}

func newContextDelete() *cobra.Command {
	return &cobra.Command{
		Use: "delete NAME", Short: "Forget a context", Args: exactly(1, "NAME"), ValidArgsFunction: completeContext,
		RunE: func(_ *cobra.Command, args []string) error {
			return withContext(args[0], func(file *contexts.File) {
				delete(file.Contexts, args[0])
				if file.Current == args[0] {
					file.Current = ""
				}
			})
		},
	}
}

// withContext changes the file of contexts, of which one must be there.
func withContext(name string, change func(*contexts.File)) error {
	file, err := contexts.Load(os.Getenv)
	if err != nil {
		return err
	}
	if _, err := file.Get(name); err != nil {
		return err
	}
	change(file)
	return file.Save()
}

func completeContext(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	file, err := contexts.Load(os.Getenv)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return file.Names(), cobra.ShellCompDirectiveNoFileComp
}

// shownContext is a context without its secrets.
type shownContext struct {
	Name    string `json:"name"`
	Current bool   `json:"current"`
	*contexts.Context
	Auth string `json:"auth,omitempty"`
}

// shown returns a context for people: without passwords in addresses, and without the
// arguments of commands, which may be secrets too.
func shown(name string, file *contexts.File) shownContext {
	c := *file.Contexts[name]
	for _, address := range []*string{&c.Endpoint, &c.ArgoServer, &c.UI, &c.Proxy, &c.Store} {
		*address = scrub.URL(*address)
	}
	if n := len(c.TokenCommand); n > 1 {
		c.TokenCommand = []string{c.TokenCommand[0], fmt.Sprintf("[%d arguments]", n-1)}
	}
	return shownContext{name, name == file.Current, &c, auth(&c)}
}

func auth(c *contexts.Context) string {
	switch {
	case c.Token != "":
		return "token"
	case c.TokenFile != "":
		return "token file " + c.TokenFile
	case len(c.TokenCommand) > 0:
		return "token command " + c.TokenCommand[0]
	case c.Cookie != "":
		return "cookie"
	case c.Login != "":
		return "login of " + c.Login
	case c.IAPClient != "":
		return "IAP with " + cmp.Or(c.IAPKey, "GOOGLE_APPLICATION_CREDENTIALS")
	case c.Cert != "":
		return "certificate " + c.Cert
	case c.Kubeconfig != "":
		return "kubeconfig " + c.Kubeconfig
	case c.User != "":
		return "user " + c.User
	}
	return "none"
}

func newContextList() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "list", Short: "Show the contexts, without their secrets", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			file, err := contexts.Load(os.Getenv)
			if err != nil {
				return err
			}
			list := []shownContext{}
			for _, name := range file.Names() {
				list = append(list, shown(name, file))
			}
			return display(cmd, format, list, func(w *tabwriter.Writer) {
				fmt.Fprintln(w, "CURRENT\tNAME\tENGINE\tENDPOINT\tNAMESPACE\tAUTH")
				for _, c := range list {
					mark := ""
					if c.Current {
						mark = "*"
					}
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", mark, c.Name, cmp.Or(c.Engine, "kfp"), cmp.Or(c.Endpoint, c.ArgoServer, "kubeconfig "+c.Kubeconfig), c.Namespace, c.Auth)
				}
			})
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

func newContextTest() *cobra.Command {
	var f serverFlags
	cmd := &cobra.Command{
		Use: "test", Short: "Ask the server if it is there and lets you in", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.connect(cmd)
			if err != nil {
				return err
			}
			if c, ok := c.(*argo.Client); ok {
				return tryArgo(cmd, c)
			}
			k, err := f.kfpClient(cmd)
			if err != nil {
				return err
			}
			return tryServer(cmd.Context(), cmd, k)
		},
	}
	f.add(cmd.Flags())
	return cmd
}

func tryServer(ctx context.Context, cmd *cobra.Command, c *kfp.Client) error {
	w := cmd.OutOrStdout()
	address, from := c.Server()
	fmt.Fprintf(w, "server      %s (%s)\n", address, from)
	fmt.Fprintf(w, "credential  %s\n", cmp.Or(c.Credential(), "none"))
	many, err := c.Health(ctx)
	if err != nil {
		return err
	}
	users := "one user"
	if many {
		users = "many users"
	}
	fmt.Fprintf(w, "health      ok, for %s\n", users)
	if _, _, err := c.ListExperiments(ctx, kfp.ListOptions{Size: 1}); err != nil {
		return err
	}
	fmt.Fprintln(w, "access      ok")
	return nil
}
