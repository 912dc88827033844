package contexts

import (
	"cmp"
	"fmt"
)

// An Origin is the context that a Config of a client is from; the zero one means no context.
type Origin struct {
	Name     string
	Named    bool // on purpose, so that no variable says another server or credential
	settings Settings
}

// titles are what people call engines.
var titles = map[string]string{"kfp": "KFP", "argo": "Argo"}

// Title returns what people call an engine.
func Title(engine string) string { return cmp.Or(titles[engine], engine) }

// Choose returns the settings of a context for an engine, with the variables of the
// environment in place of those that they stand in for. Without a name it is the context of
// KFPGO_CONTEXT, or else the current one; where a variable names the server, that is another
// one, for which no context says anything.
func Choose(name, engine string, getenv func(string) string) (*Settings, Origin, error) {
	file, err := Load(getenv)
	if err != nil {
		return nil, Origin{}, err
	}
	env := NewEnv(getenv)
	of := Origin{Named: name != ""}
	asked := env.Or(name, "KFPGO_CONTEXT")
	c, err := file.Get(asked)
	if err != nil {
		return nil, Origin{}, env.Blame("KFPGO_CONTEXT", err)
	}
	of.Name = cmp.Or(asked, file.Current)
	s := &Settings{Engine: engine}
	if env.Under(s, of.Named); s.Has("place") {
		return s, Origin{}, nil
	}
	if is := cmp.Or(c.Engine, "kfp"); is != engine && of.Name != "" {
		if engine == "argo" && asked == "" { // the current one is of another server
			return s, Origin{}, nil
		}
		return nil, Origin{}, fmt.Errorf("context %s is of %s, not of %s; choose another one with --context", of.Name, Title(is), Title(engine))
	}
	s = &Settings{Engine: engine, Server: c.Server} // whether Argo's variables count
	env.Under(s, of.Named)
	s.Under(c)
	of.settings = *s
	return s, of, nil
}

// Configured reports whether something names a server: a variable, the current context,
// or the pod that this process is in, whose cluster has one.
func Configured(getenv func(string) string) (bool, error) {
	names := []string{"KFPGO_CONTEXT", "KUBERNETES_SERVICE_HOST"}
	for _, f := range Fields() {
		if f.Group == "place" {
			names = append(names, f.Env...)
		}
	}
	for _, name := range names {
		if getenv(name) != "" {
			return true, nil
		}
	}
	file, err := Load(getenv)
	if err != nil {
		return false, err
	}
	return file.Current != "", nil
}
