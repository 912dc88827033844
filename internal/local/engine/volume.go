package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/quantity"
)

// volumes are the claims that steps mount. Those that the run makes are folders
// of the run; others outlive it, as they would on a cluster, and are folders of
// the home.
type volumes struct {
	run, home string
	mu        sync.Mutex
	state     map[string]string // made or deleted, by claim
}

// newVolumes returns those of the run of a folder, which may have some from another run.
func newVolumes(dir, home string) *volumes {
	v := &volumes{run: filepath.Join(dir, "volumes"), home: filepath.Join(home, "volumes"), state: map[string]string{}}
	there, _ := os.ReadDir(v.run)
	for _, claim := range there {
		v.state[claim.Name()] = "made"
	}
	return v
}

func (v *volumes) dir(claim string) string {
	if v.state[claim] != "" {
		return filepath.Join(v.run, claim)
	}
	return filepath.Join(v.home, claim)
}

// mount returns the folder of a claim.
func (v *volumes) mount(claim string) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := valid(claim); err != nil {
		return "", err
	}
	if v.state[claim] == "deleted" {
		return "", fmt.Errorf("claim %s was deleted", claim)
	}
	dir := v.dir(claim)
	return dir, makeClaim(dir)
}

func (v *volumes) create(claim string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := valid(claim); err != nil {
		return err
	}
	if v.state[claim] == "made" {
		return fmt.Errorf("claim %s exists already", claim)
	}
	v.state[claim] = "made"
	return makeClaim(v.dir(claim))
}

func (v *volumes) remove(claim string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := valid(claim); err != nil {
		return err
	}
	dir := v.dir(claim)
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("there is no claim %s", claim)
	}
	v.state[claim] = "deleted"
	return os.RemoveAll(dir)
}

// valid keeps the folder of a claim in the folder of volumes.
func valid(claim string) error {
	if claim == "" || claim == "." || claim == ".." || filepath.Base(claim) != claim {
		return fmt.Errorf("%q is not the name of a claim", claim)
	}
	return nil
}

// resource does the operations on claims; check has refused all others.
func (s *step) resource() (env, error) {
	text := func(name string) string { return plain(s.in.params[name]) }
	out := env{params: map[string]json.RawMessage{}}
	switch s.c.Exec.Resource.Builtin {
	case program.CreatePVC:
		if source, ok := s.in.params["data_source"]; ok {
			return out, fmt.Errorf("the claim starts from %s, which only a cluster has; start from an empty one here", source)
		}
		name := text("pvc_name")
		if name == "" {
			name = s.e.rec.ID + text("pvc_name_suffix")
		}
		b, err := json.Marshal(name)
		if err != nil {
			return out, err
		}
		out.params["name"] = b
		if err := quantity.Size(text("size")); err != nil {
			return out, fmt.Errorf("input size: %w", err)
		}
		return out, s.e.volumes.create(name)
	case program.DeletePVC:
		return out, s.e.volumes.remove(text("pvc_name"))
	}
	return out, fmt.Errorf("it works on a cluster's objects, and there is none here; %s", s.e.instead(s.c))
}

// makeClaim makes the folder of a claim, which containers mount, in one that only its
// user can enter.
func makeClaim(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	return os.MkdirAll(dir, 0o755)
}
