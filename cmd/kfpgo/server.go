package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/internal/contexts"
)

// serverFlags say which server a verb speaks to, and how to be let in.
type serverFlags struct {
	on         string // engine, if it was given
	ArgoServer string
	kfp.Config
}

// engines connect to the servers of each kind.
var engines = map[string]func(*serverFlags) (client.Client, error){
	"kfp":  func(f *serverFlags) (client.Client, error) { return kfp.Connect(f.Config) },
	"argo": connectArgo,
}

func (f *serverFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.Context, "context", "", "use the server of context `NAME`; default: KFPGO_CONTEXT, else the current one")
	fs.StringVar(&f.Endpoint, "endpoint", "", "`URL` of the server; default: KF_PIPELINES_ENDPOINT, else the context's")
	fs.StringVar(&f.ArgoServer, "argo-server", "", "`URL` of the Argo server, in place of a kubeconfig; default: ARGO_SERVER, else the context's")
	fs.StringVar(&f.Namespace, "namespace", "", "`NAME` of the namespace, on servers with many users; default: KFPGO_NAMESPACE, else the context's")
	fs.StringVar(&f.TokenFile, "token-file", "", "`FILE` with a bearer token; KFPGO_TOKEN holds one itself")
	fs.StringArrayVar(&f.TokenCommand, "token-command", nil, "`COMMAND` that prints a bearer token; repeat it for each argument")
	fs.StringVar(&f.Login, "login", "", "`NAME` for the login page of Dex")
	fs.StringVar(&f.PasswordFile, "password-file", "", "`FILE` with the password of --login; KFPGO_PASSWORD holds it itself")
	fs.StringVar(&f.IAPClient, "iap-client", "", "client `ID` of Google's Identity-Aware Proxy; default: KF_PIPELINES_IAP_OAUTH2_CLIENT_ID")
	fs.StringVar(&f.ServiceAccountKey, "service-account-key", "", "`FILE` with the key of a service account, for --iap-client; default: GOOGLE_APPLICATION_CREDENTIALS")
	fs.StringVar(&f.User, "user", "", "`NAME` of the user, for servers that believe it")
	fs.StringVar(&f.UserHeader, "user-header", "", "`HEADER` that the user is told in; default kubeflow-userid")
	fs.StringVar(&f.CA, "ca", "", "`FILE` with the certificates that are trusted, beside the machine's")
	fs.StringVar(&f.Cert, "cert", "", "`FILE` with the client's certificate")
	fs.StringVar(&f.Key, "key", "", "`FILE` with the key of --cert")
	fs.BoolVar(&f.Insecure, "insecure-skip-tls-verify", false, "take any certificate of the server")
	fs.StringVar(&f.Proxy, "proxy", "", "`URL` of a proxy; default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY")
	fs.StringVar(&f.Kubeconfig, "kubeconfig", "", "`FILE`; without an endpoint the server is reached through the API of its cluster")
	fs.StringVar(&f.KubeContext, "kube-context", "", "`NAME` of a context in the kubeconfig")
	fs.StringVar(&f.Via, "via", "", "with --kubeconfig: `WAY` to the server: service-proxy, the default, or port-forward")
	fs.StringVar(&f.Service, "service", "", "with --kubeconfig: `NAME.NAMESPACE` of KFP's service; default ml-pipeline.kubeflow")
	fs.DurationVar(&f.Timeout, "request-timeout", 0, "`TIME` for one request; default 30s")
}

// serverFlagNames are the flags that may stand before the verb too.
func serverFlagNames() []string {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(serverFlags).add(fs)
	var names []string
	fs.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// anywhere lets the flags of servers stand before the verb. Verbs that speak to no
// server refuse them.
func anywhere(root *cobra.Command) {
	new(serverFlags).add(root.PersistentFlags())
	for _, name := range serverFlagNames() {
		root.PersistentFlags().Lookup(name).Hidden = true
	}
}

// noServer refuses flags of servers that a verb has no use for.
func noServer(cmd *cobra.Command) error {
	for _, name := range serverFlagNames() {
		if f := cmd.Root().PersistentFlags().Lookup(name); f != nil && f.Changed {
			return usagef(cmd, "--%s is for verbs that speak to a server; %s doesn't", name, cmd.CommandPath())
		}
	}
	return nil
}

// engine returns which kind of server is meant.
func (f *serverFlags) engine() (string, error) {
	if f.on != "" {
		return f.on, nil
	}
	if f.Endpoint != "" || f.Context == "" && os.Getenv("KF_PIPELINES_ENDPOINT") != "" {
		return "kfp", nil
	}
	if f.ArgoServer != "" || f.Context == "" && os.Getenv("ARGO_SERVER") != "" {
		return "argo", nil
	}
	file, err := contexts.Load(os.Getenv)
	if err != nil {
		return "", err
	}
	c, err := file.Get(cmp.Or(f.Context, os.Getenv("KFPGO_CONTEXT")))
	if err != nil {
		return "", err
	}
	return cmp.Or(c.Engine, "kfp"), nil
}

// connect returns a connection to the server that is meant.
func (f *serverFlags) connect(cmd *cobra.Command) (client.Client, error) {
	on, err := f.engine()
	if err != nil {
		return nil, err
	}
	connect := engines[on]
	if connect == nil {
		return nil, usagef(cmd, "there is no engine %q to speak to; there are %s", on, strings.Join(engineNames(), ", "))
	}
	if f.ArgoServer != "" && on != "argo" {
		return nil, usagef(cmd, "--argo-server is for engine argo, and this is %s", on)
	}
	utilruntime.ErrorHandlers = nil // they would log what forwarded ports meet, which the errors of calls say
	return connect(f)
}

func engineNames() []string {
	var names []string
	for name := range engines {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// kfpClient is for what only KFP has.
func (f *serverFlags) kfpClient(cmd *cobra.Command) (*kfp.Client, error) {
	c, err := f.connect(cmd)
	if err != nil {
		return nil, err
	}
	k, ok := c.(*kfp.Client)
	if !ok {
		return nil, usagef(cmd, "%s is for KFP, and the server is one of %s", cmd.CommandPath(), c.Engine())
	}
	return k, nil
}

// noun returns a command that has verbs only. The flags of servers, if it is given
// any, are those of each verb.
func noun(use, short, long string, f *serverFlags, verbs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use + " VERB", Short: short, Long: long,
		Args: noSuchVerb, RunE: needsVerb,
	}
	if f != nil {
		f.add(cmd.PersistentFlags())
	}
	cmd.AddCommand(verbs...)
	return cmd
}

// noSuchVerb refuses what is given in place of a verb.
func noSuchVerb(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef(cmd, "there is no verb %q%s", args[0], suggest(cmd, args[0]))
	}
	return nil
}

// needsVerb shows which verbs there are.
func needsVerb(cmd *cobra.Command, _ []string) error {
	cmd.SetOut(cmd.ErrOrStderr())
	cmd.Help()
	return usagef(cmd, "no verb was given")
}

// confirm asks before something is lost. Without a terminal to ask at it takes --yes.
func confirm(cmd *cobra.Command, yes bool, what string) error {
	if yes {
		return nil
	}
	in, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return usagef(cmd, "%s: say --yes, since nobody can be asked", what)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s? [y/N] ", what)
	line, err := bufio.NewReader(in).ReadString('\n')
	if s := strings.ToLower(strings.TrimSpace(line)); err == nil && (s == "y" || s == "yes") {
		return nil
	}
	return errors.New("nothing was deleted")
}

func yesFlag(cmd *cobra.Command, yes *bool) {
	cmd.Flags().BoolVarP(yes, "yes", "y", false, "delete without asking")
}

// listFlags are those of each list.
type listFlags struct {
	kfp.ListOptions
	all    bool
	format string
}

func (l *listFlags) add(cmd *cobra.Command, archives bool) {
	f := cmd.Flags()
	f.StringVar(&l.Filter, "filter", "", "a filter of KFP's API, as `JSON`")
	f.StringVar(&l.Sort, "sort-by", "", "`FIELD` to sort by, with \" desc\" for the last one first; default: created_at desc")
	f.IntVar(&l.Size, "max-size", 20, "at most `N` on a page")
	f.StringVar(&l.Page, "page-token", "", "`TOKEN` of the page to show")
	f.BoolVar(&l.all, "all", false, "all pages")
	f.StringVar(&l.Name, "name", "", "only those called `NAME`")
	if archives {
		f.BoolVar(&l.Archived, "archived", false, "those that are archived, in place of those that aren't")
	}
	formatFlag(cmd, &l.format)
}

func (l *listFlags) check(cmd *cobra.Command) error {
	if l.Size < 1 || l.Size > 1000 {
		return usagef(cmd, "--max-size %d: it must be from 1 to 1000", l.Size)
	}
	return nil
}

// collect returns a page, or all of them.
func collect[T any](ctx context.Context, l *listFlags, page func(context.Context, kfp.ListOptions) ([]*T, string, error)) (list []*T, next string, err error) {
	o := l.ListOptions
	list = []*T{}
	for {
		some, next, err := page(ctx, o)
		if err != nil {
			return nil, "", err
		}
		list = append(list, some...)
		if o.Page = next; next == "" || !l.all {
			return list, next, nil
		}
	}
}

// more tells that there is another page.
func more(cmd *cobra.Command, next string) {
	if next != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "there are more: --page-token %s shows the next page, --all shows all\n", next)
	}
}
