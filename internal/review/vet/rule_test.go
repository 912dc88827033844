package vet_test

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/review/vet"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type in struct {
	N    dsl.Param[int]
	X    dsl.Param[float64]
	Env  dsl.Param[string]
	Flag dsl.Param[bool]
	Opt  dsl.Param[int] `kfp:",optional"`
	List dsl.Param[[]string]
}

var job = dsl.Container("job", func(dsl.None, dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "x:1", Command: []string{"run"}}
})

// rulesIn returns what a rule finds in a pipeline.
func rulesIn(t *testing.T, rule string, o vet.Options, body func(s *dsl.Scope, in in)) []string {
	t.Helper()
	p := lowered.Program(t, dsl.Pipeline("p", func(s *dsl.Scope, in in) dsl.None { body(s, in); return dsl.None{} }))
	var all []string
	for _, f := range vet.Program(p, o) {
		if f.Rule == rule {
			f.Pos = graph.Pos{}
			all = append(all, f.String())
		}
	}
	return all
}

// holds checks that findings have texts, one each, in order.
func holds(t *testing.T, name string, got, want []string) {
	t.Helper()
	if !slices.EqualFunc(got, want, strings.Contains) {
		t.Errorf("%s: got %q, want %q", name, got, want)
	}
}

func call(s *dsl.Scope) { job.Call(s, dsl.None{}) }

// TestBranch: conditions are judged by the constants and conditions around them, and
// what may hold is left alone.
func TestBranch(t *testing.T) {
	if2 := func(a, b func(in in) dsl.Cond) func(*dsl.Scope, in) {
		return func(s *dsl.Scope, in in) {
			dsl.If(s, a(in), func(s *dsl.Scope) { dsl.If(s, b(in), call) })
		}
	}
	elif := func(a, b func(in in) dsl.Cond) func(*dsl.Scope, in) {
		return func(s *dsl.Scope, in in) { dsl.If(s, a(in), call).Elif(b(in), call) }
	}
	type cond = func(in in) dsl.Cond
	n := func(f func(dsl.Param[int], int) dsl.Cond, v int) cond {
		return func(in in) dsl.Cond { return f(in.N, v) }
	}
	env := func(v string) cond { return func(in in) dsl.Cond { return dsl.Eq(in.Env, v) } }
	notEnv := func(v string) cond { return func(in in) dsl.Cond { return dsl.Ne(in.Env, v) } }
	flag := func(in in) dsl.Cond { return dsl.True(in.Flag) }
	for _, c := range []struct {
		name string
		body func(*dsl.Scope, in)
		want string // "", never or always
	}{
		{"alone", func(s *dsl.Scope, in in) { dsl.If(s, dsl.Gt(in.N, 3), call) }, ""},
		{"large", func(s *dsl.Scope, in in) { dsl.If(s, dsl.Lt(in.X, 1e300), call) }, ""},
		{"largest", func(s *dsl.Scope, in in) { dsl.If(s, dsl.Gt(in.X, -math.MaxFloat64), call) }, ""},
		{"large whole", if2(n(dsl.Gt[int], -1<<53), n(dsl.Lt[int], 1<<53)), ""},
		{"narrower", if2(n(dsl.Gt[int], 3), n(dsl.Gt[int], 5)), ""},
		{"wider", if2(n(dsl.Gt[int], 5), n(dsl.Gt[int], 3)), "always"},
		{"apart", if2(n(dsl.Gt[int], 5), n(dsl.Lt[int], 3)), "never"},
		{"touching", if2(n(dsl.Ge[int], 5), n(dsl.Le[int], 5)), ""},
		{"equal", if2(n(dsl.Eq[int], 5), n(dsl.Eq[int], 5)), "always"},
		{"not equal", if2(n(dsl.Eq[int], 5), n(dsl.Eq[int], 6)), "never"},
		{"another text", if2(env("a"), env("b")), "never"},
		{"one of others", if2(notEnv("a"), env("b")), ""},
		{"not this", if2(notEnv("a"), env("a")), "never"},
		{"branches in order", elif(n(dsl.Gt[int], 9), n(dsl.Gt[int], 5)), ""},
		{"branches out of order", elif(n(dsl.Gt[int], 5), n(dsl.Gt[int], 9)), "never"},
		{"same branch", elif(env("a"), env("a")), "never"},
		{"bool twice", if2(flag, func(in in) dsl.Cond { return dsl.Not(flag(in)) }), "never"},
		{"else of both", func(s *dsl.Scope, in in) {
			dsl.If(s, flag(in), call).Elif(dsl.Not(flag(in)), call).Else(call)
		}, "never"},
		{"optional isn't given", func(s *dsl.Scope, in in) {
			dsl.If(s, dsl.Eq(in.Opt, 1), call).Elif(dsl.Ne(in.Opt, 1), call).Else(call)
		}, ""},
		{"or", if2(func(in in) dsl.Cond { return dsl.Or(dsl.Eq(in.N, 1), dsl.Eq(in.N, 2)) }, n(dsl.Eq[int], 2)), ""},
		{"and that can't", func(s *dsl.Scope, in in) { dsl.If(s, dsl.And(dsl.Gt(in.X, 1.5), dsl.Lt(in.X, 1.25)), call) }, "never"},
		{"else of or", func(s *dsl.Scope, in in) {
			dsl.If(s, dsl.Or(dsl.Eq(in.N, 1), dsl.Eq(in.N, 2)), call).Elif(dsl.Eq(in.N, 2), call)
		}, "never"},
		{"items of a constant", func(s *dsl.Scope, in in) {
			dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
				dsl.If(s, dsl.Gt(n, 2), call)
				return dsl.None{}
			})
		}, "never"},
		{"constant", func(s *dsl.Scope, in in) { dsl.If(s, dsl.EqRef(in.N, in.N), call) }, ""},
	} {
		got := strings.Join(rulesIn(t, "branch", vet.Options{}, c.body), "\n")
		ok := got == "" && c.want == "" || c.want != "" && strings.Contains(got, "condition "+c.want+" holds") && strings.Count(got, "\n") == 0
		if !ok {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func quotas(t *testing.T, text string) vet.Options {
	t.Helper()
	q, err := vet.ParseQuotas("q.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return vet.Options{Quotas: q}
}

// TestQuota: what can run at once is summed, what can't isn't.
func TestQuota(t *testing.T) {
	gpu := func(n int) dsl.Option { return dsl.GPU(n) }
	loop := func(items dsl.Param[[]string], opts ...dsl.LoopOption) func(*dsl.Scope, in) {
		return func(s *dsl.Scope, in in) {
			if reflect.ValueOf(items).IsZero() {
				items = in.List
			}
			dsl.ParallelFor(s, items, func(s *dsl.Scope, _ dsl.Param[string]) dsl.None {
				job.Call(s, dsl.None{}, gpu(2))
				return dsl.None{}
			}, opts...)
		}
	}
	three := dsl.Const([]string{"a", "b", "c"})
	four := "kind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {requests.nvidia.com/gpu: 4, count/jobs.batch: 2}}"
	for _, c := range []struct {
		name, quota string
		body        func(*dsl.Scope, in)
		want        []string
	}{
		{"one after the other", four, func(s *dsl.Scope, _ in) {
			a := job.Call(s, dsl.None{}, gpu(3))
			job.Call(s, dsl.None{}, gpu(3), dsl.After(a))
		}, nil},
		{"at once", four, func(s *dsl.Scope, _ in) {
			job.Call(s, dsl.None{}, gpu(3))
			job.Call(s, dsl.None{}, gpu(3))
		}, []string{"ask for 6 of requests.nvidia.com/gpu, and quota team has 4: some wait or are refused; they are job, job-2."}},
		{"branches", four, func(s *dsl.Scope, in in) {
			dsl.If(s, dsl.True(in.Flag), func(s *dsl.Scope) { job.Call(s, dsl.None{}, gpu(3)) }).
				Else(func(s *dsl.Scope) { job.Call(s, dsl.None{}, gpu(4)) })
		}, nil},
		{"too many for one", four, func(s *dsl.Scope, _ in) { job.Call(s, dsl.None{}, gpu(8)) },
			[]string{"error: task job: it asks for 8 of requests.nvidia.com/gpu, and quota team has 4: it never runs"}},
		{"loop", four, loop(three), []string{"ask for 6 of"}},
		{"loop, limited", four, loop(three, dsl.Parallelism(2)), nil},
		{"loop over what isn't known", four, loop(dsl.Param[[]string]{}), []string{"its items run at once, however many there are, with 2 of requests.nvidia.com/gpu each, and quota team has 4: 2 fit"}},
		{"loop over what isn't known, limited", four, loop(dsl.Param[[]string]{}, dsl.Parallelism(3)), []string{"ask for 6 of"}},
		{"queue", "kind: Queue\nmetadata: {name: batch}\nspec: {capability: {nvidia.com/gpu: 4}}", loop(three), []string{"queue batch has 4"}},
		{"cluster queue", "kind: ClusterQueue\nmetadata: {name: all}\nspec:\n  resourceGroups:\n  - flavors:\n    - {name: a, resources: [{name: nvidia.com/gpu, nominalQuota: 2}]}\n    - {name: b, resources: [{name: nvidia.com/gpu, nominalQuota: 3}]}",
			loop(three), []string{"queue all has 5"}},
		{"CPU and memory", "kind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.cpu: 1500m, limits.memory: 6Gi}}", func(s *dsl.Scope, _ in) {
			job.Call(s, dsl.None{}, dsl.CPU("1"), dsl.Memory("4Gi"))
			job.Call(s, dsl.None{}, dsl.CPU("1"), dsl.Memory("4Gi"))
		}, []string{"ask for 8Gi of limits.memory, and quota q has 6Gi", "ask for 2 of requests.cpu, and quota q has 1500m"}},
		{"not said", "kind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {limits.memory: 6Gi}}", func(s *dsl.Scope, _ in) { call(s) },
			[]string{"quota q limits limits.memory, so that Kubernetes refuses a pod that doesn't say it, unless a LimitRange has a default: set dsl.Memory"}},
		{"pods", "kind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 2}}", loop(three), []string{"ask for 3 of pods, and quota q has 2"}},
		{"manifest", four, func(s *dsl.Scope, _ in) {
			dsl.Resource("train", func(dsl.None, dsl.None) dsl.ResourceSpec {
				return dsl.ResourceSpec{Action: dsl.Create, Manifest: "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {generateName: x-}\nspec:\n  tasks:\n  - replicas: 3\n    template: {spec: {containers: [{name: a, image: b:1, resources: {limits: {nvidia.com/gpu: 2}}}]}}"}
			}).Call(s, dsl.None{})
		}, []string{"error: task train: it asks for 6 of"}},
	} {
		got := rulesIn(t, "quota", quotas(t, c.quota), c.body)
		holds(t, c.name, got, c.want)
	}
	for text, want := range map[string]string{
		"kind: Pod": "a Pod says nothing about quotas", "": "q.yaml has no quota", "a: [": "q.yaml: yaml:",
		"kind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: many}}": `q.yaml: ResourceQuota q: pods: "many" isn't a quantity`,
	} {
		if _, err := vet.ParseQuotas("q.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// TestPVC: only mounts that can be there at the same time are found.
func TestPVC(t *testing.T) {
	claim := func(s *dsl.Scope, modes ...k8s.AccessMode) dsl.Option {
		in := k8s.CreatePVCIn{NameSuffix: dsl.Const("-x"), Size: dsl.Const("1Gi")}
		if modes != nil {
			in.AccessModes = dsl.Const(modes)
		}
		return k8s.MountPVC(k8s.CreatePVC.Call(s, in).Out.Name, "/data")
	}
	inLoop := func(s *dsl.Scope, list dsl.Param[[]string], m dsl.Option, opts ...dsl.LoopOption) {
		dsl.ParallelFor(s, list, func(s *dsl.Scope, _ dsl.Param[string]) dsl.None {
			job.Call(s, dsl.None{}, m)
			return dsl.None{}
		}, opts...)
	}
	for _, c := range []struct {
		name string
		body func(*dsl.Scope, in)
		want int
	}{
		{"two at once", func(s *dsl.Scope, _ in) { m := claim(s); job.Call(s, dsl.None{}, m); job.Call(s, dsl.None{}, m) }, 1},
		{"two claims", func(s *dsl.Scope, _ in) { job.Call(s, dsl.None{}, claim(s)); job.Call(s, dsl.None{}, claim(s)) }, 0},
		{"in order", func(s *dsl.Scope, _ in) {
			m := claim(s)
			job.Call(s, dsl.None{}, m, dsl.After(job.Call(s, dsl.None{}, m)))
		}, 0},
		{"many nodes", func(s *dsl.Scope, _ in) {
			m := claim(s, k8s.ReadWriteMany)
			job.Call(s, dsl.None{}, m)
			job.Call(s, dsl.None{}, m)
		}, 0},
		{"loop", func(s *dsl.Scope, in in) { inLoop(s, in.List, claim(s)) }, 1},
		{"loop of one at a time", func(s *dsl.Scope, in in) { inLoop(s, in.List, claim(s), dsl.Parallelism(1)) }, 0},
		{"loop over one", func(s *dsl.Scope, in in) { inLoop(s, dsl.Const([]string{"a"}), claim(s)) }, 0},
		{"branches", func(s *dsl.Scope, in in) {
			m := claim(s)
			dsl.If(s, dsl.True(in.Flag), func(s *dsl.Scope) { job.Call(s, dsl.None{}, m) }).Else(func(s *dsl.Scope) { job.Call(s, dsl.None{}, m) })
		}, 0},
		{"inside a condition and beside it", func(s *dsl.Scope, in in) {
			m := claim(s)
			dsl.If(s, dsl.True(in.Flag), func(s *dsl.Scope) { job.Call(s, dsl.None{}, m) })
			job.Call(s, dsl.None{}, m)
		}, 1},
	} {
		if got := rulesIn(t, "pvc", vet.Options{}, c.body); len(got) != c.want {
			t.Errorf("%s: got %q", c.name, got)
		}
	}
}

// TestReads: what a command line, Python and retries show.
func TestReads(t *testing.T) {
	line := func(command string, opts ...dsl.Option) func(*dsl.Scope, in) {
		c := dsl.Container("c", func(dsl.None, dsl.None) dsl.ContainerSpec {
			return dsl.ContainerSpec{Image: "x:1", Command: []string{"sh", "-c", command}}
		})
		return func(s *dsl.Scope, _ in) { c.Call(s, dsl.None{}, opts...) }
	}
	for _, c := range []struct {
		rule, command string
		opts          []dsl.Option
		want          bool
	}{
		{"cache", "curl -fsS https://example.com/x -o /x", nil, true},
		{"cache", "curl -fsS https://example.com/x -o /x", []dsl.Option{dsl.NoCache()}, false},
		{"cache", "curl -fsS https://example.com/x -o /x", []dsl.Option{dsl.CacheKey("v3")}, false},
		{"cache", "echo $(date +%F)", nil, true},
		{"cache", "git clone $REPO", nil, true},
		{"cache", "python train.py --update --date 2024-01-01", nil, false},
		{"retry", "kubectl create -f x.yaml", []dsl.Option{dsl.Retry(2)}, true},
		{"retry", "kubectl create -f x.yaml", nil, false},
		{"retry", "kubectl apply -f x.yaml", []dsl.Option{dsl.Retry(2)}, false},
		{"retry", "curl -sS -X POST https://example.com", []dsl.Option{dsl.Retry(2)}, true},
		{"retry", "curl -sS https://example.com", []dsl.Option{dsl.Retry(2)}, false},
		{"secret", "train --api-key=sk12345678", nil, true},
		{"secret", "train --token $TOKEN", nil, false},
		{"secret", "mlflow --backend postgresql://admin:hunter2@db/x", nil, true},
		{"secret", "echo -----BEGIN RSA PRIVATE KEY-----", nil, true},
	} {
		got := rulesIn(t, c.rule, vet.Options{}, line(c.command, c.opts...))
		if (len(got) == 1) != c.want || strings.Contains(strings.Join(got, ""), "hunter2") {
			t.Errorf("%s: %s: got %q", c.rule, c.command, got)
		}
	}
	if got := rulesIn(t, "cache", vet.Options{Argo: true}, line("curl https://example.com/x")); len(got) > 0 {
		t.Errorf("Argo, which caches nothing: %q", got)
	}
}

// TestSchedule: what crons say and few people mean.
func TestSchedule(t *testing.T) {
	for cron, want := range map[string]string{
		"0 3 * * *": "", "*/15 * * * *": "", "* * * * *": "", "0 */6 * * *": "", "@daily": "", "0 0 1,15 * *": "", "0 3 * * MON-FRI": "",
		"* 3 * * *":    "every minute of those hours, 60 times a day",
		"0 4 13 * FRI": "on each of these days of the month and on each of these days of the week too",
		"*/45 * * * *": "after 45 come 15 minutes and not 45",
		"0 */5 * * *":  "after 20 come 4 hours and not 5",
	} {
		p := one("x:1", nil)
		p.Schedules = []*program.Schedule{{Name: "s", Cron: cron}}
		got := text(vet.Program(p, vet.Options{}))
		if want == "" && got != "" || !strings.Contains(got, want) || strings.Count(got, "\n") > 1 {
			t.Errorf("%s: got %s", cron, got)
		}
	}
}

// TestSilence: comments count in their line and the next, with a reason.
func TestSilence(t *testing.T) {
	for _, c := range []struct{ comment, want string }{
		{"//kfpgo:ignore image the mirror keeps it", ""},
		{"//kfpgo:ignore image,secret the mirror keeps it", "rule secret finds nothing here: delete the comment"},
		{"//kfpgo:ignore image", `has no tag`},
		{"//kfpgo:ignore image", "a comment that silences rule image says why: //kfpgo:ignore image REASON"},
		{"//kfpgo:ignore images the mirror", `there is no rule "images"`},
		{"//kfpgo:ignore", "which rule, and why? //kfpgo:ignore RULE REASON"},
		{"//kfpgo:ignore compile so", "rule compile can't be silenced"},
		{"//kfpgo:ignore cache it may change", `has no tag`},
		{"x := `//kfpgo:ignore image why`", `has no tag`},
		{"//kfpgo:ignored image why", `has no tag`},
	} {
		file := filepath.Join(t.TempDir(), "p.go")
		if err := os.WriteFile(file, []byte("package p\n\n\n\n\n"+c.comment+"\n\tStep.Call(s)\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		p := one("x", func(task *program.Task, _ *program.Component) { task.Pos = graph.Pos{File: file, Line: 7} })
		var got string
		for _, f := range vet.Silence(p, vet.Program(p, vet.Options{})) {
			if f.Silenced == "" {
				got += f.String() + "\n"
			} else if f.Rule != "image" || f.Silenced != "the mirror keeps it" {
				t.Errorf("%s: silenced %v", c.comment, f)
			}
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s", c.comment, got)
		}
	}
}
