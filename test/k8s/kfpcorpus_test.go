package k8s

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

var corpusFiles = flag.String("files", "", "of TestKFPCorpus only those whose names contain one of these `TEXTS`, with commas between them")

// TestKFPCorpus runs pipelines that KFP itself compiled, by the command and by KFP's own client in Python: KFP takes
// both or neither, and the runs end alike. Some toss coins, so their tasks can differ. The images that they name are one
// of Python with KFP's SDK in it, and one of busybox. Each file is two runs, so this is for FULL=1 or -files.
func TestKFPCorpus(t *testing.T) {
	folder, python := os.Getenv("KFPGO_CORPUS"), os.Getenv("KFP_PYTHON")
	if folder == "" || python == "" || version == "2.0.5" {
		t.Skip("KFPGO_CORPUS names no folder of pipelines that KFP compiled, or KFP_PYTHON no Python with its SDK 2.17; KFP 2.0.5 is older than they are")
	}
	if os.Getenv("FULL") == "" && *corpusFiles == "" {
		t.Skip("68 files are two runs each, which take more time than CI has: FULL=1 or -files runs them")
	}
	withKFP(t)
	<-kfpSlots // this one only waits for others
	defer func() { kfpSlots <- struct{}{} }()
	all, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	no(t, err)
	var runs []corpusFile
	left := map[string]int{} // by the reason
	for _, file := range all {
		f, why := readCorpus(t, file)
		switch named := strings.Split(*corpusFiles, ","); {
		case why != "":
			left[why]++
		case *corpusFiles != "" && !slices.ContainsFunc(named, func(part string) bool { return strings.Contains(f.name, part) }):
		default:
			runs = append(runs, f)
		}
	}
	for why, n := range left {
		fmt.Printf("corpus: %d of %d left out: %s\n", n, len(all), why)
	}
	corpusImages(t, python)
	var mu sync.Mutex
	ended := map[string]int{}
	t.Run("all", func(t *testing.T) {
		for _, f := range runs {
			t.Run(f.name, func(t *testing.T) {
				t.Parallel()
				kfpSlots <- struct{}{}
				defer func() { <-kfpSlots }()
				began := time.Now()
				theirs := f.byPython(t, python)
				ours := f.byCommand(t)
				mu.Lock()
				defer mu.Unlock()
				ended[ours.state]++
				alike := ""
				if !slices.Equal(ours.tasks, theirs.tasks) {
					alike = ", with other tasks"
				}
				fmt.Printf("corpus %s: %s, by Python %s%s, %d tasks, %.0f s\n", f.name, ours.state, theirs.state, alike, len(ours.tasks), time.Since(began).Seconds())
				if ours.state != theirs.state {
					t.Errorf("%s: by the command %s %q, by Python %s %q\n%s\n%s", f.name, ours.state, ours.tasks, theirs.state, theirs.tasks, ours.log, theirs.log)
				}
			})
		}
	})
	fmt.Printf("corpus: %d files, ended %v\n", len(runs), ended)
}

// A corpusFile is a pipeline with arguments for the inputs that have no default.
type corpusFile struct {
	name, path string
	args       map[string]any
}

// A corpusRun is how a run has ended, with the states of its tasks, sorted.
type corpusRun struct {
	state string // REFUSED: there is none
	tasks []string
	log   string
}

var (
	corpusImage  = regexp.MustCompile(`^(python:3\.\d+|docker\.io/library/python:3\.\d+|public\.ecr\.aws/docker/library/python:3\.\d+|alpine:3\.\d+|busybox:1\.\d+)$`)
	installs     = regexp.MustCompile(`pip install ([^&]*)&&`)
	installed    = regexp.MustCompile(`^'?(kfp|typing-extensions)([=<>~!\[].*)?'?$|^'?-`)
	corpusValues = map[string]any{"STRING": "a", "NUMBER_INTEGER": 2, "NUMBER_DOUBLE": 1.5, "BOOLEAN": true, "LIST": []any{"a", "b"}, "STRUCT": map[string]any{}}
)

// readCorpus reads a file, or returns why it can't run here.
func readCorpus(t *testing.T, file string) (f corpusFile, why string) {
	t.Helper()
	b, err := os.ReadFile(file)
	no(t, err)
	var ir struct {
		Root struct {
			InputDefinitions struct {
				Artifacts  map[string]any `yaml:"artifacts"`
				Parameters map[string]struct {
					Type     string `yaml:"parameterType"`
					Default  any    `yaml:"defaultValue"`
					Optional bool   `yaml:"isOptional"`
				} `yaml:"parameters"`
			} `yaml:"inputDefinitions"`
		} `yaml:"root"`
		DeploymentSpec struct {
			Executors map[string]struct {
				Container struct {
					Image   string   `yaml:"image"`
					Command []string `yaml:"command"`
				} `yaml:"container"`
				Importer any `yaml:"importer"`
			} `yaml:"executors"`
		} `yaml:"deploymentSpec"`
	}
	no(t, yaml.NewDecoder(bytes.NewReader(b)).Decode(&ir))
	f = corpusFile{strings.TrimSuffix(filepath.Base(file), ".yaml"), file, map[string]any{}}
	if len(ir.Root.InputDefinitions.Artifacts) > 0 {
		return f, "it takes artifacts"
	}
	for name, in := range ir.Root.InputDefinitions.Parameters {
		if in.Default == nil && !in.Optional {
			if f.args[name] = corpusValues[in.Type]; f.args[name] == nil {
				return f, "it takes an input of the type " + in.Type
			}
		}
	}
	for _, x := range ir.DeploymentSpec.Executors {
		if x.Importer != nil {
			return f, "it imports from a store that isn't there"
		}
		if image := x.Container.Image; image != "" && !corpusImage.MatchString(image) {
			return f, "its image is another one"
		}
		for _, m := range installs.FindAllStringSubmatch(strings.Join(x.Container.Command, " "), -1) {
			for _, word := range strings.Fields(m[1]) {
				if !installed.MatchString(word) && !strings.Contains(word, "python_version") {
					return f, "it installs other packages than kfp"
				}
			}
		}
	}
	return f, ""
}

// noIndexPip is pip in a cluster without an index: what a step installs is there already.
const noIndexPip = `import re, sys
for word in sys.argv[2:]:
    name = re.split(r"[=<>~!;\[ ]", word)[0]
    if not word.startswith("-") and name not in ("kfp", "typing-extensions"):
        sys.exit("there is no index, and no " + name)
`

// corpusImages makes the images of the files.
func corpusImages(t *testing.T, python string) {
	t.Helper()
	dir := t.TempDir()
	site := strings.TrimSpace(command(t, "", "python3", "-c", "import site; print(site.getsitepackages()[0])"))
	from := strings.TrimSpace(command(t, "", python, "-c", "import kfp, os; print(os.path.dirname(os.path.dirname(kfp.__file__)))"))
	shim, pip := filepath.Join(dir, "pip.py"), filepath.Join(dir, "pip")
	no(t, os.WriteFile(shim, []byte(noIndexPip), 0o644))
	no(t, os.WriteFile(pip, []byte("#!/bin/sh\nexec python3 -m pip \"$@\"\n"), 0o755))
	in := []string{strings.TrimSpace(command(t, "", "sh", "-c", "command -v busybox")) + "=/bin/busybox", "applets=/bin", "python=/bin/python3", shim + "=" + path.Join(site, "pip/__main__.py"), pip + "=/bin/pip"}
	no(t, filepath.WalkDir(filepath.Join(from, "kfp"), func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(file, ".py") {
			rel, _ := filepath.Rel(from, file)
			in = append(in, file+"="+path.Join(site, filepath.ToSlash(rel)))
		}
		return err
	}))
	in = append(in, filepath.Join(from, "typing_extensions.py")+"="+path.Join(site, "typing_extensions.py"))
	for _, tag := range []string{"python:3.11", "python:3.12", "python:3.9", "python:3.10", "public.ecr.aws/docker/library/python:3.12"} {
		tar := filepath.Join(dir, "image.tar")
		command(t, "", "go", append([]string{"run", "./mkimg", "-o", tar, "-t", tag}, in...)...)
		command(t, "", "./cluster", "load", tar)
	}
}

// byCommand runs a file by kfpgo run.
func (f corpusFile) byCommand(t *testing.T) corpusRun {
	args := []string{"run", f.path, "--on", "kfp", "--no-cache", "--format", "json"}
	for name, v := range f.args {
		text, ok := v.(string)
		if !ok {
			b, _ := json.Marshal(v)
			text = string(b)
		}
		args = append(args, "-p", name+"="+text)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(kfpgo, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = kfpEnv(), &stdout, &stderr
	cmd.Run()
	var r struct{ ID string }
	if json.Unmarshal(stdout.Bytes(), &r) != nil || r.ID == "" {
		return corpusRun{state: "REFUSED", log: stderr.String()}
	}
	return ended(t, r.ID)
}

// corpusClient submits a file as KFP's users do, and prints the ID of the run.
const corpusClient = `import json, sys, kfp
client = kfp.Client(host=sys.argv[1])
run = client.create_run_from_pipeline_package(sys.argv[2], arguments=json.loads(sys.argv[3]), enable_caching=False)
print("ID", run.run_id)
`

// byPython runs a file by KFP's client.
func (f corpusFile) byPython(t *testing.T, python string) corpusRun {
	args, err := json.Marshal(f.args)
	no(t, err)
	out, err := exec.Command(python, "-c", corpusClient, os.Getenv("KFPGO_TEST_KFP"), f.path, string(args)).CombinedOutput()
	_, id, ok := strings.Cut(string(out), "\nID ")
	if err != nil || !ok {
		return corpusRun{state: "REFUSED", log: string(out)}
	}
	return ended(t, strings.TrimSpace(id))
}

// over are the states of a run that has ended.
var over = []string{"SUCCEEDED", "FAILED", "CANCELED"}

// ended waits for a run. One that waits for what isn't there is terminated after five minutes.
func ended(t *testing.T, id string) (got corpusRun) {
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(3 * time.Second) {
		cmd := exec.Command(kfpgo, "runs", "get", id, "--on", "kfp", "-o", "json")
		cmd.Env = kfpEnv()
		out, err := cmd.Output()
		var r struct {
			State string
			Error string
			Tasks []struct{ Path, State string }
		}
		if err != nil || json.Unmarshal(out, &r) != nil {
			return corpusRun{state: "LOST", log: fmt.Sprintf("%v: %s", err, out)}
		}
		// The server reports the state of a run before that of its last tasks.
		going := !slices.Contains(over, r.State)
		for _, task := range r.Tasks {
			going = going || task.State == "RUNNING" || task.State == "PENDING"
		}
		if going && time.Now().Before(end) {
			continue
		}
		if time.Now().After(end) {
			onServer{t}.try("runs", "terminate", id, "--on", "kfp")
		}
		got = corpusRun{state: r.State, log: r.Error}
		for _, task := range r.Tasks {
			// A step with caching of its own is found by the second of the two runs.
			got.tasks = append(got.tasks, task.Path+" "+strings.Replace(task.State, "CACHED", "SUCCEEDED", 1))
		}
		slices.Sort(got.tasks)
		if got.state != "SUCCEEDED" {
			got.log += lastWords(t, id)
		}
		return got
	}
}
