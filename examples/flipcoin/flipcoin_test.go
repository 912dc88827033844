package flipcoin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/flipcoin"
	"github.com/kfpgo/kfpgo/local"
)

// TestBranches plays with 100 seeds: the branch that ran is the one that the coin
// chose, and what it said is true.
func TestBranches(t *testing.T) {
	home := t.TempDir()
	seen := map[string]int{}
	for seed := range 100 {
		r, err := local.Run(t.Context(), flipcoin.Pipeline, flipcoin.GamesIn{Seed: dsl.Const(seed), Games: dsl.Const(2)}, local.Options{Home: home, NoCache: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		flips, results := r.Out.Flips.Get(), r.Out.Results.Get()
		if len(flips) != 2 || len(results) != 2 {
			t.Fatalf("seed %d: flips %q, results %q", seed, flips, results)
		}
		for i, flip := range flips {
			var number, middle int
			var relation string
			if _, err := fmt.Sscanf(results[i], flip+" and %d %s %d", &number, &relation, &middle); err != nil {
				t.Errorf("seed %d: the coin fell %s, but the branch said %q", seed, flip, results[i])
			}
			if (number > middle) != (relation == ">") {
				t.Errorf("seed %d: %q", seed, results[i])
			}
			seen[flip+relation]++
		}
	}
	for _, branch := range []string{"heads>", "heads<=", "tails>", "tails<="} {
		if seen[branch] < 10 {
			t.Errorf("branch %s ran %d times of 200", branch, seen[branch])
		}
	}
}

// TestNoGames has a loop without an item, and one game too many.
func TestNoGames(t *testing.T) {
	r, err := local.Run(t.Context(), flipcoin.Pipeline, flipcoin.GamesIn{Games: dsl.Const(0)}, local.Options{Home: t.TempDir()})
	if err != nil || len(r.Out.Results.Get()) != 0 {
		t.Errorf("%v, %v", r, err)
	}
	r, err = local.Run(t.Context(), flipcoin.Pipeline, flipcoin.GamesIn{Games: dsl.Const(101)}, local.Options{Home: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "101 games: play from 0 to 100") {
		t.Error(err)
	}
	ended := false
	for _, task := range r.Tasks {
		ended = ended || task.Path == "end" && task.State == "SUCCEEDED"
	}
	if !ended {
		t.Errorf("the exit handler didn't run: %+v", r.Tasks)
	}
}
