package server

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// completed is how many names a completion asks a server for.
const completed = 50

// CompleteRuns completes the runs that a client has, the newest first.
func CompleteRuns[C client.Client](open func(*cobra.Command) (C, error)) cobra.CompletionFunc {
	return cli.Completion(func(cmd *cobra.Command, args []string) ([]string, error) {
		c, err := open(cmd)
		if err != nil {
			return nil, err
		}
		p, err := c.List(cmd.Context(), client.ListOptions{Size: completed})
		if err != nil || len(p.Runs) == 0 {
			return nil, err
		}
		found := []string{cli.Described(records.Latest, "the run that was started last")}
		for _, r := range p.Runs {
			if !slices.Contains(args, r.ID) {
				found = append(found, cli.Described(r.ID, r.Name+", "+kfptype.Word(r.State)+", "+date(r.Created)))
			}
		}
		return found, nil
	})
}

// CompleteTasks completes the tasks of the run that the first argument names.
func CompleteTasks(open func(*cobra.Command) (client.Client, error)) cobra.CompletionFunc {
	return cli.Completion(func(cmd *cobra.Command, args []string) ([]string, error) {
		if len(args) == 0 {
			return nil, nil
		}
		c, err := open(cmd)
		if err != nil {
			return nil, err
		}
		id, err := Latest(cmd.Context(), c, args[0])
		if err != nil {
			return nil, err
		}
		r, err := c.Get(cmd.Context(), id)
		if err != nil {
			return nil, err
		}
		var found []string
		for _, t := range r.Tasks {
			found = append(found, cli.Described(t.Path, kfptype.Word(t.State)))
		}
		return found, nil
	})
}

// kept are the objects of KFP that commands name, by the word for the argument.
var kept = map[string]func(context.Context, *kfp.Client) ([]string, error){
	"PIPELINE":   names((*kfp.Client).ListPipelines, func(p *kfp.Pipeline) string { return cli.Described(p.Name, cli.FirstLine(p.Description)) }),
	"EXPERIMENT": names((*kfp.Client).ListExperiments, func(e *kfp.Experiment) string { return cli.Described(e.Name, cli.FirstLine(e.Description)) }),
	"RECURRING-RUN": names(func(c *kfp.Client, ctx context.Context, o kfp.ListOptions) ([]*kfp.RecurringRun, string, error) {
		return c.ListRecurringRuns(ctx, "", o)
	}, func(r *kfp.RecurringRun) string { return cli.Described(r.Name, "") }),
}

// names returns what asks for the first page of a list, and returns a name for each object.
func names[T any](list func(*kfp.Client, context.Context, kfp.ListOptions) ([]*T, string, error), name func(*T) string) func(context.Context, *kfp.Client) ([]string, error) {
	return func(ctx context.Context, c *kfp.Client) (names []string, err error) {
		objects, _, err := list(c, ctx, kfp.ListOptions{Size: completed})
		for _, o := range objects {
			names = append(names, name(o))
		}
		return names, err
	}
}

// completeKept completes the first argument, or a flag, with the names of objects of KFP.
func completeKept(f *flags.Server, word string) cobra.CompletionFunc {
	list := kept[word]
	if list == nil {
		return cobra.NoFileCompletions
	}
	return cli.Completion(func(cmd *cobra.Command, args []string) ([]string, error) {
		c, err := f.KFP(cmd)
		if err != nil {
			return nil, err
		}
		return list(cmd.Context(), c)
	})
}
