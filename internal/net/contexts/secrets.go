package contexts

import "os"

// SecretVars are the variables of the environment that hold a secret themselves.
var SecretVars = []string{"KFPGO_TOKEN", "KFPGO_COOKIE", "KFPGO_PASSWORD", "ARGO_TOKEN"}

var hidden = map[string]string{}

// Hide takes the secrets out of the environment, so that no program that is started
// from here has them: compilers, steps of runs, commands that print tokens. [Getenv]
// still knows them. It is called once, before anything else runs.
func Hide() {
	for _, name := range SecretVars {
		if v, ok := os.LookupEnv(name); ok {
			hidden[name] = v
			os.Unsetenv(name)
		}
	}
}

// Getenv is os.Getenv that knows what was hidden.
func Getenv(name string) string {
	if v, ok := hidden[name]; ok {
		return v
	}
	return os.Getenv(name)
}
