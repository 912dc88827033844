// Package bench compares model servers: one image in many sizes, as PNG and as
// JPEG, is posted to each, and a report says what that costs and what it changes.
package bench

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
)

// What an image may have, so that nobody is made to work for long by a small file.
const (
	MaxBytes  = 64 << 20 // a photo of 24 megapixels has up to 50 MB as a PNG
	MaxPixels = 40_000_000
	maxScans  = 100 // of a progressive JPEG: each is a pass over all of the image
)

// Formats that are compared, in the order of the report.
var Formats = []string{"png", "jpeg"}

// Sizes are those that are compared if no others are asked for: pixels of the
// longer edge.
var Sizes = []int{2048, 1024, 512, 256, 128}

// Quality is what JPEG is written with, of 100.
const Quality = 90

// An ImageError is an image that isn't taken.
type ImageError struct {
	TooLarge bool // and not of another type or broken
	Text     string
}

func (e *ImageError) Error() string { return e.Text }

func refuse(format string, args ...any) error { return &ImageError{Text: fmt.Sprintf(format, args...)} }

func tooLarge(format string, args ...any) error {
	return &ImageError{TooLarge: true, Text: fmt.Sprintf(format, args...)}
}

// Decode reads a PNG or JPEG. What it would take too much memory or time to
// decode is refused by what its first bytes say, before it is decoded.
func Decode(data []byte) (img image.Image, format string, err error) {
	if len(data) > MaxBytes {
		return nil, "", tooLarge("the image has more than %d MiB", MaxBytes>>20)
	}
	var size func() (image.Config, error)
	var decode func() (image.Image, error)
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		format = "png"
		size = func() (image.Config, error) { return png.DecodeConfig(bytes.NewReader(data)) }
		decode = func() (image.Image, error) { return png.Decode(bytes.NewReader(data)) }
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		format = "jpeg"
		size = func() (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(data)) }
		decode = func() (image.Image, error) { return jpeg.Decode(bytes.NewReader(data)) }
		if n := bytes.Count(data, []byte{0xff, 0xda}); n > maxScans { // such bytes are escaped in what is compressed
			return nil, "", tooLarge("the JPEG has %d scans; %d are allowed", n, maxScans)
		}
	default:
		return nil, "", refuse("the file is neither a PNG nor a JPEG")
	}
	c, err := size()
	if err != nil {
		return nil, "", refuse("the %s can't be read: %v", format, err)
	}
	if c.Width <= 0 || c.Height <= 0 {
		return nil, "", refuse("the %s is %d x %d pixels", format, c.Width, c.Height)
	}
	if int64(c.Width)*int64(c.Height) > MaxPixels {
		return nil, "", tooLarge("the %s is %d x %d pixels; %d million are allowed", format, c.Width, c.Height, MaxPixels/1_000_000)
	}
	if img, err = decode(); err != nil {
		return nil, "", refuse("the %s can't be read: %v", format, err)
	}
	return img, format, nil
}

// A Picture is an image as it is posted.
type Picture struct {
	Size   int    `json:"size"`   // pixels of the longer edge
	Format string `json:"format"` // png, jpeg, or original
	Bytes  int    `json:"bytes"`
	Data   []byte `json:"-"`
}

// An Original is the image that all others are made of.
type Original struct {
	Name   string `json:"name"`
	Format string `json:"format"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Bytes  int    `json:"bytes"`
}

// Pictures returns the original as it is, and after it the image in each size, in
// each format. Sizes that the original doesn't have are left out, since nothing is
// in them that was not in it.
func Pictures(name string, data []byte, sizes []int) (Original, []Picture, error) {
	img, format, err := Decode(data)
	if err != nil {
		return Original{}, nil, err
	}
	b := img.Bounds()
	o := Original{Name: name, Format: format, Width: b.Dx(), Height: b.Dy(), Bytes: len(data)}
	edge := max(o.Width, o.Height)
	list := []Picture{{Size: edge, Format: "original", Bytes: len(data), Data: data}}
	for _, size := range sizes {
		if size < 1 {
			return o, nil, fmt.Errorf("size %d is none; sizes are pixels of the longer edge", size)
		}
		if size > edge {
			continue
		}
		scaled := Scale(img, size)
		for _, f := range Formats {
			e, err := encode(scaled, f)
			if err != nil {
				return o, nil, err
			}
			list = append(list, Picture{Size: size, Format: f, Bytes: len(e), Data: e})
		}
	}
	if len(list) == 1 {
		return o, nil, fmt.Errorf("the longer edge of the image has %d pixels, which is less than each of the sizes %v", edge, sizes)
	}
	return o, list, nil
}

// Scale returns an image whose longer edge has so many pixels.
func Scale(img image.Image, edge int) image.Image {
	b := img.Bounds()
	w, h := edge, max(1, edge*b.Dy()/b.Dx())
	if b.Dy() > b.Dx() {
		w, h = max(1, edge*b.Dx()/b.Dy()), edge
	}
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(to, to.Bounds(), img, b, draw.Src, nil)
	return to
}

func encode(img image.Image, format string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch format {
	case "png":
		err = png.Encode(&b, img)
	case "jpeg":
		err = jpeg.Encode(&b, img, &jpeg.Options{Quality: Quality})
	default:
		err = errors.New("no format " + format)
	}
	return b.Bytes(), err
}
