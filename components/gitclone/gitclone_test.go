package gitclone_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/components/gitclone"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

type pipelineIn struct{ Ref dsl.Param[string] }

var pipeline = dsl.Pipeline("sources", func(s *dsl.Scope, in pipelineIn) gitclone.Out {
	return gitclone.Clone.Call(s, gitclone.In{URL: dsl.Const("https://github.com/acme/train"), Ref: in.Ref}).Out
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

// repository makes one with two commits, and returns their digits.
func repository(t *testing.T) (url string, commits []string) {
	dir := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	for _, text := range []string{"one", "two"} {
		if err := os.WriteFile(filepath.Join(dir, "train.py"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", ".")
		git("commit", "-q", "-m", text)
		commits = append(commits, git("rev-parse", "HEAD"))
		git("tag", text)
	}
	return "file://" + dir, commits
}

func TestClone(t *testing.T) {
	url, commits := repository(t)
	for ref, want := range map[string]string{"HEAD": "two", "main": "two", "one": "one", commits[0]: "one"} {
		out, err := gitclone.Clone.Run(t.Context(), gitclone.In{URL: dsl.Const(url), Ref: dsl.Const(ref)})
		if err != nil {
			t.Errorf("%s: %v", ref, err)
			continue
		}
		b, err := os.ReadFile(filepath.Join(out.Source.Path(), "train.py"))
		if err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", ref, b, err)
		}
		if got := out.Commit.Get(); got != commits[map[string]int{"one": 0, "two": 1}[want]] {
			t.Errorf("%s: commit %s", ref, got)
		}
		if _, err := os.Stat(filepath.Join(out.Source.Path(), ".git")); err == nil {
			t.Errorf("%s: .git is still there", ref)
		}
	}
	_, err := gitclone.Clone.Run(t.Context(), gitclone.In{URL: dsl.Const(url), Ref: dsl.Const("main"), Commit: dsl.Const(commits[0])})
	tried.Fails(t, err, "main of "+url+" is commit "+commits[1]+", and "+commits[0]+" is wanted")
	_, err = gitclone.Clone.Run(t.Context(), gitclone.In{URL: dsl.Const(url), Ref: dsl.Const("gone")})
	tried.Fails(t, err, "git fetch: exit status 128", "gone")
}

var misused = dsl.Pipeline("misused", func(s *dsl.Scope, _ dsl.None) dsl.None {
	url := dsl.Const("https://github.com/acme/train")
	gitclone.Clone.Call(s, gitclone.In{URL: dsl.Const("https://me:secret@github.com/acme/train")}) // want "input url: it holds credentials"
	gitclone.Clone.Call(s, gitclone.In{URL: dsl.Const("--upload-pack=x")})                         // want "input url: .--upload-pack=x. is not the URL"
	gitclone.Clone.Call(s, gitclone.In{URL: url, Ref: dsl.Const("-x")})                            // want "input ref: .-x. is not a branch, tag or commit"
	gitclone.Clone.Call(s, gitclone.In{URL: url, Commit: dsl.Const("abc")})                        // want "input commit: .abc. is not the 40 hexadecimal digits"
	return dsl.None{}
})

func TestMisused(t *testing.T) { tried.Mistakes(t, "gitclone_test.go", misused) }
