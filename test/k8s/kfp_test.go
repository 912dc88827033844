package k8s

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const kubeflow = "/api/v1/namespaces/kubeflow/pods"

// kfpSlots are how many run at once on KFP.
var kfpSlots = make(chan struct{}, 6)

// TestKFP runs pipelines here, on Argo and on KFP in the same cluster: each must end
// as the table says, or as it is known of a KFP of this version that it must. One
// pipeline a construct, or all of them with FULL=1.
func TestKFP(t *testing.T) {
	k := withKFP(t)
	<-kfpSlots // this one only waits for others
	defer func() { kfpSlots <- struct{}{} }()
	command(t, manifests(), "./cluster", "k", "apply", "-n", "kubeflow", "-f", "-")
	command(t, "imported", "curl", "-sf", "-X", "PUT", "--data-binary", "@-", "http://10.250.0.1:9000/mlpipeline/imported/data")
	var mu sync.Mutex
	var lines []string
	equal, refused := 0, 0
	all := onKFP()
	t.Run("all", func(t *testing.T) {
		for _, p := range all {
			t.Run(p.String(), func(t *testing.T) {
				t.Parallel()
				kfpSlots <- struct{}{}
				defer func() { <-kfpSlots }()
				line, same, known := p.everywhere(t, k)
				mu.Lock()
				defer mu.Unlock()
				if same {
					equal++
				} else if known {
					refused++
				}
				lines = append(lines, line)
			})
		}
	})
	slices.Sort(lines)
	fmt.Printf("%s\nequal on local, argo and kfp %d/%d, and %d that KFP 2.0.5 can't run, each as it is known\n", strings.Join(lines, "\n"), equal, len(all)-refused, refused)
}

// onKFP are the pipelines that TestKFP runs.
func onKFP() []pipeline {
	if *only != "" {
		return wanted(pipelines)
	}
	return slices.DeleteFunc(slices.Clone(pipelines), func(p pipeline) bool {
		return os.Getenv("FULL") == "" && !slices.Contains(constructs, p.String()) || left[p.short()] != "" || left[p.String()] != ""
	})
}

// everywhere compares a pipeline here, on Argo and on KFP with what the table has.
func (p pipeline) everywhere(t *testing.T, k onServer) (line string, same, known bool) {
	began := time.Now()
	limit := limitOf(p)
	wf := ""
	if limit == nil { // the others are compared without KFP by TestPipelines
		wf = p.submit(t)
	}
	got := p.onKFP(t, k)
	if limit != nil {
		if why := limit.differs(got); why != "" {
			t.Errorf("%s: KFP 2.0.5 %s, so it was expected to end with %q: %s", p, limit.why, limit.said, why)
		}
		return fmt.Sprintf("%-56.56s kfp %-9s %s", p, got.state, limit.why), false, true
	}
	here, done := p.onLocal(t), await(t, wf, nil)
	there := done.outcome(t)
	same = true
	for where, got := range map[string]outcome{"local": here, "argo": there, "kfp": got} {
		if why := p.differs(t, got); why != "" {
			same = false
			t.Errorf("%s: %s: %s\n%s", p, where, why, got.log)
		}
	}
	if p.check != nil && same {
		for _, there := range []outcome{there, got} {
			if err := p.check(t, here, there); err != nil {
				same = false
				t.Errorf("%s: %v", p, err)
			}
		}
	}
	return fmt.Sprintf("%-56.56s local %-9s argo %-9s kfp %-9s equal %-5v %3.0f s", p, here.state, there.state, got.state, same, time.Since(began).Seconds()), same, false
}

// onKFP compiles, submits and waits, all by the command, and reads back from ML
// Metadata and the store what the run has made.
func (p pipeline) onKFP(t *testing.T, k onServer) outcome {
	args := []string{"run", p.ref(), "--on", "kfp", "--wait", "--wait-timeout", p.patience(), "--no-cache", "--format", "json", "--image", p.image()}
	args = append(args, p.kfp...)
	params := maps.Clone(p.params)
	if p.kfp != nil {
		maps.Copy(params, p.there)
	}
	for name, v := range params {
		if v == imported {
			v = "minio://mlpipeline/imported/data"
		}
		args = append(args, "-p", name+"="+v)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(kfpgo, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = kfpEnv(), &stdout, &stderr
	cmd.Run() // what it prints says how it ended
	got := outcome{state: "REFUSED", log: stderr.String(), ended: map[string]string{}, outputs: map[string]any{}}
	var r struct{ ID, State string }
	if json.Unmarshal(stdout.Bytes(), &r) != nil || r.ID == "" {
		if _, id, ok := strings.Cut(got.log, "kfpgo runs wait "); ok { // it still goes on
			got.state = "RUNNING"
			k.try("runs", "terminate", strings.Fields(id)[0])
		}
		return got
	}
	got.state = r.State
	rec, err := recorded(t.Context(), r.ID)
	if err == nil {
		err = rec.stored()
	}
	if err != nil {
		got.state = "LOST"
		got.log += err.Error()
		return got
	}
	for _, x := range rec {
		got.ended[x.name] = map[string]string{"COMPLETE": "SUCCEEDED"}[x.state.String()]
		if got.ended[x.name] == "" {
			got.ended[x.name] = x.state.String()
		}
	}
	got.outputs = rec.outputs(t, command(t, "", kfpgo, "compile", p.ref(), "--image", p.image()))
	if got.state != "SUCCEEDED" {
		got.log += lastWords(t, r.ID)
	}
	return got
}

// patience is how long a run may take: what never ends shortens it.
func (p pipeline) patience() string {
	if l := limitOf(p); l != nil && l.state == "RUNNING" {
		return "3m"
	}
	return "15m"
}

// lastWords returns what the pods of a run that failed have said last, KFP's own among
// them.
func lastWords(t testing.TB, run string) string {
	var list struct {
		Items []struct {
			Metadata struct{ Name string }
			Status   struct{ Phase string }
		}
	}
	get(t, kubeflow+"?labelSelector=pipeline%2Frunid%3D"+run, &list)
	text := ""
	for _, pod := range list.Items {
		if pod.Status.Phase == "Failed" {
			b, err := try(http.MethodGet, kubeflow+"/"+pod.Metadata.Name+"/log?container=main&tailLines=8", "", nil)
			if err != nil {
				b = []byte(err.Error())
			}
			text += fmt.Sprintf("%s: %s\n", pod.Metadata.Name, b)
		}
	}
	return text
}

// TestKFPMNIST trains and evaluates on the real digits, as far as KFP 2.0 goes: in a
// volume, with an artifact between steps. All of examples/mnist needs a newer server,
// which is said before anything is sent.
func TestKFPMNIST(t *testing.T) {
	k := withKFP(t)
	p := pipeline{name: "./straight#Pipeline", role: true, params: map[string]string{"source": "file://" + mirrored(t), "storage_class": "host-path"},
		there: map[string]string{"source": "http://mirror.default"}, kfp: []string{"--kfp-version", "2.0"},
		check: func(_ *testing.T, here, there outcome) error {
			if a, ok := there.outputs["accuracy"].(float64); !ok || a < 0.85 || a != here.outputs["accuracy"] {
				return fmt.Errorf("here %v, there %v", here.outputs, there.outputs)
			}
			return nil
		}}
	line, _, _ := p.everywhere(t, k)
	fmt.Println(line)
	_, said := k.ends(1, "run", "../../examples/mnist#Pipeline", "--on", "kfp", "--kfp-version", "2.0", "--image", "registry.local/mnist:1")
	has(t, said, "KFP 2.0 has no final status; it came with 2.14", "KFP 2.0 has no output of a branch or of a pipeline called in a pipeline, as an input")
	_, said = k.ends(1, "run", "../../examples/mnist#Pipeline", "--on", "kfp", "--image", "registry.local/mnist:1")
	has(t, said, status.said)
}
