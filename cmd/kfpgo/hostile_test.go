//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// hostile is a text that acts on a terminal in all the ways that there are.
const hostile = "owned\x1b]0;title\x07\x1b[2J bad\rgood \u202etxt\u2066 \u009b2J\u0085\u200b\u2028\x7f"

type fields = map[string]any

// textOf returns the JSON of a value.
func textOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(printable.JSON(b))
}

// The ids of what the server has, and of what it hasn't.
const firstID, badID = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"

// hostileKFP is a KFP server that says nothing else.
func hostileKFP(t *testing.T) string {
	id := "1" + hostile
	aRun := fields{
		"run_id": id, "display_name": hostile, "experiment_id": "1", "state": "FAILED", "error": fields{"code": 2, "message": hostile + "\nmore " + hostile},
		"created_at": "2026-01-01T00:00:00Z", "finished_at": "2026-01-01T00:01:00Z", "runtime_config": fields{"parameters": fields{hostile: hostile}},
		"run_details": fields{"task_details": []fields{{"task_id": "t", "display_name": hostile, "state": "FAILED", "error": fields{"code": 2, "message": hostile}}}},
	}
	experiment := fields{"experiment_id": id, "display_name": hostile, "description": hostile, "created_at": "2026-01-01T00:00:00Z"}
	pipeline := fields{"pipeline_id": id, "display_name": hostile, "description": hostile, "created_at": "2026-01-01T00:00:00Z"}
	version := fields{"pipeline_version_id": id, "pipeline_id": id, "display_name": hostile, "description": hostile, "created_at": "2026-01-01T00:00:00Z"}
	recurring := fields{"recurring_run_id": id, "display_name": hostile, "description": hostile, "status": "ENABLED", "created_at": "2026-01-01T00:00:00Z", "trigger": fields{"cron_schedule": fields{"cron": "0 0 3 * * " + hostile}}}
	s := fakekfp.New(t)
	const one = "/" + firstID
	s.Replay(map[string]string{
		"GET healthz": `{"multi_user": false}`,
		"GET runs":    textOf(t, fields{"runs": []fields{aRun}, "total_size": 2, "next_page_token": hostile}), "GET runs" + one: textOf(t, aRun), "POST runs": textOf(t, aRun),
		"GET experiments": textOf(t, fields{"experiments": []fields{experiment}}), "GET experiments" + one: textOf(t, experiment), "POST experiments": textOf(t, experiment),
		"GET pipelines": textOf(t, fields{"pipelines": []fields{pipeline}}), "GET pipelines" + one: textOf(t, pipeline), "GET pipelines" + one + "/versions" + one: textOf(t, version),
		"GET recurringruns": textOf(t, fields{"recurringRuns": []fields{recurring}}), "GET recurringruns" + one: textOf(t, recurring),
	})
	s.First(func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case strings.HasSuffix(r.URL.Path, "/versions"):
			io.WriteString(w, textOf(t, fields{"pipeline_versions": []fields{version}}))
		case strings.HasSuffix(r.URL.Path, "/bad"), strings.HasSuffix(r.URL.Path, "/bad:terminate"), strings.HasSuffix(r.URL.Path, badID):
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, textOf(t, fields{"code": 5, "message": hostile, "error": hostile}))
		case strings.HasSuffix(r.URL.Path, "/text"):
			http.Error(w, hostile, http.StatusBadRequest)
		case strings.HasSuffix(r.URL.Path, "/invalid"):
			io.WriteString(w, `{"run_id": `+hostile)
		default:
			return false
		}
		return true
	})
	return s.URL
}

// hostileArgo is the API of Kubernetes with Workflows that say nothing else.
func hostileArgo(t *testing.T) string {
	workflow := fields{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow", "metadata": fields{"name": "w" + hostile, "namespace": "n", "uid": hostile, "creationTimestamp": "2026-01-01T00:00:00Z", "annotations": fields{"a": hostile}},
		"spec":   fields{"entrypoint": "main", "arguments": fields{"parameters": []fields{{"name": "p" + hostile, "value": hostile}}}},
		"status": fields{"phase": "Failed", "message": hostile, "startedAt": "2026-01-01T00:00:00Z", "finishedAt": "2026-01-01T00:01:00Z", "nodes": fields{"w-1": fields{"id": "w-1", "name": "w." + hostile, "displayName": hostile, "type": "Pod", "phase": "Failed", "message": hostile}}},
	}
	cron := fields{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "CronWorkflow", "metadata": fields{"name": "c" + hostile, "namespace": "n", "creationTimestamp": "2026-01-01T00:00:00Z"},
		"spec":   fields{"schedules": []string{"0 3 * * *"}, "timezone": hostile, "workflowSpec": fields{"entrypoint": "main"}},
		"status": fields{"conditions": []fields{{"type": "SpecError", "status": "True", "message": hostile}}},
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		answer := any(fields{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404, "message": hostile})
		switch path := r.URL.Path; {
		case strings.HasSuffix(path, "/workflows"):
			answer = fields{"kind": "WorkflowList", "apiVersion": "argoproj.io/v1alpha1", "metadata": fields{"resourceVersion": "1"}, "items": []any{workflow}}
		case strings.HasSuffix(path, "/workflows/w"):
			answer = workflow
		case strings.HasSuffix(path, "/cronworkflows"):
			answer = fields{"kind": "CronWorkflowList", "apiVersion": "argoproj.io/v1alpha1", "metadata": fields{"resourceVersion": "1"}, "items": []any{cron}}
		case strings.HasSuffix(path, "/cronworkflows/c"):
			answer = cron
		default:
			w.WriteHeader(http.StatusNotFound)
		}
		io.WriteString(w, textOf(t, answer))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// pythonStep is a file as KFP's SDK writes it, with a step of Python.
func pythonStep(t *testing.T, source string) string {
	command, args := pyrun.SDK(&program.Python{Function: "f", Source: source})
	return textOf(t, fields{
		"pipelineInfo": fields{"name": "hostile", "displayName": hostile, "description": hostile}, "schemaVersion": "2.1.0", "sdkVersion": "kfp-2.14.0",
		"root": fields{
			"dag":              fields{"tasks": fields{"step": fields{"taskInfo": fields{"name": "step"}, "componentRef": fields{"name": "comp-step"}, "inputs": fields{"parameters": fields{"a": fields{"runtimeValue": fields{"constant": hostile}}}}}}},
			"inputDefinitions": fields{"parameters": fields{"p": fields{"parameterType": "STRING", "defaultValue": hostile, "description": hostile}}},
		},
		"components":     fields{"comp-step": fields{"executorLabel": "exec-step", "inputDefinitions": fields{"parameters": fields{"a": fields{"parameterType": "STRING"}}}}},
		"deploymentSpec": fields{"executors": fields{"exec-step": fields{"container": fields{"image": "python:latest", "command": command, "args": args}}}},
	})
}

// hostileFiles writes what the commands read, and returns the folder.
func hostileFiles(t *testing.T) string {
	dir := t.TempDir()
	task := fields{"taskInfo": fields{"name": hostile}, "componentRef": fields{"name": "comp-step"}}
	pipeline := fields{
		"pipelineInfo": fields{"name": "hostile", "displayName": hostile, "description": hostile}, "schemaVersion": "2.1.0", "sdkVersion": "kfp-2.14.0",
		"root":           fields{"dag": fields{"tasks": fields{"t" + hostile: task}}, "inputDefinitions": fields{"parameters": fields{"p" + hostile: fields{"parameterType": "STRING", "defaultValue": hostile}}}},
		"components":     fields{"comp-step": fields{"executorLabel": "exec-step"}},
		"deploymentSpec": fields{"executors": fields{"exec-step": fields{"container": fields{"image": "busybox:latest", "command": []string{"echo", hostile}}}}},
	}
	unknown := maps.Clone(pipeline)
	unknown["root"] = fields{"dag": fields{"tasks": fields{hostile: fields{"componentRef": fields{"name": hostile}, "dependentTasks": []string{hostile}}}}}
	failing := fmt.Sprintf("def f(a: str):\n    print(%[1]s)\n    raise ValueError(%[1]s)\n", textOf(t, hostile))
	r := &run.Run{Schema: 1, ID: "r1", Pipeline: hostile, State: run.Failed, Started: time.Unix(1, 0), Ended: time.Unix(2, 0), Error: hostile, Dir: filepath.Join(dir, "home", "runs", "r1")}
	r.Tasks = []*run.Task{{
		Path: "step" + hostile, Name: "step", Kind: "go", State: run.Failed, Error: hostile, Component: hostile, Started: time.Unix(1, 0), Ended: time.Unix(2, 0), Logs: []string{"log.1"},
		Writes: map[string][]run.Artifact{"out": {{Name: hostile, Type: "system.Model" + hostile, URI: "file://" + filepath.Join(r.Dir, "out")}}},
	}}
	for name, text := range map[string]string{
		"hostile.json": textOf(t, pipeline), "unknown.json": textOf(t, unknown), "pipeline.yaml": smallPipeline, "failing.json": pythonStep(t, failing),
		"not.yaml": "{" + textOf(t, hostile) + ": 1, " + textOf(t, hostile) + ": 2}\n", "home/runs/r1/run.json": textOf(t, r), "home/runs/r1/out": hostile + "\n", "home/runs/r1/log.1": "it says\n" + hostile + "\n",
		"home/runs/broken" + strings.ReplaceAll(hostile, "\x00", "") + "/run.json": "{" + hostile,
		"config.yaml": textOf(t, fields{"current": hostile, "contexts": fields{hostile: fields{"endpoint": "http://x/" + hostile, "namespace": hostile, "user": hostile}}}),
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// acting returns a character that a terminal acts on, or that nobody can see.
func acting(out string) string {
	for _, r := range out {
		if !printable.Is(r) && r != '\n' && r != '\t' {
			return fmt.Sprintf("%q", r)
		}
	}
	return ""
}

// TestHostile: whatever a server, a file or a step says, nothing that a command prints
// acts on a terminal, in forms for people and for programs alike.
func TestHostile(t *testing.T) {
	t.Parallel()
	kfp, argo, dir := hostileKFP(t), hostileArgo(t), hostileFiles(t)
	onKFP, onArgo := " --endpoint "+kfp, " --on argo --namespace n --endpoint "+argo
	lines := []string{
		"runs list --on kfp" + onKFP, "runs get ID --on kfp" + onKFP, "runs wait ID --on kfp" + onKFP, "runs get bad --on kfp" + onKFP, "runs get text --on kfp" + onKFP, "runs get invalid --on kfp" + onKFP,
		"runs terminate bad --on kfp" + onKFP, "runs delete bad --yes --on kfp" + onKFP, "run pipeline.yaml --on kfp" + onKFP, "run pipeline.yaml --wait --on kfp" + onKFP, "runs create pipeline.yaml --on kfp" + onKFP,
		"experiments list" + onKFP, "experiments get ID" + onKFP, "experiments create x" + onKFP, "experiments get BAD" + onKFP,
		"pipelines list" + onKFP, "pipelines get ID" + onKFP, "pipelines versions ID" + onKFP, "pipelines get-version ID ID" + onKFP, "pipelines get-version ID latest" + onKFP,
		"recurring-runs list" + onKFP, "recurring-runs get ID" + onKFP, "recurring-runs get BAD" + onKFP,
		"runs list" + onArgo, "runs get w" + onArgo, "runs get x" + onArgo, "runs wait w" + onArgo, "runs delete x --yes" + onArgo, "schedule list" + onArgo, "schedule get c" + onArgo, "schedule get x" + onArgo,
		"vet hostile.json", "vet unknown.json", "vet hostile.json --format github", "vet not.yaml", "compile unknown.json", "compile not.yaml", "compile hostile.json", "compile hostile.json --target argo",
		"diff hostile.json pipeline.yaml", "diff pipeline.yaml hostile.json", "graph unknown.json", "graph hostile.json --format txt", "graph hostile.json --format dot", "graph hostile.json --format mmd", "graph hostile.json --format svg", "graph hostile.json --format html",
		"import unknown.json -o " + filepath.Join(dir, "imported"), "run failing.json", "run unknown.json", "pipelines upload not.yaml" + onKFP,
		"artifacts list", "artifacts list --run x" + hostile, "artifacts lineage r1/step" + hostile + "/out", "artifacts lineage r1/step" + hostile + "/out --format txt", "artifacts lineage r1/step" + hostile + "/out --format dot",
		"artifacts get x" + hostile, "replay r1 x" + hostile, "context list", "context use x" + hostile, "no-such" + hostile, "runs list --no-such" + hostile,
		"runs list", "runs list -o wide", "runs list -o name", "runs get r1", "runs get r1 -o wide", "runs describe r1", "runs wait r1", "runs get x" + hostile, "runs logs r1 --task x" + hostile, "runs delete x" + hostile + " --yes",
		"__complete runs get r", "__complete runs logs r1 --task s",
	}
	for _, line := range lines[:len(lines):len(lines)] {
		for _, verb := range []string{"runs list", "runs get ID", "experiments list", "pipelines list", "recurring-runs list", "runs get w", "schedule list", "artifacts list", "artifacts lineage", "context list", "diff hostile"} {
			if strings.HasPrefix(line, verb) && !strings.Contains(line, "--format") && !strings.Contains(line, "--run x") && !strings.Contains(line, "--no-such") && !strings.Contains(line, "-o ") {
				lines = append(lines, line+" --format json", line+" --format yaml")
			}
		}
	}
	lines = append(lines, "vet hostile.json --format json", "vet hostile.json --format sarif")
	quiet := []string{"experiments create x", "compile hostile.json", "diff hostile.json pipeline.yaml --format yaml", "runs get invalid", "recurring-runs get " + badID, "experiments get " + badID}
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			line := strings.NewReplacer("ID", firstID, "BAD", badID).Replace(line)
			args := strings.Split(line, " ")
			if before, _, ok := strings.Cut(line, hostile); ok { // which has spaces
				args = strings.Split(before, " ")
				args[len(args)-1] += hostile
				if _, after, _ := strings.Cut(line, hostile); after != "" {
					rest := strings.Split(after, " ")
					args[len(args)-1] += rest[0]
					args = append(args, rest[1:]...)
				}
			}
			cmd := kfpgoIn(dir, args)
			var said bytes.Buffer
			cmd.Stderr = &said
			result, _ := cmd.Output() // whether it fails is for other tests
			out := string(result) + said.String()
			if r := acting(out); r != "" {
				t.Errorf("%s is in\n%q", r, out)
			}
			if !strings.Contains(out, "owned") && !slices.ContainsFunc(quiet, func(q string) bool { return strings.HasPrefix(line, q) }) {
				t.Errorf("it shows nothing of what is hostile:\n%s", out)
			}
			if strings.HasSuffix(line, "--format json") && !json.Valid(result) {
				t.Errorf("it is not JSON:\n%s", out)
			}
		})
	}
}

func kfpgoIn(dir string, args []string) *exec.Cmd {
	cmd := exec.Command("kfpgo", args...)
	cmd.Dir = dir
	config := "none"
	if args[0] == "context" {
		config = "config.yaml"
	}
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "KFPGO_CONFIG=" + filepath.Join(dir, config), "KFPGO_HOME=" + filepath.Join(dir, "home"), "KUBECONFIG=" + filepath.Join(dir, "none"), "TERM=xterm", "LC_ALL=C.UTF-8"}
	return cmd
}

// TestLastLine: on a terminal the end of a run that fails shows its step's error, and acts on nothing.
func TestLastLine(t *testing.T) {
	t.Parallel()
	p := onTerminal(t, 80, 24, kfpgoIn(hostileFiles(t), []string{"run", "failing.json"}))
	p.cmd.Wait()
	<-p.done
	out := p.text()
	_, end, ok := strings.Cut(out, "kfpgo: the run failed: ")
	if !ok || !strings.Contains(end, `owned\x1b]0;title\x07\x1b[2J bad\rgood \u202etxt`) {
		t.Errorf("the run ends with\n%q", out)
	}
	for _, bad := range []string{"\x1b]0;", "\x1b[2J", "\u202e", "\u009b", "\r\u2028"} {
		if strings.Contains(out, bad) {
			t.Errorf("%q is in\n%q", bad, out)
		}
	}
	if r := acting(strings.ReplaceAll(end, "\r\n", "\n")); r != "" {
		t.Errorf("%s is in\n%q", r, end)
	}
}

// TestContent: the content of an artifact is data for a pipe, and text for a terminal.
func TestContent(t *testing.T) {
	dir := hostileFiles(t)
	args := []string{"artifacts", "get", "r1/step" + hostile + "/out"}
	if out, err := kfpgoIn(dir, args).Output(); err != nil || string(out) != hostile+"\n" {
		t.Errorf("a pipe gets %q, %v", out, err)
	}
	p := onTerminal(t, 80, 24, kfpgoIn(dir, args))
	p.cmd.Wait()
	<-p.done
	if out := p.text(); out != printable.Text(hostile)+"\r\n" {
		t.Errorf("a terminal gets %q", out)
	}
}

// shipped returns the files of the command.
func shipped(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == "testdata":
			return fs.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			files = append(files, path)
		}
		return nil
	})
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// TestOutputs: who may write around the writers that clean, and why. A new command
// writes to its OutOrStdout and ErrOrStderr.
func TestOutputs(t *testing.T) {
	allowed := map[string]string{
		"cli/output.go":        "it makes the writers",
		"cli/file.go Raw":      "a result is data: YAML, source, pictures, whose writers escape",
		"cli/table.go":         "it cleans each cell",
		"cli/table.go Raw":     "JSON and YAML escape by themselves",
		"inspect/vet.go Raw":   "SARIF is JSON",
		"run/run.go Raw":       "progress draws, and cleans its texts",
		"server/follow.go Raw": "progress draws, and cleans its texts",
		"run/attach.go":        "a shell or a debugger has the terminal",
	}
	used := map[string]bool{}
	for _, path := range shipped(t) {
		name := strings.TrimPrefix(filepath.ToSlash(path), "internal/")
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			bad := ""
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok {
					switch x.Name + "." + n.Sel.Name {
					case "os.Stdout", "os.Stderr", "fmt.Print", "fmt.Println", "fmt.Printf", "tabwriter.NewWriter", "log.Print", "log.Printf":
						bad = name
					}
				}
			case *ast.CallExpr:
				called, _ := n.Fun.(*ast.Ident)
				if f, ok := n.Fun.(*ast.SelectorExpr); ok {
					called = f.Sel
				}
				if called != nil && called.Name == "Raw" {
					bad = name + " Raw"
				}
			}
			if bad == "cli/output.go Raw" {
				bad = "cli/output.go"
			}
			if bad != "" && allowed[bad] == "" {
				t.Errorf("%s writes around the writers that clean", bad)
			}
			used[bad] = true
			return true
		})
	}
	for name := range allowed {
		if !used[name] {
			t.Errorf("%s doesn't any more", name)
		}
	}
}
