package oracle

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The numbers that make oracle prints. floors.json has those of the last change
// that was meant: a number may rise, and fails when it falls. To take the new
// numbers, look at them and call go test -update.
const floors = "testdata/floors.json"

var update = flag.Bool("update", false, "keep the numbers as the ones that must not fall")

// A count is how many of all things went well. Those that didn't are named, each
// with the reason for which that is accepted.
type count struct {
	OK, Of     int
	exceptions []string
}

var counts = struct {
	sync.Mutex
	of map[string]*count
}{of: map[string]*count{}}

// tally adds to a number: ok, or why not. An exception that isn't accepted is the
// business of the test.
func tally(name string, ok bool, exception string) {
	counts.Lock()
	defer counts.Unlock()
	c := counts.of[name]
	if c == nil {
		c = &count{}
		counts.of[name] = c
	}
	c.Of++
	if ok {
		c.OK++
	}
	if exception != "" {
		c.exceptions = append(c.exceptions, exception)
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if bin, err := kfpgo(); err == nil {
		os.RemoveAll(filepath.Dir(bin))
	}
	fmt.Print(summary())
	if flag.Lookup("test.run").Value.String() == "" && code == 0 {
		if err := compareFloors(); err != nil {
			fmt.Println(err)
			code = 1
		}
	}
	os.Exit(code)
}

// summary returns the numbers, and below each the exceptions with the same reason
// together.
func summary() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(counts.of)) {
		c := counts.of[name]
		fmt.Fprintf(&b, "%s %d/%d\n", name, c.OK, c.Of)
		by := map[string][]string{}
		for _, e := range c.exceptions {
			who, why, _ := strings.Cut(e, ": ")
			by[why] = append(by[why], who)
		}
		for _, why := range slices.Sorted(maps.Keys(by)) {
			who := by[why]
			slices.Sort(who)
			fmt.Fprintf(&b, "    %s: %s\n", why, strings.Join(slices.Compact(who), ", "))
		}
	}
	return b.String()
}

// compareFloors says which numbers have fallen, or keeps them.
func compareFloors() error {
	now := map[string]int{}
	for name, c := range counts.of {
		now[name] = c.OK
	}
	if *update {
		b, err := json.MarshalIndent(now, "", "  ")
		if err != nil {
			return err
		}
		return os.WriteFile(floors, append(b, '\n'), 0o644)
	}
	b, err := os.ReadFile(floors)
	if err != nil {
		return err
	}
	var kept map[string]int
	if err := json.Unmarshal(b, &kept); err != nil {
		return fmt.Errorf("%s: %w", floors, err)
	}
	var fallen []string
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		switch {
		case counts.of[name] == nil && skipped[strings.Fields(name)[0]]:
			fmt.Printf("%s: not measured; see the tests that were skipped\n", name)
		case now[name] < kept[name]:
			fallen = append(fallen, fmt.Sprintf("%s: %d, it was %d", name, now[name], kept[name]))
		}
	}
	if fallen != nil {
		return fmt.Errorf("fallen:\n  %s\nif that is meant, go test -update in test/oracle", strings.Join(fallen, "\n  "))
	}
	return nil
}

// skipped are the first words of the numbers that can't be measured here.
var skipped = map[string]bool{}
