package client

import (
	"errors"
	"fmt"
	"strings"
)

// A Code is a kind of error, the same for all servers.
type Code string

// The codes.
const (
	NotFound        Code = "not found"
	Exists          Code = "already exists"
	Invalid         Code = "invalid"              // the server, or kfpgo, refuses what it was given
	Precondition    Code = "not possible now"     // such as retrying a run that hasn't failed
	Unauthenticated Code = "not authenticated"    // no credentials, or bad ones
	Denied          Code = "permission denied"    // who you are may not do it
	Busy            Code = "too many requests"    // try again later
	Unavailable     Code = "server not available" // no answer, or one that says so
	Timeout         Code = "deadline exceeded"
	Unsupported     Code = "not supported" // by this server
	Internal        Code = "server error"
)

// An Error says what went wrong with a server.
type Error struct {
	Op     string // the operation: "create run calc"
	Server string // its address, without credentials
	Code   Code
	Status int    // of HTTP; 0: there was no answer
	Msg    string // what the server said, or what happened
	Advice string // what to do about it
	Err    error  // below it, if there is one
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Op != "" {
		fmt.Fprintf(&b, "%s: ", e.Op)
	}
	b.WriteString(string(e.Code))
	if e.Status != 0 {
		fmt.Fprintf(&b, " (%d)", e.Status)
	}
	if e.Server != "" && (e.Code == Unavailable || e.Code == Unauthenticated || e.Code == Timeout) {
		fmt.Fprintf(&b, " at %s", e.Server)
	}
	if e.Msg != "" {
		fmt.Fprintf(&b, ": %s", strings.TrimSpace(e.Msg))
	}
	if e.Advice != "" {
		fmt.Fprintf(&b, "; %s", e.Advice)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of the [*Error] in an error, or "".
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Temporary reports whether the same call may succeed later, with nothing changed.
func (e *Error) Temporary() bool {
	switch e.Code {
	case Unavailable, Busy, Timeout:
		return true
	case Internal:
		return e.Status != 500 // 500 is also what KFP says to a bad pipeline
	}
	return false
}

// Temporary reports whether an error is an [*Error] that is.
func Temporary(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Temporary()
}
