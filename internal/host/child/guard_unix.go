//go:build unix

package child

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// watch is what a shell does beside this process: it reads which groups run, and when
// the pipe ends, since this process has, however it did, it ends those that still run.
const watch = `trap '' HUP INT QUIT TERM
all=
while read -r what group; do
	left=
	for g in $all; do
		[ "$g" = "$group" ] || left="$left $g"
	done
	all=$left
	[ "$what" = end ] || all="$all $group"
done
for g in $all; do kill -s TERM -- "-$g"; done
[ -z "$all" ] || sleep 2
for g in $all; do kill -s KILL -- "-$g"; done
`

// A guard ends what this process runs, with all that it has started, when this process
// can't: when it is killed. The signal for the death of a parent is not a substitute. It goes
// to children alone and not to theirs, as pip's, can be ignored, and is Linux's.
type guard struct {
	mu      sync.Mutex
	tried   bool
	pipe    *os.File // nil: there is no shell, so that the signal has to do
	orphans error    // why nothing is started any more
}

var guards guard

// start starts the shell. It gets nothing of this process that could be waited for.
func (g *guard) start() {
	g.tried = true
	r, w, err := os.Pipe()
	if err != nil {
		return
	}
	defer r.Close()
	sh := exec.Command("/bin/sh", "-c", watch)
	sh.Dir, sh.Env, sh.Stdin = "/", []string{"PATH=/usr/bin:/bin"}, r
	detach(sh) // so that ctrl-C isn't for it
	if err := sh.Start(); err != nil {
		w.Close()
		return
	}
	g.pipe = w
	go sh.Wait()
	if ofGo(os.Getppid()) {
		go g.follow(os.Getppid())
	}
}

// ofGo reports whether a process is the go command. Only Linux says it.
func ofGo(pid int) bool {
	name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return strings.TrimSpace(string(name)) == "go"
}

// follow ends what runs when go test or go run is killed, which leaves this process
// behind: nobody waits for it any more.
func (g *guard) follow(parent int) {
	for os.Getppid() == parent {
		time.Sleep(500 * time.Millisecond)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.orphans = errors.New("the go command that ran this was killed")
	if g.pipe != nil {
		g.pipe.Close()
		g.pipe = nil
	}
}

// send writes to the shell that a group runs, or is at its end.
func (g *guard) send(what string, group int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pipe == nil {
		return
	}
	if _, err := fmt.Fprintln(g.pipe, what, group); err != nil { // somebody has ended the shell
		g.pipe.Close()
		g.pipe = nil
	}
}

// ready starts the shell if there is none yet, and says why nothing may be started.
func (g *guard) ready() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.tried {
		g.start()
	}
	return g.orphans
}
