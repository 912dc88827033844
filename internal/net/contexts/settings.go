package contexts

import (
	"errors"
	"fmt"
	"strings"
)

// Settings say where a server is and how to authenticate to it. An empty setting comes from
// elsewhere or isn't needed. The tags of a field are the one list of properties of a
// setting: its key in the file of contexts, its flags, its variables, and what it can't be
// together with. The Config of a client has it if that has a field of this name.
//
//	yaml, json  its key; "-" in json: it is a secret, which is read from the standard input
//	flag        the name of its flag, where that isn't the key
//	help        of the flag, with <WHAT> for its value
//	only        "context": commands that speak to a server have no flag for it by themselves
//	env         variables that stand in for it: those of KF_PIPELINES_ for KFP, of ARGO_ for Argo
//	for         the one engine that has it
//	form        "url": an address, which is shown without its password
//	credential  what people call this way to authenticate; a server is given one of them
//	group       fields of which one source has all: two sources may be of two servers
//	with        the field of its group, before it, that it belongs to
type Settings struct {
	Engine            string   `yaml:"engine,omitempty" json:"engine,omitempty" only:"context" help:"<KIND> of the server: kfp or argo; default kfp"`
	Endpoint          string   `yaml:"endpoint,omitempty" json:"endpoint,omitempty" group:"place" form:"url" env:"KF_PIPELINES_ENDPOINT" help:"<URL> of the server, with the path that its API is below"`
	UI                string   `yaml:"ui,omitempty" json:"ui,omitempty" only:"context" for:"kfp" form:"url" env:"KF_PIPELINES_UI_ENDPOINT" help:"<URL> of its pages, for links"`
	Namespace         string   `yaml:"namespace,omitempty" json:"namespace,omitempty" env:"KFPGO_NAMESPACE,ARGO_NAMESPACE" help:"<NAME> of your namespace, on servers with many users"`
	Experiment        string   `yaml:"experiment,omitempty" json:"experiment,omitempty" only:"context" for:"kfp" env:"KF_PIPELINES_DEFAULT_EXPERIMENT_NAME" help:"<NAME> of the experiment for runs that name none"`
	Token             string   `yaml:"token,omitempty" json:"-" group:"credential" credential:"token" flag:"token-stdin" env:"KFPGO_TOKEN,ARGO_TOKEN" help:"keep the bearer token that is on the standard input"`
	TokenFile         string   `yaml:"tokenFile,omitempty" json:"tokenFile,omitempty" flag:"token-file" group:"credential" credential:"token file" env:"KF_PIPELINES_SA_TOKEN_PATH" help:"<FILE> with a bearer token, read again when it changes; KFPGO_TOKEN holds one itself"`
	TokenCommand      []string `yaml:"tokenCommand,omitempty" json:"tokenCommand,omitempty" flag:"token-command" group:"credential" credential:"token command" help:"<COMMAND> that prints a bearer token; repeat it for each argument"`
	User              string   `yaml:"user,omitempty" json:"user,omitempty" for:"kfp" env:"KFPGO_USER" help:"<NAME> of the user, for servers that believe it"`
	UserHeader        string   `yaml:"userHeader,omitempty" json:"userHeader,omitempty" flag:"user-header" for:"kfp" help:"<HEADER> that names the user; default kubeflow-userid"`
	Cookie            string   `yaml:"cookie,omitempty" json:"-" group:"credential" credential:"cookie" for:"kfp" flag:"cookie-stdin" env:"KFPGO_COOKIE" help:"keep the cookie of a session, NAME=VALUE, that is on the standard input"`
	Login             string   `yaml:"login,omitempty" json:"login,omitempty" group:"credential" credential:"login" for:"kfp" help:"<NAME> for the login page of Dex"`
	PasswordFile      string   `yaml:"passwordFile,omitempty" json:"passwordFile,omitempty" flag:"password-file" group:"credential" with:"Login" for:"kfp" help:"<FILE> with the password of --login; KFPGO_PASSWORD holds it itself"`
	LoginHost         string   `yaml:"loginHost,omitempty" json:"loginHost,omitempty" flag:"login-host" group:"credential" with:"Login" for:"kfp" help:"<HOST> of the page of --login, if it isn't that of the endpoint"`
	IAPClient         string   `yaml:"iapClient,omitempty" json:"iapClient,omitempty" flag:"iap-client" group:"credential" credential:"IAP client" for:"kfp" env:"KF_PIPELINES_IAP_OAUTH2_CLIENT_ID" help:"client <ID> of Google's Identity-Aware Proxy"`
	ServiceAccountKey string   `yaml:"iapKey,omitempty" json:"iapKey,omitempty" group:"credential" with:"IAPClient" for:"kfp" flag:"service-account-key" help:"<FILE> with the key of a service account, for --iap-client; default: GOOGLE_APPLICATION_CREDENTIALS"`
	CA                string   `yaml:"ca,omitempty" json:"ca,omitempty" env:"KFPGO_CA" help:"<FILE> with the certificates that are trusted, beside the machine's or the kubeconfig's"`
	Cert              string   `yaml:"cert,omitempty" json:"cert,omitempty" group:"certificate" help:"<FILE> with the client's certificate"`
	Key               string   `yaml:"key,omitempty" json:"key,omitempty" group:"certificate" help:"<FILE> with the key of --cert"`
	Insecure          bool     `yaml:"insecure,omitempty" json:"insecure,omitempty" flag:"insecure-skip-tls-verify" help:"take any certificate of the server"`
	Proxy             string   `yaml:"proxy,omitempty" json:"proxy,omitempty" form:"url" help:"<URL> of a proxy; default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY"`
	Kubeconfig        string   `yaml:"kubeconfig,omitempty" json:"kubeconfig,omitempty" group:"place" help:"<FILE>; without an endpoint the server is reached through the API of its cluster"`
	Via               string   `yaml:"via,omitempty" json:"via,omitempty" for:"kfp" env:"KFPGO_VIA" help:"with --kubeconfig: <WAY> to the server: service-proxy, the default, or port-forward"`
	Service           string   `yaml:"service,omitempty" json:"service,omitempty" for:"kfp" help:"with --kubeconfig: <NAME.NAMESPACE> of KFP's service; default ml-pipeline.kubeflow"`
	Metadata          string   `yaml:"metadata,omitempty" json:"metadata,omitempty" only:"context" for:"kfp" env:"KFPGO_METADATA" help:"<HOST:PORT> of KFP's ML Metadata, for kfpgo artifacts; default: its service in the cluster"`
	Store             string   `yaml:"store,omitempty" json:"store,omitempty" only:"context" form:"url" env:"KFPGO_STORE" help:"<URL> of the S3 store with the artifacts; default: as the cluster has it"`
	Server            string   `yaml:"argoServer,omitempty" json:"argoServer,omitempty" flag:"argo-server" group:"place" for:"argo" form:"url" env:"ARGO_SERVER" help:"<URL> of the Argo server, in place of a kubeconfig"`
	KubeContext       string   `yaml:"kubeContext,omitempty" json:"kubeContext,omitempty" flag:"kube-context" group:"place" with:"Kubeconfig" help:"<NAME> of a context in the kubeconfig"`
}

// Has reports whether one of a group of settings is given, such as a place or a credential.
func (s *Settings) Has(group string) bool { return s.first(group) != nil }

// first returns the setting that decides for its group; nil for none.
func (s *Settings) first(group string) *Field {
	for _, f := range Fields() {
		if f.Group == group && f.With == "" && !f.Empty(s) {
			return f
		}
	}
	return nil
}

// Under fills what is empty from another source. Of a group it takes nothing if s has
// something of it.
func (s *Settings) Under(other *Settings) {
	has := map[string]bool{"": false}
	for _, f := range Fields() {
		has[f.Group] = f.Group != "" && s.Has(f.Group)
	}
	for _, f := range Fields() {
		if !has[f.Group] && f.Empty(s) {
			f.Copy(s, other)
		}
	}
}

// Check returns all that can't be together.
func (s *Settings) Check() error {
	var wrong []error
	var given, known []string
	var of *Field // what the fields after it belong to
	for _, f := range Fields() {
		if f.Credential != "" && (f.For == "" || f.For == s.Engine) {
			known = append(known, f.Credential)
			if !f.Empty(s) {
				given = append(given, f.Credential)
			}
		}
		if f.With == "" {
			of = f
		} else if f.Group == "credential" && !f.Empty(s) && of.Empty(s) {
			wrong = append(wrong, fmt.Errorf("--%s (%s) goes with --%s (%s), which isn't given", f.Flag, f.Name, of.Flag, of.Name))
		}
	}
	if len(given) > 1 {
		wrong = append(wrong, fmt.Errorf("more than one credential is given: %s; choose one of %s", strings.Join(given, " and "), strings.Join(known, ", ")))
	}
	if s.Engine == "argo" && s.Server != "" && (s.Endpoint != "" || s.Kubeconfig != "") {
		wrong = append(wrong, errors.New("both the Argo server and the API of Kubernetes are named; give one of --argo-server and --endpoint or --kubeconfig"))
	}
	if s.Engine == "argo" && s.Server == "" && len(s.TokenCommand) > 0 {
		wrong = append(wrong, errors.New("a command that prints a token is for the Argo server (--argo-server URL); a kubeconfig can have one itself, as exec"))
	}
	return errors.Join(wrong...)
}
