package main

import (
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/testing/expect"
)

// schedules returns the page with what schedules do on each engine.
func schedules() (string, error) {
	rows, err := expect.Table()
	if err != nil {
		return "", err
	}
	var page strings.Builder
	page.WriteString("# What schedules do\n\n" + generated + `
One table for all engines, [internal/testing/expect/table.yaml](../../internal/testing/expect/table.yaml), whose rows tests run on
[this machine](../../cmd/kfpgo/internal/schedule/table_test.go), on [a real Argo](../../test/k8s/schedules_test.go) and on
[a real KFP server](../../test/kfp/table_test.go). A setting that an engine doesn't support is an error before anything is sent, or reported.

| a schedule | this machine | Argo | KFP |
| --- | --- | --- | --- |
`)
	for _, r := range rows {
		fmt.Fprintf(&page, "| %s |", escape(r.Does))
		for _, engine := range []string{"local", "argo", "kfp"} {
			cell := "yes"
			if d := r.On(engine); d != nil {
				cell = d.Says
			}
			fmt.Fprintf(&page, " %s |", escape(cell))
		}
		page.WriteString("\n")
	}
	return page.String(), nil
}
