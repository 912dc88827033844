package scheduler

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// TestMain is also the processes of TestKill: a server, and its runs, which write a
// line to a ledger.
func TestMain(m *testing.M) {
	home, key := os.Getenv("KFPGO_TEST_HOME"), os.Getenv("KFPGO_TEST_FIRE")
	if home == "" {
		os.Exit(m.Run())
	}
	st, err := Open(home)
	if err != nil {
		panic(err)
	}
	st.settle, st.look, st.now = 2*time.Second, 5*time.Millisecond, clock(home).now
	st.Runner = func(_ context.Context, f *Fire, _ *Spec) (*run.Run, error) {
		ledger, err := os.OpenFile(filepath.Join(home, "ledger"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return nil, err
		}
		defer ledger.Close()
		_, err = fmt.Fprintf(ledger, "%s %d\n", f.Schedule, f.At.Unix())
		time.Sleep(20 * time.Millisecond)
		return &run.Run{State: run.Succeeded}, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if key != "" {
		_, err = st.Exec(ctx, key)
	} else {
		err = (&Server{Store: st, Tell: func(string, ...any) {}, Command: func(key string) *exec.Cmd {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "KFPGO_TEST_FIRE="+key)
			return cmd
		}}).Serve(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A clock is a home folder with a file whose time of change is the time.
type clock string

func (c clock) file() string { return filepath.Join(string(c), "clock") }

func (c clock) now() time.Time {
	info, err := os.Stat(c.file())
	if err != nil {
		panic(err)
	}
	return info.ModTime()
}

func (c clock) advance(d time.Duration) {
	now := c.now().Add(d)
	if err := os.Chtimes(c.file(), now, now); err != nil {
		panic(err)
	}
}

// TestKill kills the server with signal 9 again and again, while schedules fire each
// second. Each fire time has exactly one run.
func TestKill(t *testing.T) {
	st := newStore(t)
	at := clock(st.Home)
	if err := os.WriteFile(at.file(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	begin := noon
	at.advance(begin.Sub(at.now()))
	for i := range 3 {
		apply(t, st, spec(program.Schedule{Name: fmt.Sprintf("s%d", i), Every: time.Second, CatchUp: true, Limit: 10}), begin, Created)
	}
	end := time.Now().Add(5 * time.Minute)
	until := func(is func() bool) {
		for !is() {
			if time.Now().After(end) {
				t.Fatalf("the fires are %s", states(t, st))
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	serve := func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "KFPGO_TEST_HOME="+st.Home)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		until(func() bool { // it serves
			b, _ := os.ReadFile(filepath.Join(st.dir, "serve.lock"))
			return strings.TrimSpace(string(b)) == fmt.Sprint(cmd.Process.Pid)
		})
		return cmd
	}
	rng := rand.New(rand.NewSource(3))
	for range 6 {
		cmd := serve()
		for range 1 + rng.Intn(3) {
			at.advance(time.Second)
			time.Sleep(time.Duration(rng.Intn(40)) * time.Millisecond) // so that it is killed at any point
		}
		cmd.Process.Signal(syscall.SIGKILL)
		cmd.Wait()
	}
	stop := at.now()
	cmd := serve()
	defer cmd.Wait()
	defer cmd.Process.Signal(syscall.SIGTERM)
	count := func(where string) (n int) {
		if err := st.db.QueryRow("SELECT count(*) FROM fires " + where).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	until(func() bool { return count("") == 3*int(stop.Sub(begin)/time.Second) })
	if _, err := st.db.Exec("UPDATE schedules SET next = NULL"); err != nil { // and no more
		t.Fatal(err)
	}
	looks := 0
	until(func() bool {
		if looks++; looks%200 == 0 { // a fire that was claimed, and whose process wasn't started, is claimed again
			at.advance(6 * time.Second)
		}
		return count("WHERE state IN ('QUEUED', 'STARTING', 'RUNNING')") == 0
	})
	b, err := os.ReadFile(filepath.Join(st.Home, "ledger"))
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		runs[line]++
	}
	total := 0
	for i := range 3 {
		for at := begin.Unix() + 1; at <= stop.Unix(); at++ {
			key := fmt.Sprintf("s%d %d", i, at)
			if runs[key] != 1 {
				t.Errorf("%s has %d runs", key, runs[key])
			}
			total++
		}
	}
	for key, n := range runs {
		if n > 1 {
			t.Errorf("%s has %d runs", key, n)
		}
	}
	t.Logf("%d fire times", total)
	if total < 12 {
		t.Errorf("only %d fire times", total)
	}
}
