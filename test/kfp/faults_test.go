package kfp

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/faults"
)

// inDatabase counts the runs of each name, in the server's own database.
func inDatabase(t *testing.T, prefix string) map[string]int {
	t.Helper()
	out, err := exec.Command("mariadb", "--no-defaults", "-h127.0.0.1", "-P13306", "-uroot", "--protocol=tcp", "mlpipeline", "-N", "-B", "-e",
		"select DisplayName, count(*) from run_details where DisplayName like '"+prefix+"%' group by DisplayName").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	n := map[string]int{}
	for line := range strings.Lines(string(out)) {
		name, count, _ := strings.Cut(strings.TrimSpace(line), "\t")
		n[name], err = strconv.Atoi(count)
		no(t, err)
	}
	return n
}

// many is how many runs a test makes: as many as given with FULL=1, and fewer of them
// without, since a run takes the server's processor half a second.
func many(full, fewer int) int {
	if os.Getenv("FULL") != "" {
		return full
	}
	return fewer
}

// TestFaults submits through a proxy that spoils three of ten requests, 20 times for
// each kind of fault, and 50 times with FULL=1. What was reported is what the server's database holds.
func TestFaults(t *testing.T) {
	n := many(50, 20)
	for i, kind := range faults.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Cleanup(func() { forget(t) })
			p := faults.New(t, server(), kind, 0.3, uint64(1000+i))
			p.Delay = 8 * time.Second
			c := connect(t, kfp.Config{Endpoint: p.URL, Timeout: 5 * time.Second})
			prefix := strings.ReplaceAll(unique(t), "/", "-")
			errs := make([]error, n)
			ids := make([]string, n)
			var wg sync.WaitGroup
			slots := make(chan struct{}, 6)
			for i := range n {
				wg.Go(func() {
					slots <- struct{}{}
					defer func() { <-slots }()
					r, err := client.Submit(t.Context(), c, hello, helloIn{Name: dsl.Const("x")}, client.Name(fmt.Sprintf("%s-%02d", prefix, i)))
					if errs[i] = err; err == nil {
						ids[i] = r.ID
					}
				})
			}
			wg.Wait()
			held := inDatabase(t, prefix)
			started, failed, unknown := 0, 0, 0
			for i := range n {
				name := fmt.Sprintf("%s-%02d", prefix, i)
				got := held[name]
				switch {
				case errs[i] == nil && got == 1:
					started++
				case errs[i] != nil && strings.Contains(errs[i].Error(), "not known whether") && got <= 1:
					unknown++
				case errs[i] != nil && got == 0:
					failed++
					if client.CodeOf(errs[i]) == "" {
						t.Errorf("%s: an error without a code: %v", name, errs[i])
					}
				default:
					t.Errorf("%s: the database holds %d, and the client said %v", name, got, errs[i])
				}
				if errs[i] != nil && failed+unknown == 1 {
					t.Logf("such as: %v", errs[i])
				}
			}
			if p.Faults() == 0 {
				t.Error("no fault happened")
			}
			t.Logf("%d faults: %d started, %d refused, %d reported as unknown", p.Faults(), started, failed, unknown)
		})
	}
}
