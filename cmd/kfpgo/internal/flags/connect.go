package flags

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/argo"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/internal/net/contexts"
)

// engines connect to the servers of each kind.
var engines = map[string]func(*Server) (client.Client, error){
	"kfp": func(f *Server) (client.Client, error) {
		o, err := configured(f, kfp.FromContext)
		if err != nil {
			return nil, err
		}
		o.Zone, o.Timeout = f.ClusterZone, f.timeout
		return kfp.Connect(o)
	},
	"argo": func(f *Server) (client.Client, error) {
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
func configured[Config any](f *Server, from func(string) (Config, error)) (o Config, err error) {
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

// foreign refuses settings that only servers of another kind have.
func foreign(cmd *cobra.Command, s *contexts.Settings, engine, hint string) error {
	for _, f := range contexts.Fields() {
		if f.For != "" && f.For != engine && !f.Empty(s) {
			return cli.Usagef(cmd, "--%s is of %s, and the server is one of %s%s", f.Flag, contexts.Title(f.For), contexts.Title(engine), hint)
		}
	}
	return nil
}

// engine returns which kind of server is meant.
func (f *Server) engine() (string, error) {
	if f.On != "" {
		return f.On, nil
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

// Here reports whether this machine is meant: --on says so, or nothing names a server.
func (f *Server) Here(cmd *cobra.Command) (bool, error) {
	given := ""
	for _, name := range ServerNames() {
		if cmd.Flags().Changed(name) {
			given = name
		}
	}
	switch {
	case f.On == "local" && given != "":
		return false, cli.Usagef(cmd, "--%s is for runs on a server, and --on is local", given)
	case f.On != "" || given != "":
		return f.On == "local", nil
	}
	configured, err := contexts.Configured(os.Getenv)
	return !configured, err
}

// Connect returns a connection to the server that is meant.
func (f *Server) Connect(cmd *cobra.Command) (client.Client, error) {
	on, err := f.engine()
	if err != nil {
		return nil, err
	}
	connect := engines[on]
	if connect == nil {
		return nil, cli.Usagef(cmd, "there is no engine %q to speak to; there are %s", on, strings.Join(slices.Sorted(maps.Keys(engines)), ", "))
	}
	if err := foreign(cmd, &f.Settings, on, ""); err != nil {
		return nil, err
	}
	utilruntime.ErrorHandlers = nil // they would log what forwarded ports meet, which the errors of calls say
	return connect(f)
}

// KFP is for what only KFP has.
func (f *Server) KFP(cmd *cobra.Command) (*kfp.Client, error) {
	c, err := f.Connect(cmd)
	if err != nil {
		return nil, err
	}
	k, ok := c.(*kfp.Client)
	if !ok {
		return nil, cli.Usagef(cmd, "%s is for KFP, and the server is one of %s", cmd.CommandPath(), c.Engine())
	}
	return k, nil
}

// CheckContext tries if a connection can be made of a context. A kubeconfig may come to be
// there later, and what stands for a password or for the key of IAP in the environment.
func CheckContext(cmd *cobra.Command, c *contexts.Settings) error {
	as := *c
	if as.Engine = cmp.Or(c.Engine, "kfp"); engines[as.Engine] == nil {
		return cli.Usagef(cmd, "--engine is kfp or argo, not %q", c.Engine)
	}
	if err := foreign(cmd, c, as.Engine, ", as --engine says"); err != nil {
		return err
	}
	if err := as.Check(); err != nil {
		return fmt.Errorf("%w; an empty value removes a setting of the context, as in --login ''", err)
	}
	switch {
	case as.Engine == "argo" && as.Server == "":
		return nil
	case !as.Has("place"):
		return errors.New("the context leads nowhere; give --endpoint URL or --kubeconfig FILE")
	}
	if as.PasswordFile == "" {
		as.Login, as.LoginHost = "", ""
	}
	if as.ServiceAccountKey == "" {
		as.IAPClient = ""
	}
	_, err := engines[as.Engine](&Server{Settings: as})
	return err
}
