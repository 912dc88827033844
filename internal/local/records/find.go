package records

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

// Latest names the run that was started last.
const Latest = "@latest"

// Find reads the record of a run as [run.Find] does, also by the name [Latest], as it is
// if its process is gone.
func Find(home, id string) (*run.Run, error) {
	if id == Latest {
		all, err := All(home)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(all, func(s *Summary) bool { return s.Problem == "" })
		if i < 0 {
			return nil, fmt.Errorf("%s: there are no runs in %s", Latest, filepath.Join(home, "runs"))
		}
		id = all[i].ID
	}
	r, err := run.Find(home, id)
	if err != nil {
		return nil, err
	}
	r.ID = filepath.Base(r.Dir)
	BreakOff(r)
	return r, nil
}

// All returns the runs below a home folder, the newest first.
func All(home string) ([]*Summary, error) {
	all, err := NewIndex(filepath.Join(home, "runs")).All()
	slices.SortFunc(all, Newest)
	return all, err
}

// Newest compares runs for a list that begins with the newest.
func Newest(a, b *Summary) int {
	return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.ID, a.ID))
}
