package standin

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // what images are decoded from
	_ "image/png"
	"math"
)

// Colours are the classes.
var Colours = []string{"black", "grey", "white", "red", "yellow", "green", "cyan", "blue", "magenta"}

var values = [][3]float64{{0, 0, 0}, {.5, .5, .5}, {1, 1, 1}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 1, 1}, {0, 0, 1}, {1, 0, 1}}

const (
	maxPixels = 40_000_000
	grid      = 64 // the image is seen as so many by so many averages
)

// Score returns how much of an image has each of the colours: it decodes it, takes
// it down to 64 by 64 averages, and shares each of those among the colours that it
// is near to. The sum is 1.
func Score(data []byte) ([]float64, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if int64(c.Width)*int64(c.Height) > maxPixels {
		return nil, fmt.Errorf("the image has %d x %d pixels; %d million are allowed", c.Width, c.Height, maxPixels/1_000_000)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(Colours))
	for _, p := range averages(img) {
		var near [9]float64
		sum := 0.0
		for i, v := range values {
			d := (p[0]-v[0])*(p[0]-v[0]) + (p[1]-v[1])*(p[1]-v[1]) + (p[2]-v[2])*(p[2]-v[2])
			near[i] = math.Exp(-12 * d)
			sum += near[i]
		}
		for i := range near {
			scores[i] += near[i] / sum / (grid * grid)
		}
	}
	return scores, nil
}

// averages returns the mean red, green and blue of each cell of the grid.
func averages(img image.Image) [][3]float64 {
	b := img.Bounds()
	list := make([][3]float64, 0, grid*grid)
	span := func(i, n int) (from, to int) { from = i * n / grid; return from, max(from+1, (i+1)*n/grid) }
	for j := range grid {
		y0, y1 := span(j, b.Dy())
		for i := range grid {
			x0, x1 := span(i, b.Dx())
			var sum [3]float64
			for y := y0; y < y1; y++ {
				for x := x0; x < x1; x++ {
					r, g, bl, _ := img.At(b.Min.X+x, b.Min.Y+y).RGBA()
					sum[0], sum[1], sum[2] = sum[0]+float64(r), sum[1]+float64(g), sum[2]+float64(bl)
				}
			}
			n := float64((x1-x0)*(y1-y0)) * 0xffff
			list = append(list, [3]float64{sum[0] / n, sum[1] / n, sum[2] / n})
		}
	}
	return list
}
