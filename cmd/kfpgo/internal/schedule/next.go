package schedule

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

// nextOptions are the flags of schedule next.
type nextOptions struct {
	n          int
	from       string
	cron, zone string
	seconds    bool
	every      time.Duration
	format     string
}

func newNext() *cobra.Command {
	var o nextOptions
	var e engineFlags
	cmd := &cobra.Command{
		Use:   "next [PIPELINE | NAME]",
		Short: "Show the next fire times of schedules",
		Long: `Next shows the next fire times of the schedules of a pipeline, each in its time zone, and
the effects of daylight saving time. #Name selects one schedule by its variable:
./mnist#Nightly.

With --on it shows those of the stored schedule NAME, on this machine or on a server.
Without an argument it shows those of a cron or an interval given by flags.`,
		Example: `  kfpgo schedule next ./examples/mnist
  kfpgo schedule next mnist --on kfp
  kfpgo schedule next --cron '30 2 * * *' --zone Europe/Zurich -n 3 --from 2027-03-27`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := nextFrom(o.from, o.zone)
			switch {
			case err != nil:
				return cli.Usagef(cmd, "%v", err)
			case o.n < 1 || o.n > 100000:
				return cli.Usagef(cmd, "-n %d: it must be from 1 to 100000", o.n)
			}
			all, err := nextSchedules(cmd, args, o, &e)
			if err != nil {
				return err
			}
			return showNext(cmd, all, from, o)
		},
		ValidArgsFunction: input.Complete,
	}
	e.add(cmd, false)
	f := cmd.Flags()
	f.IntVarP(&o.n, "number", "n", 5, "show `N` times of each schedule")
	f.StringVar(&o.from, "from", "", "times after `TIME`, such as 2027-03-27 or 2027-03-27T12:00:00Z; default: now")
	f.StringVar(&o.cron, "cron", "", "`CRON` of five fields, the minute first, in place of a pipeline")
	f.BoolVar(&o.seconds, "seconds", false, "the cron has a sixth field in front, the second")
	f.StringVar(&o.zone, "zone", "", "`ZONE` of the cron, such as Europe/Zurich; default UTC")
	f.DurationVar(&o.every, "every", 0, "an `INTERVAL`, such as 90m, in place of a cron")
	flags.FormatOf(cmd, &o.format, "table", "json", "yaml")
	return cmd
}

// nextFrom reads a time, or a day of a zone. Nothing is now.
func nextFrom(text, zone string) (time.Time, error) {
	if text == "" {
		return time.Now(), nil
	}
	t, err := schedule.Time(text, zone)
	if err != nil {
		return t, fmt.Errorf("--from: %w", err)
	}
	return t.Add(-time.Second), nil // a time that is given may be a fire time
}

// nextSchedules returns the schedules of the command line, of a pipeline, or of an engine.
func nextSchedules(cmd *cobra.Command, args []string, o nextOptions, e *engineFlags) ([]*program.Schedule, error) {
	bare := o.cron != "" || o.every != 0
	stored := cmd.Flags().Changed("on")
	switch {
	case stored && (bare || len(args) == 0 || o.zone != "" || o.seconds):
		return nil, cli.Usagef(cmd, "with --on give the NAME of a schedule, and no cron or interval")
	case stored:
		on, err := e.open(cmd)
		if err != nil {
			return nil, err
		}
		defer on.close()
		s, err := on.Schedule(cmd.Context(), args[0])
		if err != nil {
			return nil, err
		}
		return []*program.Schedule{when.Schedule(s.Name, s.When)}, nil
	case bare && len(args) > 0:
		return nil, cli.Usagef(cmd, "give a PIPELINE, or --cron or --every, not both")
	case !bare && len(args) == 0:
		return nil, cli.Usagef(cmd, "no PIPELINE was given, and no --cron or --every")
	case !bare && o.zone != "" || o.seconds && o.cron == "":
		return nil, cli.Usagef(cmd, "--zone and --seconds belong to --cron")
	case bare:
		s := &program.Schedule{Name: "next", Cron: o.cron, Seconds: o.seconds, Zone: o.zone, Every: o.every}
		if after, ok := strings.CutPrefix(o.cron, "@every "); ok && o.every == 0 {
			every, err := time.ParseDuration(after)
			if err != nil {
				return nil, fmt.Errorf("--cron: %w", err)
			}
			s.Cron, s.Every = "", every
		}
		return []*program.Schedule{s}, unnamed(schedule.Check(s, time.Now()))
	}
	p, err := scheduled(cmd.Context(), args[0], "give --cron")
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, s := range p.Program.Schedules {
		errs = append(errs, schedule.Check(s, time.Time{}))
	}
	return p.Program.Schedules, errors.Join(errs...)
}

// unnamed strips a name that the user never gave.
func unnamed(err error) error {
	if err == nil {
		return nil
	}
	var errs []error
	for _, line := range strings.Split(err.Error(), "\n") {
		errs = append(errs, errors.New(strings.TrimPrefix(line, "schedule next: ")))
	}
	return errors.Join(errs...)
}

// A firing is a line of schedule next.
type firing struct {
	Schedule string `json:"schedule,omitempty"`
	Time     string `json:"time,omitempty"` // RFC 3339; none: it is skipped
	UTC      string `json:"utc,omitempty"`
	Wall     string `json:"wall"` // what the clock shows
	Zone     string `json:"zone"` // abbreviation
	Note     string `json:"note,omitempty"`
}

func showNext(cmd *cobra.Command, all []*program.Schedule, from time.Time, o nextOptions) error {
	lines := []firing{}
	for _, s := range all {
		times, err := schedule.New(s, from)
		if err != nil {
			return err
		}
		n := 0
		last := -1
		for e := range times.Events(cmd.Context(), from) {
			_, off := e.At.Zone()
			f := firing{Schedule: s.Name, Wall: e.Wall.Format("Mon 2006-01-02 15:04:05"), Zone: e.At.Format("MST"), Note: note(e, last, off)}
			if o.cron != "" || o.every != 0 {
				f.Schedule = ""
			}
			if e.Change != schedule.Skipped {
				f.Time, f.UTC, last = e.At.Format(time.RFC3339), e.At.UTC().Format(time.RFC3339), off
				n++
			}
			lines = append(lines, f)
			if n == o.n {
				break
			}
		}
	}
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	return cli.Display(cmd, o.format, lines, func(t *cli.Table) {
		name := ""
		for _, f := range lines {
			if f.Schedule != name {
				name = f.Schedule
				t.Row(name)
			}
			cells := []any{f.Wall, f.Zone, cmp.Or(f.Time, "-")}
			if f.Note != "" {
				cells = append(cells, f.Note)
			}
			t.Row(cells...)
		}
	})
}

// note says what a change of the clocks has to do with a time.
func note(e schedule.Event, last, off int) string {
	switch e.Change {
	case schedule.Skipped:
		return "doesn't come: the clocks jump over it"
	case schedule.First:
		return "comes twice: the first time"
	case schedule.Second:
		return "comes twice: the second time"
	}
	switch d := time.Duration(off-last) * time.Second; {
	case last == -1 || d == 0:
		return ""
	case d > 0:
		return fmt.Sprintf("the clocks have gone forward by %s", short(d))
	default:
		return fmt.Sprintf("the clocks have gone back by %s", short(-d))
	}
}

// short writes 1h0m0s as 1h.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
