// Command release makes the files of a release of kfpgo from a commit: an archive for each
// system, its SBOM, the image of the command, and the checksums of all of them. The same
// commit, version and Go make the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// systems are those that kfpgo is released for.
var systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	var r release
	only := flag.String("systems", strings.Join(systems, ","), "`OS/ARCH,...` to build for")
	flag.StringVar(&r.version, "version", "", "`VERSION` of the release, such as v0.3.0")
	flag.StringVar(&r.source, "source", ".", "`folder` of the repository")
	flag.StringVar(&r.out, "o", "out/release", "`folder` for the files, which is made anew")
	flag.StringVar(&r.sbom, "cyclonedx", "bin/cyclonedx-gomod", "the `program` that writes SBOMs")
	flag.Parse()
	if err := r.make(strings.Split(*only, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

type release struct {
	version, source, out, sbom string

	tree string    // a clone of the commit, with the version as its tag
	at   time.Time // of the commit: the time of all files
}

// valid are versions that Go accepts as those of a module without a major version in its path.
var valid = regexp.MustCompile(`^v[01]\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

func (r *release) make(systems []string) (err error) {
	if !valid.MatchString(r.version) {
		return fmt.Errorf("-version is such as v0.3.0 or v0.3.0-rc.1, not %q", r.version)
	}
	for _, path := range []*string{&r.source, &r.out, &r.sbom} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	tmp, err := os.MkdirTemp("", "kfpgo-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := r.clone(filepath.Join(tmp, "source")); err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(r.out), os.MkdirAll(r.out, 0o755)); err != nil {
		return err
	}
	native := filepath.Join(tmp, "native")
	if err := r.build(native, nil); err != nil {
		return err
	}
	pages, err := extras(native, r.at)
	if err != nil {
		return err
	}
	for _, system := range systems {
		if err := r.archive(system, tmp, pages); err != nil {
			return fmt.Errorf("%s: %w", system, err)
		}
	}
	if err := r.image(native); err != nil {
		return fmt.Errorf("image: %w", err)
	}
	return r.checksums()
}

// clone clones the commit, so that nothing goes into the release that isn't committed, and
// tags it, so that Go writes the version into the programs.
func (r *release) clone(to string) error {
	head, err := output(r.source, "git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	if tagged, err := output(r.source, "git", "rev-parse", "-q", "--verify", r.version+"^{commit}"); err == nil && tagged != head {
		return fmt.Errorf("the tag %s is on commit %.12s, and HEAD is %.12s; check out the tag, or choose another version", r.version, tagged, head)
	}
	if changed, err := output(r.source, "git", "status", "--porcelain"); err != nil || changed != "" {
		return errors.Join(err, fmt.Errorf("these files differ from the commit; commit or remove them:\n%s", changed))
	}
	seconds, err := output(r.source, "git", "log", "-1", "--format=%cI")
	if err != nil {
		return err
	}
	if r.at, err = time.Parse(time.RFC3339, seconds); err != nil {
		return err
	}
	r.at = r.at.UTC()
	r.tree = to
	if _, err := output(r.source, "git", "clone", "-q", "--no-tags", r.source, to); err != nil {
		return err
	}
	if _, err := output(to, "git", "checkout", "-q", "--detach", head); err != nil {
		return err
	}
	_, err = output(to, "git", "-c", "tag.gpgSign=false", "tag", r.version)
	return err
}

// build builds the command, with the flags of all releases.
func (r *release) build(to string, env []string) error {
	cmd := exec.Command("go", "build", "-p", "1", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", to, "./cmd/kfpgo")
	cmd.Dir, cmd.Env, cmd.Stderr = r.tree, append(append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="), env...), os.Stderr
	return cmd.Run()
}

// image has kfpgo build the image of its own command.
func (r *release) image(kfpgo string) error {
	file := filepath.Join(r.out, r.name("linux/amd64")+"-image.tar")
	_, err := output(r.tree, kfpgo, "build", "./cmd/kfpgo", "--tar", file, "--tag", "kfpgo:"+r.version,
		"--label", "org.opencontainers.image.version="+r.version, "--label", "org.opencontainers.image.licenses=Apache-2.0")
	return err
}

// name begins the names of the files for a system.
func (r *release) name(system string) string {
	return "kfpgo-" + r.version + "-" + strings.ReplaceAll(system, "/", "-")
}

// output runs a command in a folder and returns what it prints.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	b, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err, strings.TrimSpace(string(exit.Stderr)))
	}
	return strings.TrimSpace(string(b)), err
}
