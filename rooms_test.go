package kfpgo_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/depcheck"
)

// maxArrows is how many imports between rooms there may be.
const maxArrows = 110

var roomRow = regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| [^|]+ \\| ([^|]*)\\|$")

// TestRooms: rooms use each other as docs/architecture.md says.
func TestRooms(t *testing.T) {
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "\n## Rooms\n")
	if !ok {
		t.Fatal("docs/architecture.md has no part called Rooms")
	}
	said := map[string][]string{}
	for _, row := range roomRow.FindAllStringSubmatch(table, -1) {
		said[row[1]] = nil
		for i, name := range strings.Split(row[2], "`") {
			if i%2 == 1 && !strings.Contains(name, ".") {
				said[row[1]] = append(said[row[1]], name)
			}
		}
	}
	g, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	uses, via := arrows(g)
	for _, msg := range misplaced(said, uses, via) {
		t.Error(msg)
	}
	if folders, err := os.ReadDir("internal"); err != nil || len(folders) > 16 {
		t.Errorf("internal has %d folders, and at most 16 are rooms that a reader can keep in mind: %v", len(folders), err)
	}
	n := 0
	for _, to := range uses {
		n += len(to)
	}
	if n > maxArrows {
		t.Errorf("%d imports between rooms, and at most %d may be", n, maxArrows)
	}
	t.Logf("%d rooms, %d imports between them", len(said), n)

	// The checks find what they are for.
	uses["internal/text"] = append(uses["internal/text"], "internal/model")
	if got := strings.Join(misplaced(said, uses, via), "\n"); !strings.Contains(got, "internal/text uses internal/model") || !strings.Contains(got, "in a circle") {
		t.Errorf("an import that the page doesn't have isn't found: %q", got)
	}
}

// room returns the room of a package, or "" for one that has none.
func room(pkg string) string {
	path, ok := strings.CutPrefix(pkg, module+"/")
	parts := strings.Split(path, "/")
	switch {
	case !ok || parts[0] == "test" || parts[0] == "tools":
		return ""
	case parts[0] == "internal" && len(parts) > 1, path == "dsl/dsltest":
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// arrows returns which rooms each room uses, and for each pair a package that does.
func arrows(g depcheck.Graph) (uses map[string][]string, via map[[2]string]string) {
	uses, via = map[string][]string{}, map[[2]string]string{}
	for name, p := range g {
		from := room(name)
		for _, imported := range p.Imports {
			if to := room(imported); from != "" && to != "" && from != to && !slices.Contains(uses[from], to) {
				uses[from] = append(uses[from], to)
				via[[2]string{from, to}] = name + " imports " + imported
			}
		}
	}
	return uses, via
}

// misplaced compares what rooms use with what the page says, and finds circles.
func misplaced(said, uses map[string][]string, via map[[2]string]string) (all []string) {
	for from, to := range uses {
		for _, to := range to {
			if !slices.Contains(said[from], to) {
				all = append(all, fmt.Sprintf("%s uses %s (%s), which its row in docs/architecture.md doesn't have: move the package, or add the room with the reason", from, to, via[[2]string{from, to}]))
			}
		}
		if leadsTo(uses, from, from, map[string]bool{}) {
			all = append(all, fmt.Sprintf("%s uses itself through other rooms, in a circle", from))
		}
	}
	for from, to := range said {
		for _, to := range to {
			if !slices.Contains(uses[from], to) {
				all = append(all, fmt.Sprintf("%s doesn't use %s: take it out of its row in docs/architecture.md", from, to))
			}
		}
	}
	slices.Sort(all)
	return all
}

// leadsTo reports whether a room uses another, by way of others too.
func leadsTo(uses map[string][]string, from, to string, seen map[string]bool) bool {
	for _, next := range uses[from] {
		if next == to {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if leadsTo(uses, next, to, seen) {
				return true
			}
		}
	}
	return false
}
