package tfservingbench

import (
	"context"
	_ "embed" // the photo
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/bench"
)

// MoonJPEG is a photo by NASA's Lunar Reconnaissance Orbiter, 2048 x 2048 pixels.
//
//go:embed moon.jpg
var MoonJPEG []byte

// MoonOut is that.
type MoonOut struct{ Photo dsl.Dataset }

// Moon is the photo if no other is given.
var Moon = dsl.Func("moon", func(_ context.Context, _ dsl.None, out *MoonOut) error {
	out.Photo.SetMetadata("name", "the Moon, by NASA")
	f, err := out.Photo.Create()
	if err != nil {
		return err
	}
	_, err = f.Write(MoonJPEG)
	return errors.Join(err, f.Close())
})

// DrawIn is a photo and how large it is wanted.
type DrawIn struct {
	Photo dsl.Dataset
	Sizes dsl.Param[[]int]
}

// DrawOut is the photo in all sizes and formats.
type DrawOut struct {
	Pictures dsl.Dataset `doc:"a folder with index.json and a file for each picture"`
}

// An index says what is in the folder that Draw makes.
type index struct {
	Original bench.Original  `json:"original"`
	Pictures []bench.Picture `json:"pictures"`
}

func pictureFile(dir string, i int) string { return filepath.Join(dir, "picture-"+strconv.Itoa(i)) }

// Draw makes the pictures that are posted.
var Draw = dsl.Func("draw", func(_ context.Context, in DrawIn, out *DrawOut) error {
	data, err := os.ReadFile(in.Photo.Path())
	if err != nil {
		return err
	}
	name, ok := in.Photo.Metadata("name").(string)
	if !ok {
		name = "photo"
	}
	original, pictures, err := bench.Pictures(name, data, in.Sizes.Get())
	if err != nil {
		return err
	}
	dir := out.Pictures.Path()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i, p := range pictures {
		if err := os.WriteFile(pictureFile(dir, i), p.Data, 0o644); err != nil {
			return err
		}
	}
	b, err := json.Marshal(index{original, pictures})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "index.json"), b, 0o644)
})

func readPictures(dir string) (i index, err error) {
	b, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		return i, err
	}
	if err := json.Unmarshal(b, &i); err != nil {
		return i, err
	}
	for n := range i.Pictures {
		if i.Pictures[n].Data, err = os.ReadFile(pictureFile(dir, n)); err != nil {
			return i, err
		}
	}
	return i, nil
}

// MeasureIn is a server and what is posted to it.
type MeasureIn struct {
	Pictures dsl.Dataset
	Variant  dsl.Param[tfserving.Variant]
	Batching dsl.Param[bool]
	Standard dsl.Param[bool]
	Server   dsl.Param[Server]
	Requests dsl.Param[int]
	Parallel dsl.Param[int]
	Model    dsl.Model         `doc:"on this machine: what is served"`
	Python   dsl.Param[string] `doc:"on this machine: what serves it; empty: the stand-in serves"`
}

// MeasureOut is what was measured.
type MeasureOut struct {
	Measured dsl.Dataset
	Metrics  dsl.Metrics `doc:"p50_ms and p99_ms of each picture, and requests_per_second"`
}

// Measure posts each picture to a server. One that isn't there, or doesn't answer
// as it should, is recorded as not measured, with the reason.
var Measure = dsl.Func("measure", func(ctx context.Context, in MeasureIn, out *MeasureOut) error {
	load := bench.Load{Requests: in.Requests.Get(), Parallel: in.Parallel.Get(), Ready: 2 * time.Minute}
	if err := load.Check(); err != nil {
		return err
	}
	i, err := readPictures(in.Pictures.Path())
	if err != nil {
		return err
	}
	server := in.Server.Get()
	s := bench.Server{
		Name: string(in.Variant.Get()), Batching: in.Batching.Get(), Standard: in.Standard.Get(),
		What: server.What, Image: server.Image, Missing: server.Missing,
	}
	if s.Missing == "" {
		c := bench.Client{URL: server.URL, Model: server.Model}
		if c.URL == "" {
			here, err := startHere(ctx, in, server.Model)
			if err != nil {
				return err
			}
			defer here.stop()
			ctx, c.URL, s.What = here.ctx, here.url, here.what
		}
		if s, err = bench.Measure(ctx, s, c, i.Pictures, load); err != nil {
			return err
		}
	}
	for n, cell := range s.Cells {
		p := i.Pictures[n]
		dsl.LogMetric(out.Metrics, fmt.Sprintf("%s_%d_p50_ms", p.Format, p.Size), cell.P50)
		dsl.LogMetric(out.Metrics, fmt.Sprintf("%s_%d_p99_ms", p.Format, p.Size), cell.P99)
	}
	if s.Missing == "" {
		dsl.LogMetric(out.Metrics, "requests_per_second", s.PerSec)
		fmt.Printf("%s: %.1f requests a second (%s)\n", s.Label(), s.PerSec, s.What)
	} else {
		fmt.Printf("%s: not measured: %s\n", s.Label(), s.Missing)
	}
	return writeJSON(out.Measured.Create, s)
}, dsl.NoCache())

func writeJSON(create func() (*os.File, error), v any) error {
	f, err := create()
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(f).Encode(v), f.Close())
}
