// Package contexts keeps the servers that a user works with, and how to authenticate to
// them: contexts, in one file that only the user can read. [Settings] has all
// settings of a server, for the file, the flags of the command and the Configs of the clients.
package contexts

import (
	"bytes"
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

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
	"github.com/kfpgo/kfpgo/internal/host/owner"
)

// A File is the whole of the file.
type File struct {
	Current  string               `yaml:"current,omitempty"`
	Contexts map[string]*Settings `yaml:"contexts,omitempty"`

	path string
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
		return &File{Contexts: map[string]*Settings{}}, nil // nothing to read; Save reports the missing path
	}
	f := &File{Contexts: map[string]*Settings{}, path: path}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		if getenv("KFPGO_CONFIG") != "" {
			err = fmt.Errorf("KFPGO_CONFIG: %w", err)
		}
		return nil, err
	}
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	if err := d.Decode(f); err != nil && len(bytes.TrimSpace(b)) > 0 {
		return nil, fmt.Errorf("%s: %w", path, mistake(err))
	}
	if f.Contexts == nil { // contexts: null
		f.Contexts = map[string]*Settings{}
	}
	for name, c := range f.Contexts {
		if c == nil {
			f.Contexts[name] = &Settings{}
		}
	}
	if st, err := os.Stat(path); err == nil && owner.Shared(st) && f.secret() {
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
		for _, f := range Fields() {
			if f.Secret && !f.Empty(c) || f.URL && password(f.Text(c)) {
				return true
			}
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
	return atomicfile.Write(f.path, 0o600, b.Bytes())
}

// File returns the file's path, for messages.
func (f *File) File() string { return f.path }

// Names returns the names of the contexts, sorted.
func (f *File) Names() []string { return slices.Sorted(maps.Keys(f.Contexts)) }

// Get returns a context by its name, or the current one for "". It is empty if no
// context is current.
func (f *File) Get(name string) (*Settings, error) {
	if name == "" {
		if name = f.Current; name == "" {
			return &Settings{}, nil
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
