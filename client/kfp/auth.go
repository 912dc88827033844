package kfp

import (
	"cmp"
	"errors"
	"os"

	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/internal/contexts"
)

// credential returns the one that a Config asks for; nil: none.
func (o *Config) credential(getenv func(string) string, c *contexts.Context) (gateway.Credential, error) {
	given := 0
	for _, is := range []bool{o.Token != "", o.TokenFile != "", len(o.TokenCommand) > 0, o.Cookie != "", o.Login != "", o.IAPClient != ""} {
		if is {
			given++
		}
	}
	if given > 1 {
		return nil, errors.New("more than one credential is given; choose one of token, token file, token command, cookie, login and IAP")
	}
	if o.Token == "" && given == 1 || o.Token != "" {
		return o.own("given", getenv)
	}
	for _, t := range []struct {
		from string
		set  func()
	}{
		{"KFPGO_TOKEN", func() { o.Token = getenv("KFPGO_TOKEN") }},
		{"KF_PIPELINES_SA_TOKEN_PATH", func() { o.TokenFile = getenv("KF_PIPELINES_SA_TOKEN_PATH") }},
		{"KFPGO_COOKIE", func() { o.Cookie = getenv("KFPGO_COOKIE") }},
		{"KF_PIPELINES_IAP_OAUTH2_CLIENT_ID", func() { o.IAPClient = getenv("KF_PIPELINES_IAP_OAUTH2_CLIENT_ID") }},
	} {
		if o.Context == "" && getenv(t.from) != "" {
			t.set()
			return o.own(t.from, getenv)
		}
	}
	o.Token, o.TokenFile, o.TokenCommand, o.Cookie, o.Login, o.IAPClient = c.Token, c.TokenFile, c.TokenCommand, c.Cookie, c.Login, c.IAPClient
	o.PasswordFile, o.ServiceAccountKey = cmp.Or(o.PasswordFile, c.PasswordFile), cmp.Or(o.ServiceAccountKey, c.IAPKey)
	if o.Token != "" || o.TokenFile != "" || len(o.TokenCommand) > 0 || o.Cookie != "" || o.Login != "" || o.IAPClient != "" {
		return o.own("context", getenv)
	}
	if _, err := os.Stat(clusterToken); err == nil {
		o.TokenFile = clusterToken
		return o.own("this pod", getenv)
	}
	return nil, nil
}

// own makes the credential that the fields hold.
func (o *Config) own(from string, getenv func(string) string) (gateway.Credential, error) {
	switch {
	case o.TokenFile != "":
		return gateway.TokenFile(o.TokenFile, from), nil
	case len(o.TokenCommand) > 0:
		return gateway.TokenCommand(o.TokenCommand, from), nil
	case o.Cookie != "":
		return gateway.Cookie(o.Cookie, from), nil
	case o.Login != "":
		return newDex(o, from, getenv)
	case o.IAPClient != "":
		return newIAP(o, from, getenv)
	}
	return gateway.Token(o.Token, from)
}
