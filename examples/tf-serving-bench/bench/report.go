package bench

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// A Build is an image of a server that was built.
type Build struct {
	Name    string  `json:"name"` // cpu, cpu-optimised, gpu, gpu-optimised
	Seconds float64 `json:"seconds,omitempty"`
	Digest  string  `json:"digest,omitempty"`
	StandIn bool    `json:"stand_in,omitempty"`     // not TensorFlow Serving was built
	Missing string  `json:"not_measured,omitempty"` // why there is none
}

// A Report is all that was measured.
type Report struct {
	Original Original  `json:"original"`
	Load     Load      `json:"load"`
	Builds   []Build   `json:"builds"`
	Pictures []Picture `json:"pictures"`
	Servers  []Server  `json:"servers"`
	Equal    []Equal   `json:"cpus_equal_to_one_gpu"`
	Gains    []Gain    `json:"optimised_against_standard"`
}

// An Equal says how many CPUs do as much as one GPU.
type Equal struct {
	Batching bool    `json:"batching"`
	By       string  `json:"by"` // the server that was compared: cpu1, cpu8
	CPUs     float64 `json:"cpus,omitempty"`
	Missing  string  `json:"not_measured,omitempty"`
}

// A Gain says how many times as many requests a second a server answers when it is built
// with all that its CPU has.
type Gain struct {
	Name     string  `json:"name"` // cpu1, cpu8, gpu1
	Batching bool    `json:"batching"`
	Factor   float64 `json:"factor,omitempty"`
	Missing  string  `json:"not_measured,omitempty"`
}

// cpus are the servers without a GPU, and how many CPUs each has.
var cpus = []struct {
	name string
	n    float64
}{{"cpu1", 1}, {"cpu8", 8}}

const gpu = "gpu1"

// New puts together what was measured.
func New(o Original, l Load, pictures []Picture, builds []Build, servers []Server) *Report {
	r := &Report{Original: o, Load: l, Builds: builds, Pictures: pictures, Servers: servers}
	find := func(name string, batching bool) *Server {
		for i, s := range servers {
			if s.Name == name && s.Batching == batching && !s.Standard {
				return &servers[i]
			}
		}
		return &Server{Name: name, Missing: "nobody asked for it"}
	}
	for _, batching := range []bool{false, true} {
		for _, c := range cpus {
			e := Equal{Batching: batching, By: c.name}
			with, without := find(gpu, batching), find(c.name, batching)
			switch {
			case with.Missing != "":
				e.Missing = gpu + ": " + with.Missing
			case without.Missing != "":
				e.Missing = c.name + ": " + without.Missing
			default:
				e.CPUs = c.n * with.PerSec / without.PerSec
			}
			r.Equal = append(r.Equal, e)
		}
	}
	for _, s := range servers {
		if !s.Standard {
			continue
		}
		g, optimised := Gain{Name: s.Name, Batching: s.Batching}, find(s.Name, s.Batching)
		switch {
		case s.Missing != "":
			g.Missing = "standard: " + s.Missing
		case optimised.Missing != "":
			g.Missing = "optimised: " + optimised.Missing
		default:
			g.Factor = optimised.PerSec / s.PerSec
		}
		r.Gains = append(r.Gains, g)
	}
	return r
}

// Saved is how many bytes less than the original a picture has; below zero: more.
func (r *Report) Saved(p Picture) int { return r.Original.Bytes - p.Bytes }

// Ratio is how many times as many bytes as JPEG PNG takes in a size; 0: it isn't
// among the pictures.
func (r *Report) Ratio(size int) float64 {
	return r.pngToJPEG(size, func(i int) float64 { return float64(r.Pictures[i].Bytes) })
}

// TimeRatio is how many times as long as for JPEG a server takes for PNG in a size, by
// the medians; 0: it wasn't measured.
func (r *Report) TimeRatio(s Server, size int) float64 {
	if s.Missing != "" {
		return 0
	}
	return r.pngToJPEG(size, func(i int) float64 { return s.Cells[i].P50 })
}

// pngToJPEG returns the ratio of something of the PNG of a size to that of the JPEG.
func (r *Report) pngToJPEG(size int, of func(picture int) float64) float64 {
	var png, jpeg float64
	for i, p := range r.Pictures {
		if p.Size == size {
			switch p.Format {
			case "png":
				png = of(i)
			case "jpeg":
				jpeg = of(i)
			}
		}
	}
	if png == 0 || jpeg == 0 {
		return 0
	}
	return png / jpeg
}

// JSON writes all of the report.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// CSV writes a line for each picture of each server.
func (r *Report) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"server", "batching", "standard", "what", "image_bytes", "pull_seconds", "size", "format", "bytes", "saved_bytes", "png_jpeg_ratio", "png_jpeg_time_ratio", "p50_ms", "p99_ms", "requests_per_second", "class", "same_class", "score", "score_change", "not_measured"})
	num := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	for _, s := range r.Servers {
		for i, p := range r.Pictures {
			known := func(v float64, text string) string { // 0: it isn't
				if v > 0 {
					return text
				}
				return ""
			}
			ratio := func(v float64) string {
				if p.Format == "original" {
					return ""
				}
				return known(v, fmt.Sprintf("%.3f", v))
			}
			line := []string{
				s.Name, strconv.FormatBool(s.Batching), strconv.FormatBool(s.Standard), s.What,
				known(float64(s.Image.Bytes), strconv.Itoa(s.Image.Bytes)), known(s.Image.Pull, num(s.Image.Pull)),
				strconv.Itoa(p.Size), p.Format, strconv.Itoa(p.Bytes), strconv.Itoa(r.Saved(p)), ratio(r.Ratio(p.Size)), ratio(r.TimeRatio(s, p.Size)),
			}
			if s.Missing != "" {
				line = append(line, "", "", "", "", "", "", "", s.Missing)
			} else {
				m := s.Cells[i]
				line = append(line, num(m.P50), num(m.P99), fmt.Sprintf("%.2f", m.PerSec), strconv.Itoa(m.Class), strconv.FormatBool(m.Same), num(m.Score), num(m.Change), "")
			}
			c.Write(line)
		}
	}
	c.Flush()
	return c.Error()
}
