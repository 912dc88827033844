package run

import "os/exec"

// A console of Windows lets all of its processes read, so that none is in front.
func foreground(*exec.Cmd) {}
func retake()              {}
