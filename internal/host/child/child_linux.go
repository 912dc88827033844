package child

import (
	"bytes"
	"os"
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
//
// It is called after each step of a run. Opening a file of each process of the machine would
// take longer than the step; asking for its group doesn't.
func lives(group int) bool {
	if syscall.Kill(-group, 0) != nil {
		return false
	}
	proc, err := os.Open("/proc")
	if err != nil {
		return true
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return true
	}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if of, err := syscall.Getpgid(pid); err == nil && of == group && !ended(name) {
			return true
		}
	}
	return false
}

// ended reports whether a process waits for nothing but that its parent takes note.
func ended(pid string) bool {
	b, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return true
	}
	// PID (NAME) STATE: a name may have spaces and parentheses.
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	return len(fields) > 0 && (string(fields[0]) == "Z" || string(fields[0]) == "X")
}
