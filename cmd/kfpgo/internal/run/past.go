package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/server"
	"github.com/kfpgo/kfpgo/internal/local/replay"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	argonames "github.com/kfpgo/kfpgo/internal/target/argo"
)

// serverPast finds a step of a run of a server.
func (f *replayFlags) serverPast(cmd *cobra.Command, id, task, pipeline string) (*pastStep, error) {
	ctx := cmd.Context()
	c, err := f.Connect(cmd)
	if err != nil {
		return nil, err
	}
	if pipeline == "" {
		return nil, cli.Usagef(cmd, "which pipeline is it? give the package that the run was compiled from, such as kfpgo replay %s %s ./mnist --on %s", id, task, c.Engine())
	}
	reader, ok := c.(client.StepReader)
	if !ok {
		return nil, fmt.Errorf("kfpgo can't read the inputs of the steps of %s", c.Engine())
	}
	if id, err = server.Latest(ctx, c, id); err != nil {
		return nil, err
	}
	s, err := reader.Step(ctx, id, task)
	if err != nil {
		return nil, err
	}
	p := &pastStep{record: &replay.Record{
		Run: id, Path: s.Path, State: s.State, Error: s.Error, ExitCode: s.ExitCode, Params: s.Inputs, Group: s.Group, Beside: s.Beside,
	}}
	p.as = func(name string) string { return name }
	if c.Engine() == "argo" {
		p.as = argonames.TaskName
	}
	if p.Pipeline, err = input.Load(ctx, pipeline); err != nil {
		return nil, err
	}
	p.fetch = func(ctx context.Context, to string, comp *program.Component) error {
		return fetchInputs(ctx, c, p.record, to, comp)
	}
	return p, nil
}

// fetchInputs fetches the artifacts that a step was given.
func fetchInputs(ctx context.Context, c client.Client, r *replay.Record, to string, comp *program.Component) error {
	if !slices.ContainsFunc(comp.Inputs, func(in program.Port) bool { return in.Type.Artifact }) {
		return nil
	}
	store, ok := c.(lineage.Store)
	if !ok {
		return fmt.Errorf("%s has artifacts as inputs, which kfpgo can't fetch from %s", r.Path, c.Engine())
	}
	g, err := store.Artifacts(ctx, lineage.Query{Run: r.Run})
	if err != nil {
		return err
	}
	r.Arts = map[string][]run.Artifact{}
	for _, ev := range g.Events {
		e, a := g.Execution(ev.Execution), g.Artifact(ev.Artifact)
		if ev.Kind != lineage.Read || e == nil || a == nil || e.Run != r.Run || e.Task != r.Path || comp.Input(ev.Name) == nil {
			continue
		}
		at := filepath.Join(to, ev.Name)
		if comp.Input(ev.Name).Type.List {
			at = filepath.Join(at, strconv.Itoa(ev.Index))
		}
		list := r.Arts[ev.Name]
		for len(list) <= ev.Index {
			list = append(list, run.Artifact{})
		}
		list[ev.Index] = run.Artifact{Name: ev.Name, Type: a.Type, URI: "file://" + at, Metadata: a.Metadata}
		r.Arts[ev.Name] = list
		if err := lineage.Save(ctx, store.Files(ctx, a), at); err != nil && !errors.Is(err, lineage.ErrNothing) {
			return fmt.Errorf("input %s (%s): %w", ev.Name, a.URI, err)
		}
	}
	return nil
}
