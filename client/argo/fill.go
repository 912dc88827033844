package argo

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/client/internal/kubeapi"
	"github.com/kfpgo/kfpgo/internal/net/contexts"
)

// FromContext returns the Config of a context that kfpgo context set --engine argo has
// made. Without a name it is what the command uses: ARGO_SERVER, or else the context of
// KFPGO_CONTEXT, or else the current one if it is of Argo. Variables of the environment win
// over what the context says, but not over the server and the credential of one that is
// named. It is not an error if there is no context; then Connect looks for a kubeconfig.
//
//	conf, err := argo.FromContext("team-a")
//	c, err := argo.Connect(conf)
func FromContext(name string) (o Config, err error) {
	s, of, err := contexts.Choose(name, "argo", contexts.Getenv)
	if err != nil {
		return o, fmt.Errorf("argo: %w", err)
	}
	contexts.Match(&o, s)
	o.of = of
	return o, nil
}

// fill completes a Config by the environment.
func (o *Config) fill(getenv func(string) string) error {
	o.env = contexts.NewEnv(getenv)
	s := &contexts.Settings{Engine: "argo"}
	contexts.Match(s, o)
	o.env.Under(s, o.of.Named)
	if err := s.Check(); err != nil {
		return err
	}
	contexts.Match(o, s)
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	if o.Server == "" {
		return nil
	}
	o.serverFrom = o.env.From("place", s, &o.of)
	o.tokenFrom, _, _ = strings.Cut(o.env.From("credential", s, &o.of), " ") // the context's name is the server's
	o.Namespace = cmp.Or(o.Namespace, kubeapi.PodNamespace(), "default")
	if !strings.HasPrefix(o.serverFrom, "context ") {
		o.plain, o.path = getenv("ARGO_SECURE") == "false", getenv("ARGO_BASE_HREF")
		o.Insecure = o.Insecure || getenv("ARGO_INSECURE_SKIP_VERIFY") == "true"
	}
	return nil
}
