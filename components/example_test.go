package components_test

import (
	"fmt"

	"github.com/kfpgo/kfpgo/components"
	"github.com/kfpgo/kfpgo/dsl"
)

func ExampleLoad() {
	const yaml = `
name: Shout
inputs:
- {name: Text, type: String}
outputs:
- {name: Loud, type: String}
implementation:
  container:
    image: busybox
    command: [sh, -c, 'echo "$0" | tr a-z A-Z >"$1"', {inputValue: Text}, {outputPath: Loud}]
`
	type in struct{ Text dsl.Param[string] }
	type out struct{ Lout dsl.Param[string] } // a slip of the pen
	shout := components.Load[in, out](components.Bytes("shout.yaml", []byte(yaml)))
	for _, e := range shout.Check().(dsl.ErrorList) {
		fmt.Println(e.Msg)
	}
	// Output:
	// component shout: components_test.out has no field for the output loud of shout.yaml (it has lout: a tag kfp:"loud" would name it); add: Loud dsl.Param[string] `kfp:"loud"`
	// component shout: components_test.out has the field lout, and shout.yaml no such output; it has loud
	// component shout: kfpgo gen shout.yaml writes the structs
}
