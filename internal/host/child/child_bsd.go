//go:build unix && !linux

package child

import "syscall"

// dieWithParent does nothing: only Linux has a signal for the death of the parent.
func dieWithParent(*syscall.SysProcAttr) {}

// exited can't be known there before Wait knows it.
func exited(int) bool { return false }

func lives(group int) bool { return syscall.Kill(-group, 0) == nil }
