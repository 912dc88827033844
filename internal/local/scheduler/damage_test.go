package scheduler

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// filled returns the file of a store that has some pages.
func filled(t *testing.T) (home, file string) {
	t.Helper()
	home = t.TempDir()
	st, err := Open(home)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 40 {
		spec := Spec{Schedule: &program.Schedule{Name: fmt.Sprintf("s%02d", i), Cron: "0 3 * * *"}, Pipeline: "p",
			Program: []byte(`{"name": "p", "main": "p", "components": [{"name": "p", "dag": {}}]}`), Source: strings.Repeat("x", 900)}
		if _, err := st.Apply(t.Context(), spec, now); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	return home, filepath.Join(home, "schedules", "schedules.db")
}

func overwrite(t *testing.T, file string, at, n int) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) < at+n {
		t.Fatalf("%s has only %d bytes", file, len(b))
	}
	for i := range n {
		b[at+i] = byte(0xa5 ^ i*7)
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDamage: serve ends with the name of the file and what to do, whichever page is
// overwritten, before it starts.
func TestDamage(t *testing.T) {
	for name, c := range map[string]struct{ at, n int }{
		"header": {0, 100}, "schema": {100, 3000}, "tables": {4096, 8 * 4096}, "a page": {5 * 4096, 4096},
	} {
		t.Run(name, func(t *testing.T) {
			home, file := filled(t)
			overwrite(t, file, c.at, c.n)
			st, err := Open(home)
			if err == nil {
				defer st.Close()
				err = (&Server{Store: st, Tell: t.Logf}).Serve(t.Context())
			}
			if err == nil || !strings.Contains(err.Error(), file+" are damaged: ") || !strings.Contains(err.Error(), "apply the schedules again") {
				t.Error(err)
			}
		})
	}
}

// TestDamageLater: damage that comes while serve is running ends it too.
func TestDamageLater(t *testing.T) {
	home, file := filled(t)
	st, err := Open(home)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	overwrite(t, file, 4096, 8*4096)
	// As each look does: what is due is read from the pages.
	_, err = (&Server{Store: st, Tell: t.Logf}).step(context.Background(), time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC))
	if !damaged(err) || !strings.Contains(st.damage(err).Error(), file) {
		t.Error(err)
	}
}
