package argo_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/testing/argosim"
)

// A sim runs a Workflow in a test, which says what its pods do.
type sim struct {
	argosim.Sim
	t *testing.T
	w *wfv1.Workflow

	// step runs a Go or Python step: from the executor input, output files by path.
	step func(name string, input map[string]any) (map[string]string, error)
	// process, if it is there, does so as a real one.
	process func(p *argosim.Pod) (map[string]string, error)
	// container runs a command, after the kubelet had a look at it.
	container func(name string, argv []string, env map[string]string) map[string]string
	// object does something with an object; outputs by JSON path.
	object func(r *wfv1.ResourceTemplate) map[string]string
	// wrong, if it is there, gets what is wrong with an expression.
	wrong func(err error)
}

type params map[string]string

// A node is how a template ended.
type node struct {
	phase string
	out   params
}

func newSim(t *testing.T, w *wfv1.Workflow, args map[string]string) *sim {
	s := &sim{t: t, w: w}
	s.Version, s.Strict, s.Args, s.Global = 3, true, args, map[string]string{}
	s.Kubelet = map[string]string{"HOME": "/root"} // as if an image had it
	s.Pods = argosim.Pods{Step: s.runStep, Container: func(p *argosim.Pod) (*argosim.Output, error) {
		return &argosim.Output{Files: s.container(p.Template.Name, p.Argv, p.Env)}, nil
	}, Resource: func(p *argosim.Pod) (*argosim.Output, error) {
		return &argosim.Output{Files: s.object(p.Template.Resource)}, nil
	}}
	return s
}

// run runs the Workflow and then its exit hook.
func (s *sim) run() node {
	s.t.Helper()
	n, err := s.Run(s.w)
	if err != nil && s.wrong != nil {
		s.wrong(err)
	} else if err != nil {
		s.t.Error(err)
	}
	if s.Exit != nil && s.Exit.Phase != wfv1.NodeSucceeded {
		s.t.Errorf("the exit handler %s", s.Exit.Phase)
	}
	return node{string(n.Phase), n.Params()}
}

// message is what a failed pod says.
const message = "exit code 1: it's {{bad}} $x \\ \"q\" C:\\Users \\x41 \t\u200b\u007f<\u2028> é漢😀"

func (s *sim) runStep(p *argosim.Pod) (*argosim.Output, error) {
	var x map[string]any
	d := json.NewDecoder(strings.NewReader(p.Input))
	d.UseNumber()
	if err := d.Decode(&x); err != nil {
		if s.wrong == nil {
			s.t.Fatalf("%s: %v: %s", p.Template.Name, err, p.Input)
		}
		s.wrong(err)
		return nil, err
	}
	run := s.process
	if run == nil {
		run = func(p *argosim.Pod) (map[string]string, error) { return s.step(p.Template.Name, x) }
	}
	files, err := run(p)
	if err != nil && p.Last {
		err = errors.New(message)
	} else if err != nil {
		err = errors.New("exit code 2")
	}
	return &argosim.Output{Files: files}, err
}

// ran returns the templates of the pods, in order.
func (s *sim) ran() (all []string) {
	for _, p := range s.Ran {
		all = append(all, p.Template.Name)
	}
	return all
}

// filled returns a template with its inputs.
func (s *sim) filled(t *wfv1.Template, inputs map[string]string) *wfv1.Template {
	full, err := s.Fill(s.w, t, inputs)
	if err != nil {
		s.t.Error(err)
	}
	return full
}
