// Package flipcoin is control flow: a loop of games, in each of which a coin
// decides which branch runs, and an exit handler that speaks whatever happened.
package flipcoin

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kfpgo/kfpgo/dsl"
)

type SeedsIn struct {
	Seed  dsl.Param[int]
	Games dsl.Param[int]
}

type SeedsOut struct{ Seeds dsl.Param[[]int] }

// Seeds gives each game a seed of its own.
var Seeds = dsl.Func("seeds", func(_ context.Context, in SeedsIn, out *SeedsOut) error {
	if n := in.Games.Get(); n < 0 || n > 100 {
		return fmt.Errorf("%d games: play from 0 to 100", n)
	}
	seeds := make([]int, in.Games.Get())
	for i := range seeds {
		seeds[i] = 1000*in.Seed.Get() + i
	}
	out.Seeds.Set(seeds)
	return nil
})

type FlipIn struct{ Seed dsl.Param[int] }

type FlipOut struct{ Side dsl.Param[string] }

// Flip flips a coin.
var Flip = dsl.Func("flip", func(_ context.Context, in FlipIn, out *FlipOut) error {
	out.Side.Set([]string{"heads", "tails"}[random(in.Seed.Get()).IntN(2)])
	return nil
})

type RollIn struct {
	Seed     dsl.Param[int]
	From, To dsl.Param[int]
}

type RollOut struct{ Number dsl.Param[int] }

// Roll returns a number between two others.
var Roll = dsl.Func("roll", func(_ context.Context, in RollIn, out *RollOut) error {
	from, to := in.From.Get(), in.To.Get()
	out.Number.Set(from + random(in.Seed.Get()).IntN(to-from+1))
	return nil
})

func random(seed int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), 0)) }

type SayIn struct{ Text dsl.Param[string] }

type SayOut struct{ Said dsl.Param[string] }

// Say prints a text and returns it.
var Say = dsl.Func("say", func(_ context.Context, in SayIn, out *SayOut) error {
	fmt.Println(in.Text.Get())
	out.Said.Set(in.Text.Get())
	return nil
})

type EndIn struct{ Status dsl.Param[dsl.FinalStatus] }

// End prints how the games ended.
var End = dsl.Func("end", func(_ context.Context, in EndIn, _ *dsl.None) error {
	fmt.Println("the games have", in.Status.Get().State)
	return nil
})
