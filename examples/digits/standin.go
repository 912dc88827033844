package digits

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed" // the Python source
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

//go:embed serve.py
var servePy string

// A Server is the Python package of a model server. In a run on this machine it
// stands in for the operator that would start it in a pod.
type Server struct {
	kind     string
	packages []string
}

// The servers.
var (
	Seldon = Server{"seldon", []string{"seldon-core==1.18.2", "setuptools<81"}}
	KServe = Server{"kserve", []string{"kserve==0.15.2"}}
)

// Start serves the model in a folder until Stop, or until the process that has
// started this one is gone. It returns the server's URL.
func (s Server) Start(ctx context.Context, name, folder string) (url string, err error) {
	python, err := s.python(ctx)
	if err != nil {
		return "", err
	}
	if err := s.Stop(name); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "kfpgo-"+s.kind+"-")
	if err != nil {
		return "", err
	}
	running, err := s.running(name)
	if err != nil {
		return "", err
	}
	file, log := filepath.Join(dir, "serve.py"), filepath.Join(dir, "log")
	if err := cmp.Or(os.WriteFile(file, []byte(servePy), 0o600), os.WriteFile(running, []byte(dir), 0o600)); err != nil {
		return "", err
	}
	ports, err := free(3)
	if err != nil {
		return "", err
	}
	out, err := os.Create(log)
	if err != nil {
		return "", err
	}
	defer out.Close()
	args := append([]string{file, s.kind, name, folder, running, strconv.Itoa(os.Getppid())}, ports...)
	cmd := exec.Command(python, args...) // no context: it goes on after this step
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, out
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	addr := net.JoinHostPort("127.0.0.1", ports[0])
	for {
		if c, err := net.DialTimeout("tcp", addr, time.Second); err == nil {
			c.Close()
			return "http://" + addr, nil
		}
		select {
		case err := <-ended:
			b, _ := os.ReadFile(log)
			return "", fmt.Errorf("the server has ended, %v: %s", err, b[max(0, len(b)-2000):])
		case <-ctx.Done():
			return "", errors.Join(context.Cause(ctx), s.Stop(name))
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Stop ends the server of a name. That there is none is no error.
func (s Server) Stop(name string) error {
	running, err := s.running(name)
	if err != nil {
		return err
	}
	dir, err := os.ReadFile(running)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return cmp.Or(err, os.Remove(running), os.RemoveAll(string(dir)))
}

// running returns the file that is there as long as a server shall run.
func (s Server) running(name string) (string, error) {
	dir, err := cache()
	return filepath.Join(dir, s.kind+"-"+name+".running"), err
}

// python returns the Python of an environment that pip installs the server in,
// once.
func (s Server) python(ctx context.Context) (string, error) {
	packages := slices.Concat(s.packages, scikit)
	if s.kind == "kserve" { // it wants a newer numpy, which reads what an older one wrote
		packages = slices.Concat(s.packages, scikit[:1])
	}
	dir, err := cache()
	if err != nil {
		return "", err
	}
	venv := filepath.Join(dir, fmt.Sprintf("%s-%x", s.kind, sha256.Sum256([]byte(strings.Join(packages, " ")))))[:len(dir)+1+len(s.kind)+13]
	python, complete := filepath.Join(venv, "bin", "python3"), filepath.Join(venv, "complete")
	if _, err := os.Stat(complete); err == nil {
		return python, nil
	}
	fmt.Printf("pip installs %s\n", strings.Join(packages, " "))
	for _, args := range [][]string{
		{"python3", "-m", "venv", "--clear", venv},
		slices.Concat([]string{python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"}, packages),
	} {
		if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(out))
		}
	}
	return python, os.WriteFile(complete, nil, 0o600)
}

func cache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "kfpgo", "servers")
	return dir, os.MkdirAll(dir, 0o755)
}

// free returns ports that nobody listens on.
func free(n int) (ports []string, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
	}
	return ports, nil
}
