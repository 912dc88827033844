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

// TestKFP runs pipelines here, on KFP and, with FULL=1 beside 2.0.5, on Argo in the same cluster: each must end
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
	all := onKFP(t)
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
				fmt.Println(line) // a run that is broken off has said what it knows
				lines = append(lines, line)
			})
		}
	})
	slices.Sort(lines)
	fmt.Printf("%s\nequal %d/%d, and %d that KFP %s can't run, each as it is known\n", strings.Join(lines, "\n"), equal, len(all)-refused, refused, version)
	if os.Getenv("FULL") == "" {
		fmt.Printf("left out, since a run without FULL=1 takes some rows in turn: %d of %d\n", len(pipelines)-len(all), len(pipelines))
	}
}

// onKFP are the pipelines that TestKFP runs: without FULL=1, of those that have a
// construct of their own, half in turn, as turn has it, and of a newer server three of four of those
// for it, in turn too.
func onKFP(t *testing.T) []pipeline {
	if *only != "" {
		return wanted(pipelines)
	}
	all := slices.DeleteFunc(slices.Clone(pipelines), func(p pipeline) bool { return left[p.short()] != "" || left[p.String()] != "" })
	if os.Getenv("FULL") != "" {
		return all
	}
	if version != "2.0.5" {
		out := commits(t) % 4
		return slices.DeleteFunc(all, func(p pipeline) bool {
			i := slices.Index(newer, p.String())
			return i < 0 || i%4 == out
		})
	}
	some := slices.DeleteFunc(all, func(p pipeline) bool { return !slices.Contains(constructs, p.String()) })
	some, _ = turn(t, some)
	return some
}

// everywhere compares a pipeline here, on Argo and on KFP with what the table has.
func (p pipeline) everywhere(t *testing.T, k onServer) (line string, same, known bool) {
	began := time.Now()
	limit := limitOf(p)
	wf := ""
	if limit == nil && version == "2.0.5" && os.Getenv("FULL") != "" { // TestPipelines compares what runs here and on Argo
		wf = p.submit(t)
	}
	got := p.onKFP(t, k)
	if limit != nil {
		if why := limit.differs(got); why != "" {
			t.Errorf("%s: KFP %s %s, so it was expected to end with %q: %s", p, version, limit.Why, limit.Said, why)
		}
		return fmt.Sprintf("%-56.56s kfp %-9s %s", p, got.state, limit.Why), false, true
	}
	here, there, argo := p.onLocal(t), got, ""
	if wf != "" {
		there = await(t, wf, nil).outcome(t)
		argo = there.state
	}
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
	return fmt.Sprintf("%-56.56s local %-9s argo %-9s kfp %-9s equal %-5v %3.0f s", p, here.state, argo, got.state, same, time.Since(began).Seconds()), same, false
}

// onKFP compiles, submits and waits, all by the command, and reads back from ML
// Metadata and the store what the run has made.
func (p pipeline) onKFP(t *testing.T, k onServer) outcome {
	args := []string{"run", p.ref(), "--on", "kfp", "--wait", "--wait-timeout", p.patience(), "--format", "json", "--image", p.image()}
	if !p.cached {
		args = append(args, "--no-cache")
	}
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
	rec, err := recordOf(t.Context(), r.ID)
	if err == nil && !p.drafts {
		err = rec.stored()
	}
	if err != nil {
		got.state = "LOST"
		got.log += err.Error()
		return got
	}
	for _, x := range rec {
		got.tasks = append(got.tasks, task{Name: x.name, State: x.state.String(), Outputs: x.outputs})
		got.ended[x.name] = map[string]string{"COMPLETE": "SUCCEEDED"}[x.state.String()]
		if got.ended[x.name] == "" {
			got.ended[x.name] = x.state.String()
		}
	}
	got.outputs = rec.outputs(t, command(t, "", kfpgo, "compile", p.ref(), "--image", p.image(), "--kfp-version", "2.17")) // as it is written for a server
	if got.state != "SUCCEEDED" {
		got.log += lastWords(t, r.ID)
	}
	return got
}

// patience is how long a run may take: what never ends shortens it.
func (p pipeline) patience() string {
	if l := limitOf(p); l != nil && l.State == "RUNNING" {
		return "3m"
	}
	return "25m"
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
