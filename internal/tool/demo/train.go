package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/examples/mnist/digits"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/local/progress"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// train runs the pipeline, as kfpgo run does, and returns the folder of the run.
func (d demo) train(ctx context.Context, data string, view *progress.Display) (folder string, err error) {
	g := recorded.Graph(digits.Pipeline)
	if len(g.Errors) > 0 {
		return "", g.Errors
	}
	p, err := lower.Lower(g, g.Component(1))
	if err != nil {
		return "", err
	}
	o := engine.Options{
		Params:     map[string]json.RawMessage{"source": text("file://" + filepath.ToSlash(data)), "trainer": text(d.trainer)},
		IgnoreGPUs: d.trainer != "go",
		Observe:    view.Observe,
	}
	if o.Home, err = filepath.Abs(d.out); err != nil {
		return "", err
	}
	if o.Program, err = os.Executable(); err != nil {
		return "", err
	}
	r, err := engine.Run(ctx, p, o)
	switch {
	case err != nil:
		return "", err
	case ctx.Err() != nil:
		return "", errors.New("interrupted")
	case r.State != run.Succeeded:
		return "", fmt.Errorf("the run in %s failed: %s", r.Dir, r.Error)
	}
	return r.Dir, nil
}

func text(s string) json.RawMessage {
	b, _ := json.Marshal(s)
	return b
}
