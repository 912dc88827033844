package child

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGTERM }

// exited waits until a child has ended, and leaves it to be waited for.
func exited(pid int) bool {
	const byPID, noReap = 1, 0x1000000 // P_PID, WNOWAIT
	for {
		_, _, err := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(pid), 0, syscall.WEXITED|noReap, 0, 0)
		if err != syscall.EINTR {
			return err == 0
		}
	}
}

// lives reports whether a process group has a process that hasn't ended. Those that
// nobody has waited for don't count: in a container without an init they stay.
func lives(group int) bool {
	if syscall.Kill(-group, 0) != nil {
		return false
	}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// PID (NAME) STATE PARENT GROUP: a name may have spaces and parentheses.
		fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
		if len(fields) > 2 && string(fields[2]) == strconv.Itoa(group) && string(fields[0]) != "Z" && string(fields[0]) != "X" {
			return true
		}
	}
	return len(files) == 0
}
