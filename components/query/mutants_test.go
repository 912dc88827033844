package query

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// TestMutants: any answer of a server has predictions, or is an error.
func TestMutants(t *testing.T) {
	for _, c := range []struct {
		of   protocol
		good string
	}{
		{v1{}, `{"predictions": [[1, 2], [3, 4]], "model": "m", "at": [{"a": 1}]}`},
		{v2{}, `{"outputs": [{"name": "o", "shape": [2, 2], "datatype": "FP32", "data": [1, 2, 3, 4]}]}`},
		{seldon{}, `{"status": {"status": "SUCCESS", "code": 200, "info": "", "reason": ""}, "data": {"names": ["a"], "ndarray": [[1], [2]], "tensor": {"shape": [2, 1], "values": [1, 2]}}}`},
	} {
		if got, err := c.of.answer([]byte(c.good)); err != nil || len(got) != 2 {
			t.Errorf("%s: %s, %v", c.good, got, err)
		}
		mutants.Each(t, []byte(c.good), func(bad []byte) { _, _ = c.of.answer(bad) })
	}
}

// TestShapes: a shape with more rows than numbers is refused, before a row is made of each.
func TestShapes(t *testing.T) {
	for _, shape := range []string{"1000000000000, 0", "3", "0", "-2, 2", "9223372036854775807"} {
		for of, answer := range map[protocol]string{
			v2{}:     `{"outputs": [{"shape": [` + shape + `], "data": [1, 2]}]}`,
			seldon{}: `{"data": {"tensor": {"shape": [` + shape + `], "values": [1, 2]}}}`,
		} {
			for _, answer := range []string{answer, strings.Replace(answer, "1, 2]}", "]}", 1)} {
				if got, err := of.answer([]byte(answer)); len(got) > 0 || err == nil && shape != "0" || err != nil && !strings.Contains(err.Error(), "numbers for the shape") {
					t.Errorf("%s: %s, %v", answer, got, err)
				}
			}
		}
	}
}
