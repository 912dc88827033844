package server

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/argo"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/internal/net/contexts"
	"github.com/kfpgo/kfpgo/internal/net/scrub"
)

func newContext() *cobra.Command {
	cmd := cli.Noun("context", "Manage the servers that you work with, and their credentials",
		`Context stores servers by name, in one file that only you can read: KFPGO_CONFIG, or
else kfpgo/config.yaml in your configuration folder.

A flag overrides the environment, and the environment overrides the context. Variables are
KFPGO_CONTEXT, KF_PIPELINES_ENDPOINT, KF_PIPELINES_UI_ENDPOINT, KFPGO_NAMESPACE,
KFPGO_TOKEN, KF_PIPELINES_SA_TOKEN_PATH, KFPGO_COOKIE, KFPGO_USER, KFPGO_PASSWORD,
KFPGO_CA, KF_PIPELINES_IAP_OAUTH2_CLIENT_ID and
KF_PIPELINES_DEFAULT_EXPERIMENT_NAME; for the Argo server they are Argo's own,
ARGO_SERVER, ARGO_TOKEN, ARGO_NAMESPACE, ARGO_SECURE, ARGO_INSECURE_SKIP_VERIFY and
ARGO_BASE_HREF. If none is set, a pod uses the server of its own cluster, and any other
program uses the cluster of the kubeconfig.`,
		newContextSet(), newContextList(), newContextTest(),
		changesContext("use NAME", "Set the current context", func(file *contexts.File, name string) { file.Current = name }),
		changesContext("delete NAME", "Delete a context", func(file *contexts.File, name string) {
			delete(file.Contexts, name)
			if file.Current == name {
				file.Current = ""
			}
		}))
	cmd.Aliases = []string{"contexts"}
	return cmd
}

func contextsFile(*cobra.Command) (*contexts.File, error) { return contexts.Load(os.Getenv) }

func newContextSet() *cobra.Command {
	var given contexts.Settings
	cmd := &cobra.Command{
		Use: "set NAME", Short: "Create a context, or change its settings",
		Long: `Set creates a context, or changes the given settings of an existing one. The first
context becomes the current one. An empty value removes a setting. Set reads a token or a
cookie from the standard input, so that it doesn't appear in the list of processes or in
the history of a shell; --token-stdin=false removes it.`,
		Example: `  kfpgo context set prod --endpoint https://kubeflow.example.com/pipeline --namespace team-a --token-file ~/token
  kfpgo context set prod --token-stdin < token
  kfpgo context set cloud --endpoint https://kfp.example.com --token-command gcloud --token-command auth --token-command print-access-token
  kfpgo context set mine --kubeconfig ~/.kube/config --kube-context kind
  kfpgo context set argo --engine argo --argo-server https://argo.example.com --namespace team-a --token-file ~/token
  kfpgo context set work --endpoint https://kubeflow.example.com/pipeline --login ada@example.com --password-file ~/password`,
		Args: cli.Exactly(1, "NAME"),
		RunE: with(contextsFile, func(cmd *cobra.Command, file *contexts.File, args []string) error {
			if args[0] == "" || strings.ContainsAny(args[0], " \t\n") {
				return cli.Usagef(cmd, "%q is not a valid context name; it must not be empty or have spaces", args[0])
			}
			to := file.Contexts[args[0]]
			if to == nil {
				to = &contexts.Settings{}
			}
			if err := change(cmd, to, &given); err != nil {
				return err
			}
			if err := flags.CheckContext(cmd, to); err != nil { // what can't be used is not kept
				return err
			}
			file.Contexts[args[0]] = to
			file.Current = cmp.Or(file.Current, args[0])
			return file.Save()
		}),
	}
	flags.Settings(cmd.Flags(), &given, func(*contexts.Field) bool { return true })
	return cmd
}

// change takes over the settings given on the command line, and the secret on the
// standard input.
func change(cmd *cobra.Command, to, given *contexts.Settings) error {
	given.TokenCommand = slices.DeleteFunc(given.TokenCommand, func(s string) bool { return s == "" })
	var secret *contexts.Field
	for _, f := range contexts.Fields() {
		if !cmd.Flags().Changed(f.Flag) {
			continue
		}
		f.Copy(to, given)
		if read, _ := cmd.Flags().GetBool(f.Flag); !f.Secret || !read {
			continue
		}
		if secret != nil {
			return cli.Usagef(cmd, "--%s and --%s both read the standard input; choose one", secret.Flag, f.Flag)
		}
		secret = f
	}
	if secret == nil {
		return nil
	}
	line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if line = strings.TrimSpace(line); line == "" {
		return fmt.Errorf("the standard input holds no %s (%v)", secret.Credential, err)
	}
	*secret.In(to).(*string) = line
	return nil
}

// changesContext returns a command that changes the file of contexts; the named one must exist.
func changesContext(use, short string, change func(file *contexts.File, name string)) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cli.Exactly(1, "NAME"), ValidArgsFunction: completeContext,
		RunE: with(contextsFile, func(_ *cobra.Command, file *contexts.File, args []string) error {
			if _, err := file.Get(args[0]); err != nil {
				return err
			}
			change(file, args[0])
			return file.Save()
		}),
	}
}

func completeContext(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	file, err := contextsFile(cmd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return file.Names(), cobra.ShellCompDirectiveNoFileComp
}

// shownContext is a context without its secrets.
type shownContext struct {
	Name    string `json:"name"`
	Current bool   `json:"current"`
	*contexts.Settings
	Auth string `json:"auth,omitempty"`
}

// shown returns a context for people: without passwords in addresses, and without the
// arguments of commands, which may be secrets too.
func shown(name string, file *contexts.File) shownContext {
	c := *file.Contexts[name]
	for _, f := range contexts.Fields() {
		if f.URL {
			*f.In(&c).(*string) = scrub.URL(f.Text(&c))
		}
	}
	if n := len(c.TokenCommand); n > 1 {
		c.TokenCommand = []string{c.TokenCommand[0], fmt.Sprintf("[%d arguments]", n-1)}
	}
	return shownContext{name, name == file.Current, &c, auth(&c)}
}

func auth(c *contexts.Settings) string {
	for _, f := range contexts.Fields() {
		switch {
		case f.Credential == "" || f.Empty(c):
		case f.Secret:
			return f.Credential
		default:
			return f.Credential + " " + f.Text(c)
		}
	}
	switch {
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
		Use: "list", Short: "List the contexts, without their secrets", Args: cobra.NoArgs,
		RunE: with(contextsFile, func(cmd *cobra.Command, file *contexts.File, _ []string) error {
			list := []shownContext{}
			for _, name := range file.Names() {
				list = append(list, shown(name, file))
			}
			return cli.Display(cmd, format, list, func(t *cli.Table) {
				t.Row("CURRENT", "NAME", "ENGINE", "ENDPOINT", "NAMESPACE", "AUTH")
				for _, c := range list {
					mark := ""
					if c.Current {
						mark = "*"
					}
					t.Row(mark, c.Name, cmp.Or(c.Engine, "kfp"), cmp.Or(c.Endpoint, c.Server, "kubeconfig "+c.Kubeconfig), c.Namespace, c.Auth)
				}
			})
		}),
	}
	flags.Format(cmd, &format)
	return cmd
}

func newContextTest() *cobra.Command {
	var f flags.Server
	cmd := &cobra.Command{
		Use: "test", Short: "Test the connection and the credentials", Args: cobra.NoArgs,
		RunE: with(f.Connect, func(cmd *cobra.Command, c client.Client, _ []string) error {
			if c, ok := c.(*argo.Client); ok {
				return tryArgo(cmd, c)
			}
			k, err := f.KFP(cmd)
			if err != nil {
				return err
			}
			return tryKFP(cmd, k)
		}),
	}
	f.Add(cmd.Flags())
	return cmd
}

func tryKFP(cmd *cobra.Command, c *kfp.Client) error {
	w := cmd.OutOrStdout()
	address, from := c.Server()
	cli.Say(w, "server      %s (%s)", address, from)
	cli.Say(w, "credential  %s", cmp.Or(c.Credential(), "none"))
	h, err := c.Health(cmd.Context())
	if err != nil {
		return err
	}
	users := "one user"
	if h.MultiUser {
		users = "many users"
	}
	cli.Say(w, "health      ok, for %s", users)
	if h.Version != "" {
		cli.Say(w, "version     %s", h.Version)
	}
	if _, _, err := c.ListExperiments(cmd.Context(), kfp.ListOptions{Size: 1}); err != nil {
		return err
	}
	return cli.Say(w, "access      ok")
}

func tryArgo(cmd *cobra.Command, c *argo.Client) error {
	w := cmd.OutOrStdout()
	address, credential := c.Server()
	cli.Say(w, "server      %s", address)
	cli.Say(w, "credential  %s", credential)
	version, err := c.Health(cmd.Context())
	if err != nil {
		return err
	}
	if version != "" {
		cli.Say(w, "version     %s, of the Argo server", version)
	}
	return cli.Say(w, "access      ok, in namespace %s", c.Namespace())
}
