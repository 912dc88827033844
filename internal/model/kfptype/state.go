package kfptype

import "strings"

// A State says how far a run or a task has got, in the words of KFP's API. One that
// this version of kfpgo doesn't know stays as the server spells it.
type State string

// The states. A run is never Skipped or Cached.
const (
	Pending    State = "PENDING"
	Running    State = "RUNNING"
	Paused     State = "PAUSED" // suspended
	Cancelling State = "CANCELING"
	Succeeded  State = "SUCCEEDED"
	Failed     State = "FAILED"
	Skipped    State = "SKIPPED" // its condition didn't hold, or what it waits for didn't succeed
	Cached     State = "CACHED"  // an equal task has succeeded before
	Cancelled  State = "CANCELED"
)

// FinalCancelled is how KFP's PipelineTaskFinalStatus spells Cancelled, and how
// records of runs on this machine did.
const FinalCancelled = "CANCELLED"

// ParseState reads a state in either spelling.
func ParseState(word string) State {
	if word == FinalCancelled {
		return Cancelled
	}
	return State(word)
}

// UnmarshalText reads a state in either spelling.
func (s *State) UnmarshalText(text []byte) error {
	*s = ParseState(string(text))
	return nil
}

// Done reports whether the state is final.
func (s State) Done() bool {
	switch s {
	case Succeeded, Failed, Skipped, Cached, Cancelled:
		return true
	}
	return false
}

// Word returns a state in lower case, for people.
func Word(s State) string {
	if s == Cancelled || s == Cancelling {
		return strings.Replace(strings.ToLower(string(s)), "cel", "cell", 1)
	}
	return strings.ToLower(string(s))
}
