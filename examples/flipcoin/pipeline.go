package flipcoin

import "github.com/kfpgo/kfpgo/dsl"

type GamesIn struct {
	Seed  dsl.Param[int] `default:"1" doc:"of the coins and dice"`
	Games dsl.Param[int] `default:"3"`
}

// GamesOut has an element for each game.
type GamesOut struct {
	Flips   dsl.Param[[]string] // how the coin fell
	Results dsl.Param[[]string] // what the branch that ran said
}

// Game is what one game has to show.
type Game struct {
	Flip, Result dsl.Param[string]
}

// Pipeline plays games. Heads rolls from 0 to 9, and says whether that is more
// than 5; tails rolls from 10 to 19, where 15 is the middle.
var Pipeline = dsl.Pipeline("flipcoin", func(s *dsl.Scope, in GamesIn) GamesOut {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		End.Call(s, EndIn{Status: status})
	})
	seeds := Seeds.Call(s, SeedsIn(in))
	games := dsl.ParallelFor(s, seeds.Out.Seeds, func(s *dsl.Scope, seed dsl.Param[int]) Game {
		coin := Flip.Call(s, FlipIn{Seed: seed})
		result := dsl.OneOf(s, dsl.Eq(coin.Out.Side, "heads"), func(s *dsl.Scope) dsl.Param[string] {
			return roll(s, "heads", seed, 0, 9, 5)
		}).Else(func(s *dsl.Scope) dsl.Param[string] {
			return roll(s, "tails", seed, 10, 19, 15)
		})
		return Game{Flip: coin.Out.Side, Result: result}
	}, dsl.Parallelism(4))
	return GamesOut{Flips: dsl.Collected(games.Each.Flip), Results: dsl.Collected(games.Each.Result)}
})

// roll rolls a number and says how large it is. It is a part of the pipeline like
// any other: a Go function is the way to use one twice.
func roll(s *dsl.Scope, side string, seed dsl.Param[int], from, to, middle int) dsl.Param[string] {
	number := Roll.Call(s, RollIn{Seed: seed, From: dsl.Const(from), To: dsl.Const(to)}).Out.Number
	said := dsl.OneOf(s, dsl.Gt(number, middle), func(s *dsl.Scope) SayOut {
		return Say.Call(s, SayIn{Text: dsl.Sprintf("%s and %v > %d", side, number, middle)}).Out
	}).Else(func(s *dsl.Scope) SayOut {
		return Say.Call(s, SayIn{Text: dsl.Sprintf("%s and %v <= %d", side, number, middle)}).Out
	})
	return said.Said
}
