// Package gitclone gets the sources of a Git repository at a commit.
//
//	code := gitclone.Clone.Call(s, gitclone.In{URL: dsl.Const("https://github.com/acme/train"), Ref: dsl.Const("v1.4.0")})
//
// The step needs git in its image: set dsl.Image to one that has it and the
// program, or build with --base.
package gitclone

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// In is a repository and what of it.
type In struct {
	URL        dsl.Param[string] `kfp:"url" doc:"of the repository, without credentials; those come from the environment of git"`
	Ref        dsl.Param[string] `default:"HEAD" doc:"branch, tag or commit"`
	Commit     dsl.Param[string] `kfp:",optional" doc:"the 40 digits that Ref must be, so that a moved tag is noticed"`
	Submodules dsl.Param[bool]   `default:"false"`
	History    dsl.Param[bool]   `default:"false" doc:"whether all commits are fetched, and .git is kept"`
}

// Out is the sources.
type Out struct {
	Source dsl.Any           `doc:"the folder"`
	Commit dsl.Param[string] `doc:"the 40 digits of the commit"`
}

var (
	commitForm  = lazyregexp.New(`^[0-9a-f]{40}$`)
	refForm     = lazyregexp.New(`^[A-Za-z0-9_][-A-Za-z0-9_./+]*$`)
	credentials = lazyregexp.New(`^[a-z+]+://[^/@]*:[^/@]*@`)
)

// Clone fetches a commit of a repository into an artifact.
var Clone = work.Check(dsl.Func("git-clone", func(ctx context.Context, in In, out *Out) error {
	url, ref, dir := in.URL.Get(), in.Ref.Get(), out.Source.Path()
	if msg := check(url, ref); msg != "" {
		return errors.New(msg)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	git := func(args ...string) (string, error) { return run(ctx, dir, args...) }
	depth := []string{"--depth=1"}
	if in.History.Get() {
		depth = nil
	}
	if _, err := git("init", "-q"); err != nil {
		return err
	}
	fetch := []string{"fetch", "-q"}
	if strings.HasPrefix(url, "https://") {
		fetch = append([]string{"-c", "protocol.http.allow=never"}, fetch...) // a redirect would read credentials on the way
	}
	if _, err := git(append(append(slices.Clone(fetch), depth...), "--", url, ref)...); err != nil {
		if !commitForm.MatchString(ref) || in.History.Get() {
			return err
		}
		// A server may not give a commit by its digits alone.
		if _, err := git(append(fetch, "--", url, "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")...); err != nil {
			return err
		}
	} else {
		ref = "FETCH_HEAD"
	}
	if _, err := git("-c", "advice.detachedHead=false", "checkout", "-q", ref); err != nil {
		return err
	}
	got, err := git("rev-parse", "HEAD")
	if err != nil {
		return err
	}
	if want, ok := in.Commit.Lookup(); ok && want != got {
		return fmt.Errorf("%s of %s is commit %s, and %s is wanted", in.Ref.Get(), url, got, want)
	}
	if in.Submodules.Get() {
		if _, err := git(append([]string{"submodule", "update", "-q", "--init", "--recursive"}, depth...)...); err != nil {
			return err
		}
	}
	out.Commit.Set(got)
	if in.History.Get() {
		return nil
	}
	return os.RemoveAll(filepath.Join(dir, ".git"))
}), func(c *work.Call) {
	url, ok1 := work.Arg[string](c, "url")
	ref, ok2 := work.Arg[string](c, "ref")
	if !ok1 {
		url = "https://x"
	}
	if !ok2 {
		ref = "HEAD"
	}
	if msg := check(url, ref); msg != "" {
		c.Errorf("%s", msg)
	}
	if commit, ok := work.Arg[string](c, "commit"); ok && c.Given("commit") && !commitForm.MatchString(commit) {
		c.Errorf("input commit: %q is not the 40 hexadecimal digits of a commit", commit)
	}
})

// check keeps what git would take for something else away from it.
func check(url, ref string) string {
	switch {
	case url == "" || url[0] == '-' || strings.Contains(url, "::"):
		return fmt.Sprintf("input url: %q is not the URL of a repository", url)
	case credentials.MatchString(url):
		return "input url: it holds credentials, which everybody who sees the run would see; use a secret"
	case !refForm.MatchString(ref) || strings.Contains(ref, ".."):
		return fmt.Sprintf("input ref: %q is not a branch, tag or commit", ref)
	}
	return ""
}

func run(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("there is no git in the step's image; use an image that has it")
	}
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return strings.TrimSpace(string(out)), nil
}
