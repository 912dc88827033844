//go:build race

package scheduler

// Under the race detector SQLite, which is one program in Go here, takes 20 times as long.
func init() { schedules = 60 }
