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
	st.settle = 2 * time.Second
	st.runner = func(_ context.Context, f *Fire, _ *Spec) (*run.Run, error) {
		ledger, err := os.OpenFile(filepath.Join(home, "ledger"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return nil, err
		}
		defer ledger.Close()
		_, err = fmt.Fprintf(ledger, "%s %d\n", f.Schedule, f.At.Unix())
		time.Sleep(100 * time.Millisecond)
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

// TestKill kills the server with signal 9 again and again, while schedules fire each
// second. Each fire time has exactly one run.
func TestKill(t *testing.T) {
	st := newStore(t)
	ctx := context.Background()
	begin := time.Now()
	for i := range 3 {
		apply(t, st, spec(program.Schedule{Name: fmt.Sprintf("s%d", i), Every: time.Second, CatchUp: true, Limit: 10}), begin, Created)
	}
	serve := func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "KFPGO_TEST_HOME="+st.Home)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	rng := rand.New(rand.NewSource(3))
	for range 6 {
		cmd := serve()
		time.Sleep(time.Duration(400+rng.Intn(900)) * time.Millisecond)
		cmd.Process.Signal(syscall.SIGKILL)
		cmd.Wait()
	}
	for i := range 3 { // no more than what has come until now
		if err := st.SetPaused(ctx, fmt.Sprintf("s%d", i), false, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	cmd := serve()
	defer cmd.Wait()
	defer cmd.Process.Signal(syscall.SIGTERM)
	time.Sleep(time.Second)
	stop := time.Now()
	if _, err := st.db.Exec("UPDATE schedules SET next = NULL"); err != nil {
		t.Fatal(err)
	}
	for time.Since(stop) < 5*time.Minute {
		var open int
		if err := st.db.QueryRow("SELECT count(*) FROM fires WHERE state IN ('QUEUED', 'STARTING', 'RUNNING')").Scan(&open); err != nil {
			t.Fatal(err)
		}
		if open == 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
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
		for at := begin.Unix() + 1; at < stop.Unix(); at++ {
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
