package digits

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/kfpgo/kfpgo/dsl"
)

// A model is a trained network as a file, in JSON, whoever trained it: two dense
// layers, the first with a ReLU, the second with a softmax. An image is 784
// numbers from 0 to 1, row by row.
type model struct {
	Format  string  `json:"format"` // modelFormat
	Layers  []layer `json:"layers"`
	version string
}

// A layer has a row of weights for each of its inputs, as in Keras.
type layer struct {
	Weights [][]float64 `json:"weights"`
	Bias    []float64   `json:"bias"`
}

const modelFormat = "mnist-mlp/1"

func (n *network) model() *model {
	return &model{Format: modelFormat, Layers: []layer{{rowsOf(n.w1), n.b1}, {rowsOf(n.w2), n.b2}}}
}

func rowsOf(m *mat.Dense) [][]float64 {
	rows, _ := m.Dims()
	list := make([][]float64, rows)
	for i := range list {
		list[i] = m.RawRowView(i)
	}
	return list
}

func (m *model) write(to dsl.Model) error {
	f, err := to.Create()
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(f).Encode(m), f.Close())
}

func readModel(file string) (*model, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var m model
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("model %s: %w", file, err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("model %s: %w", file, err)
	}
	sum := sha256.Sum256(b)
	m.version = strconv.FormatUint(uint64(binary.BigEndian.Uint32(sum[:])), 10) // TensorFlow Serving has numbers
	return &m, nil
}

func (m *model) check() error {
	if m.Format != modelFormat || len(m.Layers) != 2 {
		return fmt.Errorf("format %q with %d layers, not %q with 2", m.Format, len(m.Layers), modelFormat)
	}
	in := pixels
	for i, l := range m.Layers {
		if len(l.Weights) != in || len(l.Bias) == 0 {
			return fmt.Errorf("layer %d has weights for %d inputs, not %d, and %d biases", i+1, len(l.Weights), in, len(l.Bias))
		}
		in = len(l.Bias)
		for _, row := range l.Weights {
			if len(row) != in {
				return fmt.Errorf("layer %d has %d weights for an input, and %d biases", i+1, len(row), in)
			}
		}
	}
	if in != classes {
		return fmt.Errorf("%d outputs, not %d", in, classes)
	}
	return nil
}

func (m *model) network() *network {
	dense := func(l layer) *mat.Dense {
		return mat.NewDense(len(l.Weights), len(l.Bias), slices.Concat(l.Weights...))
	}
	return &network{w1: dense(m.Layers[0]), b1: m.Layers[0].Bias, w2: dense(m.Layers[1]), b2: m.Layers[1].Bias}
}
