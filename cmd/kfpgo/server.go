package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/argo"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/internal/net/contexts"
	"github.com/kfpgo/kfpgo/internal/net/paging"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// serverFlags say which server a verb speaks to, and how to authenticate to it.
type serverFlags struct {
	on          string // engine, if it was given
	context     string
	clusterZone string
	timeout     time.Duration
	contexts.Settings
}

// engines connect to the servers of each kind.
var engines = map[string]func(*serverFlags) (client.Client, error){
	"kfp": func(f *serverFlags) (client.Client, error) {
		o, err := configured(f, kfp.FromContext)
		if err != nil {
			return nil, err
		}
		o.Zone, o.Timeout = f.clusterZone, f.timeout
		return kfp.Connect(o)
	},
	"argo": func(f *serverFlags) (client.Client, error) {
		o, err := configured(f, argo.FromContext)
		if err != nil {
			return nil, err
		}
		o.Timeout = f.timeout
		return argo.Connect(o)
	},
}

// configured returns the Config of a client: the flags, and what they leave out of the
// context. Without the name of a context, a server that they name is another one.
func configured[Config any](f *serverFlags, from func(string) (Config, error)) (o Config, err error) {
	if f.context != "" || !f.Has("place") {
		if o, err = from(f.context); err != nil {
			return o, err
		}
	}
	s, under := f.Settings, contexts.Settings{}
	contexts.Match(&under, &o)
	s.Under(&under)
	contexts.Match(&o, &s)
	return o, nil
}

func (f *serverFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.context, "context", "", "use the server of context `NAME`; default: KFPGO_CONTEXT, else the current one")
	fs.DurationVar(&f.timeout, "request-timeout", 0, "`TIME` for one request; default 30s")
	ours := func(s *contexts.Field) bool { return s.Only == "" && !s.Secret }
	addSettings(fs, &f.Settings, ours)
	for _, s := range contexts.Fields() {
		if ours(s) && len(s.Env) > 0 && !strings.Contains(s.Help, "default") {
			fs.Lookup(s.Flag).Usage += "; default: " + strings.Join(s.Env, " or ") + ", else the context's"
		}
	}
}

// addSettings makes the flags of settings.
func addSettings(fs *pflag.FlagSet, to *contexts.Settings, which func(*contexts.Field) bool) {
	for _, f := range contexts.Fields() {
		if !which(f) {
			continue
		}
		switch at := f.In(to).(type) {
		case *bool:
			fs.BoolVar(at, f.Flag, false, f.Help)
		case *[]string:
			fs.StringArrayVar(at, f.Flag, nil, f.Help)
		case *string:
			if f.Secret {
				fs.Bool(f.Flag, false, f.Help)
				continue
			}
			fs.StringVar(at, f.Flag, "", f.Help)
		}
	}
}

// foreign refuses settings that only servers of another kind have.
func foreign(cmd *cobra.Command, s *contexts.Settings, engine, hint string) error {
	for _, f := range contexts.Fields() {
		if f.For != "" && f.For != engine && !f.Empty(s) {
			return usagef(cmd, "--%s is of %s, and the server is one of %s%s", f.Flag, contexts.Title(f.For), contexts.Title(engine), hint)
		}
	}
	return nil
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
	if f.Endpoint != "" || f.context == "" && os.Getenv("KF_PIPELINES_ENDPOINT") != "" {
		return "kfp", nil
	}
	if f.Server != "" || f.context == "" && os.Getenv("ARGO_SERVER") != "" {
		return "argo", nil
	}
	file, err := contexts.Load(os.Getenv)
	if err != nil {
		return "", err
	}
	env := contexts.NewEnv(os.Getenv)
	c, err := file.Get(env.Or(f.context, "KFPGO_CONTEXT"))
	if err != nil {
		return "", env.Blame("KFPGO_CONTEXT", err)
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
	if err := foreign(cmd, &f.Settings, on, ""); err != nil {
		return nil, err
	}
	utilruntime.ErrorHandlers = nil // they would log what forwarded ports meet, which the errors of calls say
	return connect(f)
}

func engineNames() []string { return slices.Sorted(maps.Keys(engines)) }

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
	fmt.Fprintf(cmd.ErrOrStderr(), "%s? [y/N] ", printable.Line(what))
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
	for trail := (paging.Trail{}); ; {
		some, next, err := page(ctx, o)
		if err != nil {
			return nil, "", err
		}
		list = append(list, some...)
		if o.Page = next; next == "" || !l.all {
			return list, next, nil
		}
		if err := trail.Follow(ctx, next); err != nil {
			return nil, "", err
		}
	}
}

// more tells that there is another page.
func more(cmd *cobra.Command, next string) {
	if next != "" {
		say(cmd.ErrOrStderr(), "there are more: --page-token %s shows the next page, --all shows all", next)
	}
}
