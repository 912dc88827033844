//go:build unix

package run

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"unsafe"
)

// foreground starts a command in front of this terminal: ctrl-C is then for it.
func foreground(cmd *exec.Cmd) {
	signal.Ignore(syscall.SIGTTOU)
	cmd.SysProcAttr.Foreground, cmd.SysProcAttr.Ctty = true, int(os.Stdin.Fd())
}

// retake puts this process in front of the terminal again.
func retake() {
	group := int32(syscall.Getpgrp())
	syscall.Syscall(syscall.SYS_IOCTL, os.Stdin.Fd(), syscall.TIOCSPGRP, uintptr(unsafe.Pointer(&group)))
}
