package digits

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"
)

// answer answers a predict request.
func (n *network) answer(body io.Reader) (*predictResponse, error) {
	var req predictRequest
	if err := json.NewDecoder(body).Decode(&req); err != nil {
		return nil, fmt.Errorf("not a predict request: %w", err)
	}
	if len(req.Instances) == 0 {
		return nil, errors.New(`no instances; send {"instances": [[784 numbers from 0 to 1], ...]}`)
	}
	x := mat.NewDense(len(req.Instances), pixels, nil)
	for i, raw := range req.Instances {
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			return nil, fmt.Errorf("instance %d: %w", i, err)
		}
		flat, err := flatten(nil, v)
		if err != nil {
			return nil, fmt.Errorf("instance %d: %w", i, err)
		}
		if len(flat) != pixels {
			return nil, fmt.Errorf("instance %d has %d numbers, not %d", i, len(flat), pixels)
		}
		x.SetRow(i, flat)
	}
	_, p := n.forward(x)
	return &predictResponse{rowsOf(p)}, nil
}

// flatten appends the numbers of a nested list.
func flatten(to []float64, v any) ([]float64, error) {
	switch v := v.(type) {
	case float64:
		return append(to, v), nil
	case []any:
		for _, e := range v {
			var err error
			if to, err = flatten(to, e); err != nil {
				return nil, err
			}
		}
		return to, nil
	}
	return nil, fmt.Errorf("%v is not a number", v)
}
