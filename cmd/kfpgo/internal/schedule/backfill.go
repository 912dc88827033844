package schedule

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/internal/local/scheduler"
	"github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

func newBackfill() *cobra.Command {
	var e engineFlags
	var from, to string
	var dry bool
	cmd := &cobra.Command{
		Use: "backfill NAME --from TIME --to TIME", Short: "Run past fire times",
		Long: `Backfill starts a run for each fire time of the schedule from --from to before --to, with
its current arguments. On this machine, it skips a time whose run has succeeded or is
running, and runs as many at once as the schedule allows; kfpgo schedule serve runs them.`,
		Example: "  kfpgo schedule backfill mnist-nightly --from 2027-03-01 --to 2027-03-08 --dry-run",
		Args:    cli.Exactly(1, "NAME"), ValidArgsFunction: cli.First(e.complete()),
		RunE: e.one(func(cmd *cobra.Command, on engine, s *client.Schedule) error {
			times, err := between(cmd.Context(), s, from, to)
			if err != nil {
				return cli.Usagef(cmd, "%v", err)
			}
			if dry {
				for _, at := range times {
					fmt.Fprintln(cmd.OutOrStdout(), at.Format(time.RFC3339))
				}
				return nil
			}
			return backfill(cmd, on, s, times)
		}),
	}
	e.add(cmd, false)
	cmd.Flags().StringVar(&from, "from", "", "first `TIME`, or a day of the schedule's zone")
	cmd.Flags().StringVar(&to, "to", "", "`TIME` before which it ends")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "print the times, without starting runs")
	cmd.MarkFlagRequired("from")
	cmd.MarkFlagRequired("to")
	return cmd
}

// between returns the fire times of a schedule, which may be before its start.
func between(ctx context.Context, s *client.Schedule, from, to string) (all []time.Time, err error) {
	first, err := schedule.Time(from, s.When.Zone)
	if err != nil {
		return nil, fmt.Errorf("--from: %w", err)
	}
	end, err := schedule.Time(to, s.When.Zone)
	if err != nil {
		return nil, fmt.Errorf("--to: %w", err)
	}
	if !end.After(first) {
		return nil, fmt.Errorf("--to %s is not after --from %s", to, from)
	}
	if end.After(time.Now()) {
		end = time.Now()
	}
	w := when.Schedule(s.Name, s.When)
	if w.Every == 0 {
		w.Start, w.End = nil, nil
	}
	times, err := schedule.New(w, s.Created)
	if err != nil {
		return nil, err
	}
	for e := range times.Events(ctx, first.Add(-time.Second)) {
		if !e.At.Before(end) {
			break
		}
		if e.Change == schedule.Skipped {
			continue
		}
		if all = append(all, e.At); len(all) > maxBackfill {
			return nil, fmt.Errorf("there are more than %d fire times from %s to %s; give a shorter time", maxBackfill, from, to)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("schedule %s has no fire time from %s to %s that has passed", s.Name, from, to)
	}
	return all, nil
}

func backfill(cmd *cobra.Command, on engine, s *client.Schedule, times []time.Time) error {
	if l, ok := on.(*localSchedules); ok {
		queued, err := l.st.Enqueue(cmd.Context(), s.Name, scheduler.Backfill, times)
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s of %s queued\n", plural(len(queued), "run"), plural(len(times), "fire time"))
		if l.st.Serving() == 0 && len(queued) > 0 {
			fmt.Fprintln(cmd.ErrOrStderr(), "start kfpgo schedule serve to run them")
		}
		return nil
	}
	for _, at := range times {
		r, err := on.TriggerSchedule(cmd.Context(), s.Name, at)
		if err != nil {
			return fmt.Errorf("the run of %s: %w", at.Format(time.RFC3339), err)
		}
		cli.Say(cmd.OutOrStdout(), "%s %s", at.Format(time.RFC3339), r.ID)
	}
	return nil
}

// maxBackfill is how many runs a backfill may start.
const maxBackfill = 1000
