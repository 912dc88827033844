package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/quantity"
)

// A source is a kind of object that holds keys. Here its objects are folders of
// the home, with a file for each key.
type source struct{ name, folder string }

var (
	secrets    = source{"secret", "secrets"}
	configMaps = source{"config map", "config-maps"}
)

// dir returns the folder of an object.
func (s *step) objectDir(from source, object string) (string, error) {
	if err := valid(object); err != nil {
		return "", fmt.Errorf("%q is not the name of a %s", object, from.name)
	}
	return filepath.Join(filepath.Dir(s.e.volumes.home), from.folder, object), nil
}

// sources sets the variables that a cluster would take from secrets, config maps
// and the pod. The environment of the run comes first, then the object's folder.
func (s *step) sources() error {
	for _, v := range s.t.Settings.EnvFrom() {
		if value, ok := os.LookupEnv(v.Name); ok {
			s.env = append(s.env, v.Name+"="+value)
			continue
		}
		from := secrets
		switch v.From {
		case "ConfigMap":
			from = configMaps
		case "Pod":
			return fmt.Errorf("variable %s is %s of the pod, and there is none; set it in the environment of the run", v.Name, v.Field)
		}
		b, ok, err := s.eval(v.Object)
		if err != nil || !ok {
			return errors.Join(fmt.Errorf("variable %s comes from a %s whose name was not given; set it in the environment of the run", v.Name, from.name), err)
		}
		dir, err := s.objectDir(from, plain(b))
		if err != nil {
			return err
		}
		if err := valid(v.Key); err != nil {
			return fmt.Errorf("variable %s: %q is not a key", v.Name, v.Key)
		}
		file := filepath.Join(dir, v.Key)
		text, err := os.ReadFile(file)
		switch {
		case err == nil:
			s.env = append(s.env, v.Name+"="+string(text))
		case !errors.Is(err, os.ErrNotExist):
			return fmt.Errorf("variable %s: %w", v.Name, err)
		case !v.Optional:
			return fmt.Errorf("variable %s comes from a %s, and there is no cluster to take it from; set it in the environment of the run, or write it to %s", v.Name, from.name, file)
		}
	}
	return nil
}

// objectVolumes mounts the folders of secrets and config maps.
func (s *step) objectVolumes() error {
	set := &s.t.Settings
	s.readOnly = map[string]bool{}
	for _, list := range []struct {
		from    source
		volumes []program.ObjectVolume
	}{{secrets, set.SecretVolumes}, {configMaps, set.ConfigMapVolumes}} {
		for _, v := range list.volumes {
			b, ok, err := s.eval(v.Object)
			if err != nil || !ok {
				return errors.Join(fmt.Errorf("the name of the %s mounted at %s was not given", list.from.name, v.Path), err)
			}
			dir, err := s.objectDir(list.from, plain(b))
			if err != nil {
				return err
			}
			info, err := os.Stat(dir)
			switch {
			case err == nil && info.IsDir():
			case v.Optional && errors.Is(err, os.ErrNotExist):
				dir = filepath.Join(s.dir, "volumes", list.from.folder, plain(b))
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return err
				}
			default:
				return fmt.Errorf("it mounts the %s %s at %s, and there is no cluster to take it from; make the folder %s, with a file for each key", list.from.name, plain(b), v.Path, dir)
			}
			s.mounts[v.Path], s.readOnly[v.Path] = dir, true
		}
	}
	return nil
}

// podVolumes makes the volumes that live as long as a pod: folders of the
// attempt, empty at its start.
func (s *step) podVolumes() error {
	set := &s.t.Settings
	at := filepath.Join(s.dir, "volumes", "pod")
	if err := os.RemoveAll(at); err != nil {
		return err
	}
	var paths []string
	for _, v := range set.EmptyDirs {
		paths = append(paths, v.Path)
	}
	for _, v := range set.EphemeralVolumes {
		paths = append(paths, v.Path)
	}
	for i, path := range paths {
		dir := filepath.Join(at, strconv.Itoa(i))
		if err := errors.Join(os.MkdirAll(dir, 0o777), anyUser(dir)); err != nil {
			return err
		}
		s.mounts[path] = dir
	}
	return nil
}

// podFlags are what podman and docker call the settings of a pod.
func (s *step) podFlags() []string {
	set := &s.t.Settings
	var argv []string
	switch set.PullPolicy {
	case "Always", "Never":
		argv = append(argv, "--pull", strings.ToLower(set.PullPolicy))
	case "IfNotPresent":
		argv = append(argv, "--pull", "missing")
	}
	if c := set.SecurityContext; c != nil && (c.RunAsUser != nil || c.RunAsGroup != nil) {
		user := ""
		if c.RunAsUser != nil {
			user = strconv.FormatInt(*c.RunAsUser, 10)
		}
		if c.RunAsGroup != nil {
			user += ":" + strconv.FormatInt(*c.RunAsGroup, 10)
		}
		argv = append(argv, "--user", user)
	}
	if m := set.SharedMemory; m != nil {
		if q, err := quantity.Parse(m.Size); err == nil && q.Value() > 0 {
			argv = append(argv, "--shm-size", strconv.FormatInt(q.Value(), 10))
		} else {
			argv = append(argv, "-v", "/dev/shm:/dev/shm") // all that the machine has
		}
	}
	return argv
}

// quantities refuses those that only the run knows, as a cluster would when it makes
// the pod.
func (s *step) quantities() error {
	for _, q := range s.t.Settings.Quantities() {
		if q.Of == nil {
			continue // refused before the run
		}
		b, ok, err := s.eval(*q.Of)
		if err != nil {
			return fmt.Errorf("%s: %w", q.What, err)
		}
		if !ok {
			continue
		}
		if err := q.Check(plain(b)); err != nil {
			return err
		}
	}
	return nil
}
