package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// openRun opens the folder of a run by its id.
func (s *Server) openRun(id string) (*os.Root, error) {
	if !filepath.IsLocal(id) || strings.ContainsAny(id, `/\`) || id == "." {
		return nil, missing("there is no run %q", id)
	}
	runs, err := os.OpenRoot(s.runs.Dir)
	if err != nil {
		return nil, missing("there is no run %q", id)
	}
	defer runs.Close()
	root, err := runs.OpenRoot(id)
	if err != nil {
		return nil, missing("there is no run %q", id)
	}
	return root, nil
}

// many is a number of things.
func many(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// ago says how long ago something was.
func ago(d time.Duration) string {
	switch {
	case d < 0:
		return "later"
	case d < 45*time.Second:
		return "just now"
	case d < time.Hour:
		return many(max(int(d.Minutes()+0.5), 1), "minute") + " ago"
	case d < 36*time.Hour:
		return many(int(d.Hours()+0.5), "hour") + " ago"
	}
	return many(int(d.Hours()/24+0.5), "day") + " ago"
}

// in says how soon something is.
func in(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "in " + many(max(int(d.Seconds()), 1), "second")
	case d < time.Hour:
		return "in " + many(int(d.Minutes()), "minute")
	case d < 48*time.Hour:
		return "in " + many(int(d.Hours()), "hour")
	}
	return "in " + many(int(d.Hours()/24), "day")
}

// bytesOf prints a size.
func bytesOf(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	f := float64(n)
	for _, unit := range []string{"kB", "MB", "GB", "TB"} {
		if f /= 1000; f < 999.5 {
			if f < 9.95 {
				return fmt.Sprintf("%.1f %s", f, unit)
			}
			return fmt.Sprintf("%.0f %s", f, unit)
		}
	}
	return fmt.Sprintf("%.0f PB", f/1000)
}
