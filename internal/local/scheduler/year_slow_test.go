//go:build slow

package scheduler

import "testing"

// TestYearOfMany is TestYear with a thousand schedules.
func TestYearOfMany(t *testing.T) {
	was := schedules
	schedules = 1000
	defer func() { schedules = was }()
	TestYear(t)
}
