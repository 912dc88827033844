package operators

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/test/operators/suite"
)

const (
	patience = 8 * time.Minute

	// The parameter server of a TFJob serves until the job is over, which it is with its chief.
	tfScript    = `echo "$TF_CONFIG"; case $TF_CONFIG in *'"type":"ps"'*) sleep 600;; *'"type":"chief"'*) sleep 25;; *) sleep 1;; esac`
	torchScript = `echo "rank $RANK of $WORLD_SIZE at $MASTER_ADDR:$MASTER_PORT"; [ $RANK != 0 ] || sleep 75` // the workers wait for the master first
	trainScript = `echo "node $PET_NODE_RANK of $PET_NNODES"; sleep 2`
	fails       = `echo no such data >&2; exit 3`
)

// scripted starts a pipeline whose pods run a script.
func scripted[Out any](t *testing.T, p *dsl.Component[suite.ScriptIn, Out], script string) started {
	t.Helper()
	ready(t)
	return start(t, p, suite.ScriptIn{Script: dsl.Const(script)})
}

func TestTFJob(t *testing.T) {
	r := ended(t, scripted(t, suite.TFJob, tfScript), patience)
	l := line{system: "TFJob", applied: "TFJob " + r.output("name"), ran: r.ran(t, "tf-"), want: "SUCCEEDED, TF_CONFIG of chief 0, ps 0, worker 0, worker 1"}
	l.result = fmt.Sprintf("%s, TF_CONFIG of %s", r.State, strings.Join(roles(r.log), ", "))
	l.cleaned = deleted(t, "kubeflow.org/v1", "TFJob", r.output("name"))
	tell(t, l, nil)
}

// roles are those of the TF_CONFIGs in a log.
func roles(log string) (all []string) {
	for _, m := range regexp.MustCompile(`(?m)\] (\{"cluster".*\})$`).FindAllStringSubmatch(log, -1) {
		var c struct {
			Task struct {
				Type  string
				Index int
			}
		}
		if json.Unmarshal([]byte(m[1]), &c) == nil {
			all = append(all, fmt.Sprintf("%s %d", c.Task.Type, c.Task.Index))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestTFJobFails(t *testing.T) {
	failing(t, "TFJob that fails", scripted(t, suite.TFJob, fails), "kubeflow.org/v1", "TFJob", "tf-", "has failed: condition Failed", "TFJobFailed", "exit code 3")
}

func TestPyTorchJob(t *testing.T) {
	r := ended(t, scripted(t, suite.PyTorchJob, torchScript), patience)
	name := r.output("name")
	l := line{system: "PyTorchJob", applied: "PyTorchJob " + name, ran: r.ran(t, "torch-"), want: "SUCCEEDED, ranks 0 of 3, 1 of 3, 2 of 3"}
	l.result = fmt.Sprintf("%s, ranks %s", r.State, strings.Join(found(r.log, `rank (\d of \d) at`), ", "))
	l.cleaned = deleted(t, "kubeflow.org/v1", "PyTorchJob", name)
	tell(t, l, nil)
}

func TestPyTorchJobFails(t *testing.T) {
	failing(t, "PyTorchJob that fails", scripted(t, suite.PyTorchJob, fails), "kubeflow.org/v1", "PyTorchJob", "torch-", "has failed: condition Failed", "PyTorchJobFailed", "exit code 3")
}

func TestTrainJob(t *testing.T) {
	r := ended(t, scripted(t, suite.TrainJob, trainScript), patience)
	l := line{system: "TrainJob", applied: "TrainJob " + r.output("name"), ran: r.ran(t, "train-"), want: "SUCCEEDED, nodes 0 of 2, 1 of 2"}
	l.result = fmt.Sprintf("%s, nodes %s", r.State, strings.Join(found(r.log, `node (\d of \d)`), ", "))
	l.cleaned = deleted(t, "trainer.kubeflow.org/v1alpha1", "TrainJob", r.output("name"))
	tell(t, l, nil)
}

func TestTrainJobFails(t *testing.T) {
	failing(t, "TrainJob that fails", scripted(t, suite.TrainJob, fails), "trainer.kubeflow.org/v1alpha1", "TrainJob", "train-", "has failed: condition Failed", "exit code 3")
}

// found are the matches of a pattern in a log, each once.
func found(log, pattern string) (all []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(log, -1) {
		all = append(all, m[1])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// volcanoTrain writes down what each pod of the example knows of the others; the chief
// ends when all have, and parameter servers never.
const volcanoTrain = `import json, os, sys, time
c = json.loads(os.environ["TF_CONFIG"])
me = "%s-%d" % (c["task"]["type"], c["task"]["index"])
with open("/mnist/config-%s.json" % me, "w") as f:
    json.dump({"args": sys.argv[1:], "config": c}, f)
print("I am", me)
while c["task"]["type"] == "ps" or len([n for n in os.listdir("/mnist") if n.startswith("config-")]) < 5:
    time.sleep(0.3)
`

func TestVolcano(t *testing.T) {
	ready(t)
	dir := fillClaim(t, "mnist", map[string]string{"train.py": volcanoTrain})
	r := ended(t, start(t, suite.Volcano, volcanoIn(2)), patience)
	name := r.output("name")
	l := line{system: "Volcano job (examples/volcano-mnist)", applied: "Queue training, Job " + name, ran: r.ran(t, "mnist-"), want: "SUCCEEDED, TF_CONFIG of 5 pods as written"}
	hosts := fmt.Sprintf(`"cluster": {"chief": ["%[1]s-chief-0.%[1]s:2222"], "worker": ["%[1]s-worker-0.%[1]s:2222", "%[1]s-worker-1.%[1]s:2222"], "ps": ["%[1]s-ps-0.%[1]s:2222", "%[1]s-ps-1.%[1]s:2222"]}`, name)
	as, wrong := 0, []string{}
	for _, task := range []string{"chief 0", "worker 0", "worker 1", "ps 0", "ps 1"} {
		typ, index, _ := strings.Cut(task, " ")
		want := fmt.Sprintf(`{"args": ["--epochs", "2"], "config": {%s, "task": {"type": %q, "index": %s}}}`, hosts, typ, index)
		got := read(t, filepath.Join(dir, "config-"+typ+"-"+index+".json"))
		if canonical(got) == canonical(want) {
			as++
		} else {
			wrong = append(wrong, "got "+got+" want "+want)
		}
	}
	l.result = fmt.Sprintf("%s, TF_CONFIG of %d pods as written", r.State, as)
	l.cleaned = deleted(t, "batch.volcano.sh/v1alpha1", "Job", name)
	var err error
	if len(wrong) > 0 {
		err = fmt.Errorf("%s\n%s", strings.Join(wrong, "\n"), r.log)
	}
	tell(t, l, err)
}

// canonical is JSON in one form.
func canonical(text string) string {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return err.Error() + text
	}
	b, _ := json.Marshal(v)
	return string(b)
}

func TestVolcanoFails(t *testing.T) {
	const script = `case $KFPGO_TASK-$VC_TASK_INDEX in worker-1) echo no such data; exit 3;; *) sleep 600;; esac`
	failing(t, "Volcano job that fails", scripted(t, suite.VolcanoJob, script), "batch.volcano.sh/v1alpha1", "Job", "vj-", "has failed: status.state.phase in", "task worker failed", "-worker-1: container worker: Error, exit code 3")
}

// failing tells of a run that must fail with all that is said, and leave nothing.
func failing(t *testing.T, system string, r0 started, apiVersion, kind, prefix string, says ...string) {
	t.Helper()
	r := ended(t, r0, patience)
	l := line{system: system, applied: "a " + kind, ran: r.ran(t, prefix), result: string(r.State), want: "FAILED"}
	if m := regexp.MustCompile(`(?:created|applied) ` + kind + ` (\S+)`).FindStringSubmatch(r.log); m != nil {
		prefix = m[1] // others of the same kind may go on
	}
	err := r.says(says...)
	if err == nil {
		l.result += ", its reason told: " + strings.Join(says, " | ")
	}
	l.want += ", its reason told: " + strings.Join(says, " | ")
	if l.cleaned = gone(t, apiVersion, kind, prefix); l.cleaned != "yes" && err == nil {
		err = fmt.Errorf("not cleaned up")
	}
	tell(t, l, err)
}
