package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
)

// variables are the environment variables of the step, as NAME=value.
func (s *step) variables() ([]string, error) {
	for _, v := range s.env {
		name, _, _ := strings.Cut(v, "=")
		if err := carried("variable "+name, v); err != nil {
			return nil, err
		}
	}
	vars := append([]string{}, s.env...)
	if len(s.mounts) > 0 {
		b, err := json.Marshal(s.mounts)
		if err != nil {
			return nil, err
		}
		vars = append(vars, "KFPGO_MOUNTS="+string(b))
	}
	if s.devices != nil {
		vars = append(vars, "CUDA_VISIBLE_DEVICES="+s.deviceList())
	}
	return vars, nil
}

// deviceList is the GPUs that the step has, such as 0,2.
func (s *step) deviceList() string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(s.devices)), ","), "[]")
}

// environment is that of this process. Steps that run in the process read it; one
// that has variables of its own changes it, so no other may run meanwhile.
var environment sync.RWMutex

// withVariables calls f with variables in the environment of this process.
func withVariables(vars []string, f func() error) (err error) {
	if len(vars) == 0 {
		environment.RLock()
		defer environment.RUnlock()
		return f()
	}
	environment.Lock()
	defer environment.Unlock()
	for _, v := range vars {
		name, value, _ := strings.Cut(v, "=")
		if old, ok := os.LookupEnv(name); ok {
			defer func() { err = errors.Join(err, os.Setenv(name, old)) }()
		} else {
			defer func() { err = errors.Join(err, os.Unsetenv(name)) }()
		}
		if err := os.Setenv(name, value); err != nil {
			return fmt.Errorf("variable %s: %w", name, err)
		}
	}
	return f()
}
