package schedule

import (
	"encoding/json"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// Args returns the arguments of a run that a schedule starts for a time: its
// constants, and the time and its day as the clock of its zone has them.
func Args(s *program.Schedule, at time.Time) (map[string]json.RawMessage, error) {
	at, err := In(s, at)
	if err != nil {
		return nil, err
	}
	given := map[string]json.RawMessage{}
	for name, v := range s.Args {
		switch v.Kind {
		case program.FireTime:
			given[name], _ = json.Marshal(at.Format(time.RFC3339))
		case program.FireDate:
			given[name], _ = json.Marshal(at.Format(time.DateOnly))
		default:
			given[name] = v.Const
		}
	}
	return given, nil
}

// In returns a time in the zone of a schedule.
func In(s *program.Schedule, at time.Time) (time.Time, error) {
	zone, err := Zone(s.Zone)
	if err != nil {
		return at, err
	}
	return at.In(zone), nil
}

// Fires reports whether a value comes from the time at which a schedule fires.
func Fires(v program.Value) bool { return v.Kind == program.FireTime || v.Kind == program.FireDate }
