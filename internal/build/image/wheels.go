package image

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/host/child"
	"github.com/kfpgo/kfpgo/internal/model/graph"
)

// labelPackages is the label of an image that holds its packages with their hashes, a
// line each, as pip takes them.
const labelPackages = "kfpgo.packages"

// A wheel is what pip has chosen for a package.
type wheel struct {
	name, version, sha256 string
	url                   string
	direct                bool // the requirement names the address
}

// wheels are in the order of their names.
type wheels []wheel

// lock returns the wheels as requirements that nothing else meets. For pip, one that was
// named by its address keeps that.
func (ws wheels) lock(forPip bool) string {
	var b strings.Builder
	for _, w := range ws {
		if w.direct && forPip {
			fmt.Fprintf(&b, "%s @ %s --hash=sha256:%s\n", w.name, w.url, w.sha256)
		} else {
			fmt.Fprintf(&b, "%s==%s --hash=sha256:%s\n", w.name, w.version, w.sha256)
		}
	}
	return b.String()
}

// resolve has pip choose the wheels, and returns their hashes: those that the index
// publishes, against which pip checks what it downloads, or else that of what came.
func (r Requirements) resolve(ctx context.Context, dir string, args []string) (wheels, error) {
	report := dir + ".json"
	defer os.Remove(report)
	args = append(slices.Clone(args), "--dry-run", "--ignore-installed", "--report", report)
	if slices.ContainsFunc(r.Packages, func(p string) bool { return strings.Contains(p, " --") }) { // such as --hash, in a file only
		file := dir + ".txt"
		if err := os.WriteFile(file, []byte(strings.Join(r.Packages, "\n")+"\n"), 0o600); err != nil {
			return nil, err
		}
		defer os.Remove(file)
		args = append(args, "-r", file)
	} else {
		args = append(args, r.Packages...)
	}
	if err := r.pip(ctx, args); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return nil, fmt.Errorf("pip wrote no report, which takes pip 22.2: %w", err)
	}
	return readReport(text)
}

// readReport reads pip's report of what it would install.
func readReport(text []byte) (ws wheels, err error) {
	var report struct {
		Install []struct {
			Direct   bool `json:"is_direct"`
			Download struct {
				URL     string `json:"url"`
				Archive struct {
					Hash   string            `json:"hash"`
					Hashes map[string]string `json:"hashes"`
				} `json:"archive_info"`
			} `json:"download_info"`
			Metadata struct{ Name, Version string }
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("the report of pip: %w", err)
	}
	for _, i := range report.Install {
		w := wheel{i.Metadata.Name, i.Metadata.Version, i.Download.Archive.Hashes["sha256"], i.Download.URL, i.Direct}
		if sum, ok := strings.CutPrefix(i.Download.Archive.Hash, "sha256="); ok && w.sha256 == "" {
			w.sha256 = sum
		}
		if !hexSum(w.sha256) || strings.ContainsAny(w.name+w.version+w.url, " \r\n") || w.name == "" || w.version == "" {
			return nil, fmt.Errorf("pip reports no SHA-256 of package %q, version %q: it comes from a folder or a repository, and not as a wheel; build a wheel of it first", w.name, w.version)
		}
		ws = append(ws, w)
	}
	slices.SortFunc(ws, func(a, b wheel) int { return cmp.Compare(a.name, b.name) })
	return ws, nil
}

func hexSum(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }

// unverified returns the wheels whose hash nobody vouches for: requirements don't give
// it, and it came from a host that is trusted without a certificate, by plain http, or
// from an address without a hash.
func (r Requirements) unverified(ws wheels) (all []string) {
	if slices.ContainsFunc(r.Packages, func(p string) bool { return strings.Contains(p, " --hash") }) {
		return nil // pip asks for one of each package then
	}
	var trusted []string
	for i, o := range r.PipOptions {
		if o == "--trusted-host" && i+1 < len(r.PipOptions) {
			trusted = append(trusted, r.PipOptions[i+1])
		}
	}
	for _, w := range ws {
		u, err := url.Parse(w.url)
		if err != nil {
			continue
		}
		ip := net.ParseIP(u.Hostname())
		here := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
		pinned := slices.ContainsFunc(r.Packages, func(p string) bool { return strings.Contains(p, w.url) && strings.Contains(p, "sha256=") })
		if w.direct && !pinned || u.Scheme == "http" && !here || slices.Contains(trusted, u.Host) || slices.Contains(trusted, u.Hostname()) {
			all = append(all, fmt.Sprintf("%s==%s from %s", w.name, w.version, u.Host))
		}
	}
	return all
}

// noCredentials refuses packages and options with a password: they would stand in the
// history of the image.
func (r Requirements) noCredentials() error {
	for _, text := range slices.Concat(r.Packages, r.PipOptions) {
		if graph.HoldsCredentials(text) {
			return fmt.Errorf("package or index %q: %s", graph.WithoutCredentials(text), graph.CredentialsAdvice)
		}
	}
	return nil
}

// install has pip choose wheels, and then puts those into a folder that have the hashes
// of the chosen ones, and no others.
func (r Requirements) install(ctx context.Context, dir, version string, platforms []string) (wheels, error) {
	args := []string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-compile", "--target", dir,
		"--only-binary=:all:", "--implementation", "cp", "--python-version", version}
	for _, abi := range []string{"cp" + strings.ReplaceAll(version, ".", ""), "abi3", "none"} {
		args = append(args, "--abi", abi)
	}
	for _, p := range platforms {
		args = append(args, "--platform", p)
	}
	args = append(args, r.PipOptions...)
	fail := func(err error) error {
		var e *pipError
		if !errors.As(err, &e) {
			return err
		}
		// The command isn't shown: it holds all options.
		return fmt.Errorf("pip found no wheels of %s for Python %s on %s: %w", graph.WithoutCredentials(strings.Join(r.Packages, " ")), version, platforms[0], err)
	}
	ws, err := r.resolve(ctx, dir, args)
	if err != nil {
		return nil, fail(err)
	}
	lock := filepath.Join(filepath.Dir(dir), filepath.Base(dir)+".lock")
	if err := os.WriteFile(lock, []byte(ws.lock(true)), 0o600); err != nil {
		return nil, err
	}
	defer os.Remove(lock)
	return ws, fail(r.pip(ctx, append(args, "--no-deps", "--require-hashes", "-r", lock)))
}

// A pipError is what pip says that fails.
type pipError struct {
	err  error
	said string
}

func (e *pipError) Error() string { return e.err.Error() + "\n" + e.said }
func (e *pipError) Unwrap() error { return e.err }

func (r Requirements) pip(ctx context.Context, args []string) error {
	cmd := child.Command(ctx, cmp.Or(r.Python, "python3"), args...)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := child.CombinedOutput(cmd)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	said := tail(out)
	if strings.Contains(said, "no such option: --report") {
		said += "\nkfpgo needs pip 22.2 or newer, for the hashes of wheels: python3 -m pip install --upgrade pip"
	}
	return &pipError{err, graph.WithoutCredentials(said)}
}
