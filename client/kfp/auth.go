package kfp

import (
	"os"

	"github.com/kfpgo/kfpgo/client/internal/gateway"
)

// credential returns the one that a Config has, or else a pod has; nil: none.
func (o *Config) credential(from string, getenv func(string) string) (gateway.Credential, error) {
	switch {
	case o.Token != "":
		return gateway.Token(o.Token, from)
	case o.TokenFile != "":
		return gateway.TokenFile(o.TokenFile, from), nil
	case len(o.TokenCommand) > 0:
		return gateway.TokenCommand(o.TokenCommand, from), nil
	case o.Cookie != "":
		return gateway.Cookie(o.Cookie, from)
	case o.Login != "":
		return newDex(o, from, getenv)
	case o.IAPClient != "":
		return newIAP(o, from, getenv)
	}
	if _, err := os.Stat(clusterToken); err == nil {
		return gateway.TokenFile(clusterToken, "this pod"), nil
	}
	return nil, nil
}
