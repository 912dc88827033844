package argosim

import (
	"errors"
	"fmt"
	"maps"
	"strconv"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// mostAttempts is how many a template without a limit has.
const mostAttempts = 100

// retried runs a template until it succeeds or its limit is reached.
func (s *Sim) retried(c *call, run func(*call) *Node) *Node {
	if c.t.RetryStrategy == nil {
		return run(c)
	}
	t, err := s.lang.Process(c.t, &c.args, s.global, c.local)
	if err != nil {
		return s.wrong(c.node, err)
	}
	limit := mostAttempts
	if l := t.RetryStrategy.Limit; l != nil {
		if limit, err = strconv.Atoi(l.String()); err != nil {
			return s.wrong(c.node, err)
		}
	}
	again := map[wfv1.RetryPolicy]map[wfv1.NodePhase]bool{
		wfv1.RetryPolicyAlways:    {wfv1.NodeFailed: true, wfv1.NodeError: true},
		wfv1.RetryPolicyOnFailure: {wfv1.NodeFailed: true},
		wfv1.RetryPolicyOnError:   {wfv1.NodeError: true},
	}[t.RetryStrategy.RetryPolicyActual()]
	ran, task := pods{}, c.task
	for i := 0; ; i++ {
		one := *c
		one.task, one.node = fmt.Sprintf("%s(%d)", task, i), fmt.Sprintf("%s(%d)", c.node, i)
		one.before, one.attempt, one.last = c.before.and(ran), i, i >= limit
		one.local = maps.Clone(c.local)
		one.local["retries"] = strconv.Itoa(i)
		n := run(&one)
		ran = ran.and(n.pods)
		switch {
		case !again[n.Phase]:
		case i >= mostAttempts:
			n = s.wrong(c.node, errors.New("a retry without an end"))
		case i >= limit:
			n = &Node{Phase: n.Phase, Message: "No more retries left"}
			s.fail(task, n.Message, c.t.Name, n.Phase, "")
		default:
			continue
		}
		n.pods = ran
		return n
	}
}
