// Package quality checks the tables of a day every night, also of nights that were missed.
package quality

import (
	"fmt"

	"github.com/kfpgo/kfpgo/dsl"
)

//go:generate kfpgo gen steps .

//kfpgo:step
//kfpgo:input maxNull default=0.02
func check(day, table string, maxNull float64, metrics *dsl.Metrics) (ok bool, nullRate float64) {
	fmt.Println("checking", table, "of", day)
	nullRate = float64(len(table)) / 250
	dsl.LogMetric(*metrics, "null_rate", nullRate)
	return nullRate <= maxNull, nullRate
}

//kfpgo:step
func alert(table string, rate float64) { fmt.Printf("%s: null rate %v\n", table, rate) }

type In struct {
	Day    dsl.Param[string]
	Tables dsl.Param[[]string]
}

var Pipeline = dsl.Pipeline("quality", func(s *dsl.Scope, in In) dsl.None {
	dsl.ForEach(s, in.Tables, func(s *dsl.Scope, table dsl.Param[string]) {
		checked := Check.Call(s, CheckIn{Day: in.Day, Table: table}, dsl.NoCache()).Out
		dsl.If(s, dsl.False(checked.Ok), func(s *dsl.Scope) {
			Alert.Call(s, AlertIn{Table: table, Rate: checked.NullRate})
		})
	})
	return dsl.None{}
}).Defaults(In{Tables: dsl.Const([]string{"orders", "users"})})

var Nightly = dsl.NewSchedule("quality-nightly", Pipeline, dsl.When{Cron: "30 4 * * *", Zone: "Europe/Zurich", CatchUp: true}, In{Day: dsl.FireDate()})
