package digits

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// hidden is the width of the network, and batch the number of images after
// which its weights change.
const hidden, batch = 128, 50

// A network has two dense layers: a ReLU and a softmax.
type network struct {
	w1, w2 *mat.Dense // pixels × hidden, hidden × classes
	b1, b2 []float64
	rand   *rand.Rand
}

// newNetwork returns a network with the random weights of a seed.
func newNetwork(seed int) *network {
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	return &network{w1: random(r, pixels, hidden), w2: random(r, hidden, classes), b1: make([]float64, hidden), b2: make([]float64, classes), rand: r}
}

// random returns weights by He's rule, which suits ReLU.
func random(r *rand.Rand, rows, columns int) *mat.Dense {
	m := mat.NewDense(rows, columns, nil)
	m.Apply(func(int, int, float64) float64 { return r.NormFloat64() * math.Sqrt(2/float64(rows)) }, m)
	return m
}

// epoch goes over the digits once, in a random order, and returns the mean loss.
// All sums are made in a fixed order, so that a seed gives one result.
func (n *network) epoch(ctx context.Context, d digits, rate float64) (loss float64, err error) {
	order := n.rand.Perm(d.len())
	for start := 0; start < len(order); start += batch {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		loss += n.step(d, order[start:min(start+batch, len(order))], rate)
	}
	return loss / float64(d.len()), nil
}

// step changes the weights by the gradient of some images, and returns the sum
// of their losses.
func (n *network) step(d digits, which []int, rate float64) (loss float64) {
	x := mat.NewDense(len(which), pixels, nil)
	for i, j := range which {
		scale(x.RawRowView(i), d.image(j))
	}
	h, p := n.forward(x)
	for i, j := range which { // p becomes the gradient of the softmax
		row := p.RawRowView(i)
		loss -= math.Log(max(row[d.labels[j]], 1e-12))
		row[d.labels[j]]--
	}
	var g, dw1, dw2 mat.Dense
	g.Mul(p, n.w2.T())
	for i := range which {
		for j, v := range h.RawRowView(i) {
			if v == 0 { // where ReLU is flat
				g.Set(i, j, 0)
			}
		}
	}
	dw2.Mul(h.T(), p)
	dw1.Mul(x.T(), &g)
	rate = -rate / float64(len(which))
	floats.AddScaled(n.w1.RawMatrix().Data, rate, dw1.RawMatrix().Data)
	floats.AddScaled(n.w2.RawMatrix().Data, rate, dw2.RawMatrix().Data)
	for i := range which {
		floats.AddScaled(n.b1, rate, g.RawRowView(i))
		floats.AddScaled(n.b2, rate, p.RawRowView(i))
	}
	return loss
}

// forward returns the hidden layer and the probability of each class, a row for
// each row of x.
func (n *network) forward(x mat.Matrix) (h, p *mat.Dense) {
	h, p = new(mat.Dense), new(mat.Dense)
	h.Mul(x, n.w1)
	rows, _ := h.Dims()
	for i := range rows {
		row := h.RawRowView(i)
		floats.Add(row, n.b1)
		for j, v := range row {
			row[j] = max(v, 0)
		}
	}
	p.Mul(h, n.w2)
	for i := range rows {
		row := p.RawRowView(i)
		floats.Add(row, n.b2)
		sum := floats.LogSumExp(row)
		for j, v := range row {
			row[j] = math.Exp(v - sum)
		}
	}
	return h, p
}

// predict returns what the network takes each of the digits for.
func (n *network) predict(d digits) []byte {
	predicted := make([]byte, 0, d.len())
	for start := 0; start < d.len(); start += batch {
		part := d.slice(start, min(start+batch, d.len()))
		x := mat.NewDense(part.len(), pixels, nil)
		for i := range part.labels {
			scale(x.RawRowView(i), part.image(i))
		}
		_, p := n.forward(x)
		for i := range part.labels {
			predicted = append(predicted, byte(floats.MaxIdx(p.RawRowView(i))))
		}
	}
	return predicted
}

// scale makes numbers from 0 to 1 of pixels.
func scale(to []float64, image []byte) {
	for i, v := range image {
		to[i] = float64(v) / 255
	}
}
