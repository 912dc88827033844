package pairs

import "github.com/kfpgo/kfpgo/dsl"

type maybeIn struct {
	Flag dsl.Param[bool]
	N    dsl.Param[int] `default:"3"`
}

type maybeOut struct {
	Number dsl.Param[int]
	Data   dsl.Data
}

var _ = pair(maybe, "dsl.If", "outputs of a pipeline")

// maybe reads what an If makes outside of it.
var maybe = dsl.Pipeline("maybe", func(s *dsl.Scope, in maybeIn) maybeOut {
	return maybeOut{}
})
