package child

import (
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	cmd.Cancel = func() error {
		// A Go program gets it as os.Interrupt. Where there is no console, nothing can be sent.
		if windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(cmd.Process.Pid)) == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
}

func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}

// run puts a command into a job, which is what Windows has for a process and all that it
// starts: they end when the job is closed, also by the end of this process, however it ends.
func run(cmd *exec.Cmd, started func()) error {
	if cmd.SysProcAttr == nil || cmd.SysProcAttr.CreationFlags&windows.CREATE_NEW_PROCESS_GROUP == 0 {
		if err := cmd.Start(); err != nil {
			return err
		}
		started()
		return cmd.Wait()
	}
	job, err := newJob()
	if err != nil {
		return fmt.Errorf("%s isn't started: %w", cmd.Path, err)
	}
	defer windows.CloseHandle(job)
	if err := cmd.Start(); err != nil {
		return err
	}
	started()
	var joined error
	err = cmd.Process.WithHandle(func(handle uintptr) {
		process := windows.Handle(handle)
		if joined = windows.AssignProcessToJobObject(job, process); joined != nil {
			return // it may have ended already
		}
		// Before Wait, which waits for all that hold the output.
		windows.WaitForSingleObject(process, windows.INFINITE)
		windows.TerminateJobObject(job, 1)
	})
	if ended := cmd.Wait(); ended != nil || err == nil && joined == nil {
		return ended
	}
	return nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}
