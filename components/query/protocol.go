package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// A protocol makes requests and reads answers.
type protocol interface {
	request(in In, batch []json.RawMessage) (path string, body any)
	answer(body []byte) ([]json.RawMessage, error)
}

// v1 is the protocol of TensorFlow Serving and KServe.
type v1 struct{}

func (v1) request(in In, batch []json.RawMessage) (string, any) {
	return "/v1/models/" + in.Model.Get() + ":predict", map[string]any{"instances": batch}
}

func (v1) answer(body []byte) ([]json.RawMessage, error) {
	var a struct{ Predictions []json.RawMessage }
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, err
	}
	if a.Predictions == nil {
		return nil, errors.New("there are no predictions in it")
	}
	return a.Predictions, nil
}

// v2 is the Open Inference protocol.
type v2 struct{}

func (v2) request(in In, batch []json.RawMessage) (string, any) {
	shape := []int{len(batch)}
	var first any
	if json.Unmarshal(batch[0], &first) == nil {
		for list, ok := first.([]any); ok; list, ok = first.([]any) {
			shape = append(shape, len(list))
			if len(list) == 0 {
				break
			}
			first = list[0]
		}
	}
	return "/v2/models/" + in.Model.Get() + "/infer", map[string]any{"inputs": []any{
		map[string]any{"name": in.Input.Get(), "shape": shape, "datatype": in.DataType.Get(), "data": batch},
	}}
}

func (v2) answer(body []byte) ([]json.RawMessage, error) {
	var a struct {
		Outputs []struct {
			Shape []int
			Data  json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, err
	}
	if len(a.Outputs) == 0 || len(a.Outputs[0].Shape) == 0 {
		return nil, errors.New("there are no outputs with a shape in it")
	}
	o := a.Outputs[0]
	var data []json.RawMessage
	if err := json.Unmarshal(o.Data, &data); err != nil {
		return nil, err
	}
	if o.Shape[0] == len(data) {
		return data, nil
	}
	return rows(data, o.Shape) // the numbers are flat, as the protocol has them
}

// rows returns numbers as the rows that a shape says they are.
func rows(data []json.RawMessage, shape []int) (list []json.RawMessage, err error) {
	n := shape[0]
	if n <= 0 || n > len(data) || len(data)%n != 0 { // more rows than numbers could be any number of them
		return nil, fmt.Errorf("%d numbers for the shape %v", len(data), shape)
	}
	for row := range slices.Chunk(data, len(data)/n) {
		b, err := json.Marshal(row)
		if err != nil {
			return nil, err
		}
		list = append(list, b)
	}
	return list, nil
}

// seldon is Seldon Core's.
type seldon struct{}

func (seldon) request(in In, batch []json.RawMessage) (string, any) {
	var first []json.RawMessage
	names := []string{}
	if json.Unmarshal(batch[0], &first) == nil {
		for i := range first {
			names = append(names, fmt.Sprintf("%s%d", in.Names.Get(), i+1))
		}
	}
	return "/api/" + in.Version.Get() + "/predictions", map[string]any{"data": map[string]any{"names": names, "ndarray": batch}}
}

func (seldon) answer(body []byte) ([]json.RawMessage, error) {
	var a struct {
		Status *struct {
			Status, Info, Reason string
			Code                 int
		}
		Data struct {
			NDArray []json.RawMessage `json:"ndarray"`
			Tensor  *struct {
				Shape  []int
				Values []json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, err
	}
	if s := a.Status; s != nil && s.Status == "FAILURE" {
		return nil, fmt.Errorf("%s: %s (code %d)", s.Reason, s.Info, s.Code)
	}
	if t := a.Data.Tensor; t != nil && len(t.Shape) > 0 {
		return rows(t.Values, t.Shape)
	}
	if a.Data.NDArray == nil {
		return nil, errors.New("there is no data.ndarray in it")
	}
	return a.Data.NDArray, nil
}
