package raise

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// schedules returns the schedules of the pipeline. Their runs have the pipeline's
// own defaults for arguments.
func (b *builder) schedules() string {
	var w strings.Builder
	for _, s := range b.p.Schedules {
		if len(s.Args) > 0 || s.Start != nil || s.End != nil {
			b.errorf(b.main.Pos, "schedule %s: arguments, a start or an end of a schedule that was read from a file", s.Name)
			continue
		}
		var parts []string
		if s.Cron != "" {
			parts = append(parts, "Cron: "+gosrc.Quote(s.Cron))
		}
		if s.Seconds {
			parts = append(parts, "Seconds: true")
		}
		if s.Every != 0 {
			parts = append(parts, "Every: "+b.duration(s.Every))
		}
		if s.Zone != "" {
			parts = append(parts, "Zone: "+gosrc.Quote(s.Zone))
		}
		if s.Limit > 1 {
			parts = append(parts, "MaxConcurrency: "+strconv.Itoa(s.Limit))
		}
		if s.CatchUp {
			parts = append(parts, "CatchUp: true")
		}
		if s.Paused {
			parts = append(parts, "Paused: true")
		}
		name := b.taken.pick("Schedule")
		w.WriteString(gosrc.Doc("%s starts runs of the pipeline.", name))
		fmt.Fprintf(&w, "var %s = dsl.NewSchedule(%s, %s, %s, %s{})\n\n", name, gosrc.Quote(s.Name), b.main.stem, braces("dsl.When", parts), b.main.inType)
	}
	return w.String()
}
