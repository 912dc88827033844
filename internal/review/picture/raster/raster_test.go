package raster_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/review/picture"
	"github.com/kfpgo/kfpgo/internal/review/picture/raster"
)

// TestPNG: the picture of mnist is an image in which there are lines, texts and the
// colours of artifacts and badges, and the same each time.
func TestPNG(t *testing.T) {
	b, err := os.ReadFile("../../../local/report/testdata/program.json")
	if err != nil {
		t.Fatal(err)
	}
	var p program.Program
	if err := json.Unmarshal(b, &p); err != nil {
		t.Fatal(err)
	}
	to := picture.Right
	{
		got, err := raster.PNG(&p, to)
		if err != nil {
			t.Fatal(err)
		}
		again, err := raster.PNG(&p, to)
		if err != nil || !bytes.Equal(got, again) {
			t.Errorf("the second picture is another one, %v", err)
		}
		m, err := png.Decode(bytes.NewReader(got))
		if err != nil {
			t.Fatal(err)
		}
		s, err := picture.NewScene(&p, to)
		if err != nil {
			t.Fatal(err)
		}
		if w, h := m.Bounds().Dx(), m.Bounds().Dy(); float64(w) < 2*s.Width || float64(h) < 2*s.Height {
			t.Errorf("%d x %d pixels for %.0f x %.0f points", w, h, s.Width, s.Height)
		}
		seen := map[[3]uint32]int{}
		for y := range m.Bounds().Dy() / 2 {
			for x := range m.Bounds().Dx() / 2 {
				r, g, b, _ := m.At(2*x, 2*y).RGBA()
				seen[[3]uint32{r >> 8, g >> 8, b >> 8}]++
			}
		}
		for what, c := range map[string][3]uint32{"ink of names": {0x1a, 0x22, 0x30}, "blue of artifacts": {0x1a, 0x5f, 0xb4}, "frames": {0xc9, 0xd0, 0xdb}, "lines": {0x8a, 0x94, 0xa6}} {
			if seen[c] < 50 {
				t.Errorf("%s: %d pixels", what, seen[c])
			}
		}
	}
}
