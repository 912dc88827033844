package main

import (
	"time"

	"github.com/kfpgo/kfpgo/client"
)

// shownWhen is when a schedule fires, as JSON has it: in the words of a schedule file,
// and without what isn't set. Whether it is paused is said of the schedule.
type shownWhen struct {
	Cron           string    `json:"cron,omitempty"`
	Seconds        bool      `json:"seconds,omitempty"`
	Every          string    `json:"every,omitempty"` // as 90m
	Zone           string    `json:"zone,omitempty"`
	Start          time.Time `json:"start,omitzero"`
	End            time.Time `json:"end,omitzero"`
	MaxConcurrency int       `json:"maxConcurrency,omitempty"`
	CatchUp        bool      `json:"catchUp,omitempty"`
}

func shownWhenOf(s *client.Schedule) shownWhen {
	w := s.When
	shown := shownWhen{w.Cron, w.Seconds, "", w.Zone, w.Start, w.End, w.MaxConcurrency, w.CatchUp}
	if w.Every > 0 {
		shown.Every = short(w.Every)
	}
	return shown
}
