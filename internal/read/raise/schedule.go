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
		limit := ""
		if s.Limit > 1 {
			limit = strconv.Itoa(s.Limit)
		}
		when := fields("dsl.When", "Cron", quoted(s.Cron), "Seconds", flag(s.Seconds), "Every", b.duration(s.Every), "Zone", quoted(s.Zone),
			"MaxConcurrency", limit, "CatchUp", flag(s.CatchUp), "Paused", flag(s.Paused))
		name := b.taken.pick("Schedule")
		w.WriteString(gosrc.Doc("%s starts runs of the pipeline.", name))
		fmt.Fprintf(&w, "var %s = dsl.NewSchedule(%s, %s, %s, %s{})\n\n", name, gosrc.Quote(s.Name), b.main.stem, when, b.main.inType)
	}
	return w.String()
}
