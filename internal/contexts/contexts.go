// Package contexts keeps the servers that a user works with, and how to be let in
// to them: contexts, in one file that only the user can read.
package contexts

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A File is the whole of the file.
type File struct {
	Current  string              `yaml:"current,omitempty"`
	Contexts map[string]*Context `yaml:"contexts,omitempty"`

	path string
}

// A Context is one server. What is empty comes from elsewhere or isn't needed.
type Context struct {
	Engine       string   `yaml:"engine,omitempty" json:"engine,omitempty"`             // kfp, the default, or argo
	Endpoint     string   `yaml:"endpoint,omitempty" json:"endpoint,omitempty"`         // URL, with the path that the API is below
	UI           string   `yaml:"ui,omitempty" json:"ui,omitempty"`                     // URL of the pages, for links
	Namespace    string   `yaml:"namespace,omitempty" json:"namespace,omitempty"`       // of experiments and runs, or of Workflows
	Experiment   string   `yaml:"experiment,omitempty" json:"experiment,omitempty"`     // of runs that name none
	Token        string   `yaml:"token,omitempty" json:"-"`                             // a bearer token itself
	TokenFile    string   `yaml:"tokenFile,omitempty" json:"tokenFile,omitempty"`       // read again when it changes
	TokenCommand []string `yaml:"tokenCommand,omitempty" json:"tokenCommand,omitempty"` // prints a token
	User         string   `yaml:"user,omitempty" json:"user,omitempty"`                 // who the user is, told in UserHeader
	UserHeader   string   `yaml:"userHeader,omitempty" json:"userHeader,omitempty"`     // default kubeflow-userid
	Cookie       string   `yaml:"cookie,omitempty" json:"-"`                            // of a session
	Login        string   `yaml:"login,omitempty" json:"login,omitempty"`               // name for Dex's login page
	PasswordFile string   `yaml:"passwordFile,omitempty" json:"passwordFile,omitempty"` // of the login
	IAPClient    string   `yaml:"iapClient,omitempty" json:"iapClient,omitempty"`       // client id of Google's Identity-Aware Proxy
	IAPKey       string   `yaml:"iapKey,omitempty" json:"iapKey,omitempty"`             // file with the key of a service account, for IAPClient
	CA           string   `yaml:"ca,omitempty" json:"ca,omitempty"`                     // file of certificates
	Cert         string   `yaml:"cert,omitempty" json:"cert,omitempty"`                 // file, of the client
	Key          string   `yaml:"key,omitempty" json:"key,omitempty"`                   // file, of the client
	Insecure     bool     `yaml:"insecure,omitempty" json:"insecure,omitempty"`         // certificates aren't checked
	Proxy        string   `yaml:"proxy,omitempty" json:"proxy,omitempty"`               // URL; default: that of the environment
	Kubeconfig   string   `yaml:"kubeconfig,omitempty" json:"kubeconfig,omitempty"`     // file; the server is reached through the cluster's API
	Via          string   `yaml:"via,omitempty" json:"via,omitempty"`                   // with a kubeconfig: service-proxy, the default, or port-forward
	Service      string   `yaml:"service,omitempty" json:"service,omitempty"`           // with a kubeconfig: NAME.NAMESPACE of KFP; default ml-pipeline.kubeflow
	Metadata     string   `yaml:"metadata,omitempty" json:"metadata,omitempty"`         // HOST:PORT of ML Metadata; default: its service in the cluster
	Store        string   `yaml:"store,omitempty" json:"store,omitempty"`               // URL of the S3 store with the artifacts; default: as the cluster has it
	ArgoServer   string   `yaml:"argoServer,omitempty" json:"argoServer,omitempty"`     // URL of the Argo server, for engine argo
	KubeContext  string   `yaml:"kubeContext,omitempty" json:"kubeContext,omitempty"`   // of the kubeconfig; default: its current one
}

// Path returns where the file is: KFPGO_CONFIG, or else kfpgo/config.yaml in the
// user's folder for configurations.
func Path(getenv func(string) string) (string, error) {
	if p := getenv("KFPGO_CONFIG"); p != "" {
		return p, nil
	}
	dir := getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home := getenv("HOME")
		if home == "" {
			return "", errors.New("there is no folder for configurations: set HOME or KFPGO_CONFIG")
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "kfpgo", "config.yaml"), nil
}

// Load reads the file. One that isn't there has no contexts.
func Load(getenv func(string) string) (*File, error) {
	path, err := Path(getenv)
	if err != nil {
		return &File{Contexts: map[string]*Context{}}, nil // nothing to read; Save says what is missing
	}
	f := &File{Contexts: map[string]*Context{}, path: path}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	if err := d.Decode(f); err != nil && len(bytes.TrimSpace(b)) > 0 {
		return nil, fmt.Errorf("%s: %w", path, mistake(err))
	}
	for name, c := range f.Contexts {
		if c == nil {
			f.Contexts[name] = &Context{}
		}
	}
	if st, err := os.Stat(path); err == nil && st.Mode().Perm()&0o077 != 0 && f.secret() {
		return nil, fmt.Errorf("%s holds a token or a session, and its mode %04o lets others read it; chmod 600 %s", path, st.Mode().Perm(), path)
	}
	return f, nil
}

// mistake keeps values out of messages of YAML: they may be secrets.
func mistake(err error) error {
	var t *yaml.TypeError
	lines := []string{err.Error()}
	if errors.As(err, &t) {
		lines = slices.Clone(t.Errors)
	}
	for i, l := range lines {
		before, rest, found := strings.Cut(l, "`")
		if j := strings.LastIndex(rest, "`"); found && j >= 0 {
			lines[i] = before + "a value" + rest[j+1:]
		}
	}
	return errors.New(strings.Join(lines, "; "))
}

func (f *File) secret() bool {
	for _, c := range f.Contexts {
		if c.Token != "" || c.Cookie != "" || slices.ContainsFunc([]string{c.Proxy, c.Store, c.UI, c.Endpoint}, password) {
			return true
		}
	}
	return false
}

// password reports whether an address holds one.
func password(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.User != nil
}

// Save writes the file, which only the user can read then.
func (f *File) Save() error {
	if f.path == "" {
		return errors.New("there is no folder for configurations: set HOME or KFPGO_CONFIG")
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(f); err != nil {
		return err
	}
	dir := filepath.Dir(f.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".config-*") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(b.Bytes())
	if err := cmp.Or(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), f.path)
}

// File returns the file's path, for messages.
func (f *File) File() string { return f.path }

// Names returns the names of the contexts, sorted.
func (f *File) Names() []string { return slices.Sorted(maps.Keys(f.Contexts)) }

// Get returns a context by its name, or the current one for "". There may be none
// that is current; then it is empty.
func (f *File) Get(name string) (*Context, error) {
	if name == "" {
		if name = f.Current; name == "" {
			return &Context{}, nil
		}
	}
	if c := f.Contexts[name]; c != nil {
		return c, nil
	}
	if len(f.Contexts) == 0 {
		return nil, fmt.Errorf("there is no context %q, nor any other; kfpgo context set %s --endpoint URL makes it", name, name)
	}
	return nil, fmt.Errorf("there is no context %q; there are %s", name, strings.Join(f.Names(), ", "))
}
