package schedule

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

// A defined is a schedule that is to be applied, with its pipeline.
type defined struct {
	s *program.Schedule
	*input.Pipeline
}

// sourceFlags are the flags that define a schedule, or name a file that does.
type sourceFlags struct {
	file string
	document
	every  time.Duration
	params params.Options
}

// A document is one of a schedule file.
type document struct {
	Name           string    `yaml:"name"`
	Pipeline       string    `yaml:"pipeline"` // from the file's folder
	Cron           string    `yaml:"cron"`
	Seconds        bool      `yaml:"seconds"`
	Every          string    `yaml:"every"`
	Zone           string    `yaml:"zone"`
	Start          string    `yaml:"start"`
	End            string    `yaml:"end"`
	MaxConcurrency int       `yaml:"maxConcurrency"`
	CatchUp        bool      `yaml:"catchUp"`
	Paused         bool      `yaml:"paused"`
	Params         yaml.Node `yaml:"params"`
	FireTime       []string  `yaml:"fireTime"` // inputs that get it
	FireDate       []string  `yaml:"fireDate"` // inputs that get its day
}

func (f *sourceFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVarP(&f.file, "file", "f", "", "YAML `FILE` with one or more schedules")
	fs.StringVar(&f.Name, "name", "", "`NAME` of a schedule that is defined here, in place of those of the pipeline")
	fs.StringVar(&f.Cron, "cron", "", "its `CRON` of five fields, the minute first")
	fs.BoolVar(&f.Seconds, "seconds", false, "the cron has a sixth field in front, the second")
	fs.DurationVar(&f.every, "every", 0, "an `INTERVAL`, such as 90m, in place of a cron")
	fs.StringVar(&f.Zone, "zone", "", "`ZONE` of the cron, such as Europe/Zurich; default UTC")
	fs.StringVar(&f.Start, "start", "", "fire from `TIME` on")
	fs.StringVar(&f.End, "end", "", "fire before `TIME`")
	fs.IntVar(&f.MaxConcurrency, "max-concurrency", 1, "`N` runs at once, from 1 to 10")
	fs.BoolVar(&f.CatchUp, "catch-up", false, "also run fire times that were missed")
	fs.BoolVar(&f.Paused, "paused", false, "don't fire until resumed")
	flags.Params(fs, &f.params, "an argument of the runs", "arguments")
	fs.StringArrayVar(&f.FireTime, "fire-time", nil, "`INPUT` that gets the time at which the schedule fires, in its zone; may be repeated")
	fs.StringArrayVar(&f.FireDate, "fire-date", nil, "`INPUT` that gets the day of that time, such as 2027-03-28; may be repeated")
}

// own lists the flags that define a schedule, of those that were given.
func (f *sourceFlags) own(cmd *cobra.Command) (given []string) {
	for _, name := range []string{"name", "cron", "seconds", "every", "zone", "start", "end", "max-concurrency", "catch-up", "paused", "param", "params-file", "fire-time", "fire-date"} {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	return given
}

// schedules returns what the command line defines, checked.
func (f *sourceFlags) schedules(cmd *cobra.Command, args []string) (all []defined, err error) {
	given := f.own(cmd)
	switch {
	case f.file != "" && (len(args) > 0 || len(given) > 0):
		return nil, cli.Usagef(cmd, "-f has all that there is to say; leave out PIPELINE and %s", strings.Join(append(given, "other flags"), ", "))
	case f.file != "":
		all, err = fromFile(cmd.Context(), f.file)
	case len(args) == 0:
		return nil, cli.Usagef(cmd, "no PIPELINE was given, and no -f")
	case len(given) == 0:
		all, err = declared(cmd.Context(), args[0])
	case f.Cron == "" && f.every == 0:
		return nil, cli.Usagef(cmd, "%s belong to a schedule that is defined here; give its --name and --cron or --every too", strings.Join(given, ", "))
	case f.Name == "":
		return nil, cli.Usagef(cmd, "give the --name of the schedule")
	default:
		all, err = f.here(cmd.Context(), args[0])
	}
	if err != nil {
		return nil, err
	}
	var errs []error
	names := map[string]bool{}
	for _, d := range all {
		if names[d.s.Name] {
			errs = append(errs, fmt.Errorf("schedule %s is there twice", d.s.Name))
		}
		names[d.s.Name] = true
		errs = append(errs, schedule.Check(d.s, time.Now()), schedule.CheckArgs(d.Program, d.s), params.InFile(d.Program))
		for _, w := range schedule.Warnings(d.s, time.Now()) {
			cli.Say(cmd.ErrOrStderr(), "warning: %s", w)
		}
	}
	return all, errors.Join(errs...)
}

// here returns the schedule that flags define.
func (f *sourceFlags) here(ctx context.Context, pipeline string) ([]defined, error) {
	p, err := input.Load(ctx, pipeline)
	if err == nil && p.Schedule != nil {
		err = fmt.Errorf("%s is schedule %s, which has times and arguments of its own; apply it as it is, with kfpgo schedule apply %s, or name the variable of its pipeline", pipeline, p.Schedule.Name, cli.ShellWord(pipeline))
	}
	if err != nil {
		return nil, err
	}
	s := &program.Schedule{Name: f.Name, Cron: f.Cron, Seconds: f.Seconds, Every: f.every, Zone: f.Zone, Limit: f.MaxConcurrency, CatchUp: f.CatchUp, Paused: f.Paused}
	if f.MaxConcurrency == 0 {
		return nil, fmt.Errorf("schedule %s: --max-concurrency 0: it must be from 1 to %d", f.Name, schedule.MaxLimit)
	}
	var errs []error
	for _, t := range []struct {
		flag, text string
		to         **time.Time
	}{{"--start", f.Start, &s.Start}, {"--end", f.End, &s.End}} {
		if t.text != "" {
			at, err := schedule.Time(t.text, f.Zone)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", t.flag, err))
			}
			*t.to = &at
		}
	}
	if f.params.YAML == nil {
		if err := flags.ReadParams(&f.params); err != nil {
			return nil, err
		}
	}
	f.params.Partial = true // missing arguments are reported with the schedule's name
	given, err := params.Read(p.Inputs(), f.params)
	errs = append(errs, err)
	for i, name := range slices.Concat(f.FireTime, f.FireDate) {
		if _, ok := given[name]; ok {
			errs = append(errs, fmt.Errorf("input %s is given a value and the fire time; choose one", name))
		}
		if i < len(f.FireTime) && slices.Contains(f.FireDate, name) {
			errs = append(errs, fmt.Errorf("input %s is given the fire time and the fire date; choose one", name))
		}
	}
	when.SetArgs(s, given, f.FireTime, f.FireDate)
	return []defined{{s, p}}, errors.Join(errs...)
}

// declared returns the schedules that a pipeline's package has.
func declared(ctx context.Context, pipeline string) (all []defined, err error) {
	p, err := scheduled(ctx, pipeline, "give --name and --cron")
	if err != nil {
		return nil, err
	}
	for _, s := range p.Program.Schedules {
		all = append(all, defined{s, p})
	}
	return all, nil
}

// scheduled returns a pipeline that has schedules, those that PIPELINE names. A package
// can define some; what else to do is said too.
func scheduled(ctx context.Context, pipeline, otherwise string) (*input.Pipeline, error) {
	p, err := input.Load(ctx, pipeline)
	if err != nil || len(p.Program.Schedules) > 0 {
		return p, err
	}
	if p.Built != nil {
		otherwise = "define one with dsl.NewSchedule in an exported variable, or " + otherwise
	}
	return nil, fmt.Errorf("%s: pipeline %s has no schedule; %s", pipeline, p.Program.Name, otherwise)
}

func (y *document) defined(ctx context.Context, file string) ([]defined, error) {
	f := sourceFlags{document: *y}
	if y.Every != "" {
		var err error
		if f.every, err = time.ParseDuration(y.Every); err != nil {
			return nil, fmt.Errorf("every: %w; give it as 90m or 24h", err)
		}
	}
	if y.Pipeline == "" {
		return nil, errors.New("pipeline: none is named")
	}
	pipeline := y.Pipeline
	if local := strings.HasPrefix(pipeline, "."); (local || input.IsFile(filepath.Join(filepath.Dir(file), pipeline))) && !filepath.IsAbs(pipeline) {
		pipeline = filepath.Join(filepath.Dir(file), pipeline)
		if !filepath.IsAbs(pipeline) && !strings.HasPrefix(pipeline, "..") {
			pipeline = "./" + pipeline
		}
	}
	if !y.Params.IsZero() {
		b, err := yaml.Marshal(&y.Params)
		if err != nil {
			return nil, err
		}
		f.params = params.Options{File: "params", YAML: b}
	}
	return f.here(ctx, pipeline)
}

// fromFile reads the schedules of a file.
func fromFile(ctx context.Context, file string) (all []defined, err error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	for {
		y := document{MaxConcurrency: 1}
		if err := d.Decode(&y); err == io.EOF {
			break
		} else if err != nil {
			return nil, badYAML(file, err)
		}
		s, err := y.defined(ctx, file)
		if err != nil {
			return nil, fmt.Errorf("%s: schedule %s: %w", file, y.Name, err)
		}
		all = append(all, s...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: there is no schedule in it", file)
	}
	return all, nil
}

// badYAML reports the errors in a file, one a line.
func badYAML(file string, err error) error {
	var e *yaml.TypeError
	if !errors.As(err, &e) {
		return fmt.Errorf("%s: %s", file, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	var errs []error
	for _, msg := range e.Errors {
		msg = strings.NewReplacer("type schedule.document", "a schedule", "schedule.document", "a schedule").Replace(msg)
		errs = append(errs, fmt.Errorf("%s:%s", file, strings.TrimPrefix(msg, "line ")))
	}
	return errors.Join(errs...)
}
