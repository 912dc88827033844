package digits

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/dsl"
)

// dataPath is where every step that reads or writes digits mounts the volume.
const dataPath = "/data"

const (
	side    = 28
	pixels  = side * side
	classes = 10
)

// A File is one of the four files of MNIST, in the IDX format.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// The names of the files, unpacked.
const (
	trainImages = "train-images-idx3-ubyte"
	trainLabels = "train-labels-idx1-ubyte"
	testImages  = "t10k-images-idx3-ubyte"
	testLabels  = "t10k-labels-idx1-ubyte"
)

// mnistFiles are the files that Yann LeCun and others published.
var mnistFiles = []File{
	{trainImages, 47040016, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
	{trainLabels, 60008, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
	{testImages, 7840016, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
	{testLabels, 10008, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"},
}

// A Manifest says what is in the volume. It is what the download passes on: the
// digits themselves stay where they are.
type Manifest struct {
	Source string `json:"source"`
	Files  []File `json:"files"`
}

// digits are images, of a byte a pixel, and what they show.
type digits struct{ images, labels []byte }

func (d digits) len() int              { return len(d.labels) }
func (d digits) image(i int) []byte    { return d.images[i*pixels : (i+1)*pixels] }
func (d digits) slice(i, j int) digits { return digits{d.images[i*pixels : j*pixels], d.labels[i:j]} }

// readDigits reads a pair of files from the volume, and from nowhere else. They
// must be those that the manifest lists.
func readDigits(data dsl.Dataset, images, labels string) (d digits, err error) {
	var m Manifest
	b, err := os.ReadFile(data.Path())
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil {
		return d, fmt.Errorf("the data's manifest: %w", err)
	}
	im, err := m.read(dsl.MountPath(dataPath), images, 16)
	if err != nil {
		return d, err
	}
	la, err := m.read(dsl.MountPath(dataPath), labels, 8)
	if err != nil {
		return d, err
	}
	if len(im) != pixels*len(la) {
		return d, fmt.Errorf("%s has %d bytes of images for the %d labels of %s; each takes %d", images, len(im), len(la), labels, pixels)
	}
	for i, l := range la {
		if l >= classes {
			return d, fmt.Errorf("%s: label %d is %d; digits are 0 to 9", labels, i, l)
		}
	}
	return digits{im, la}, nil
}

// read returns what follows the header of a file in the volume.
func (m *Manifest) read(dir, name string, header int) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, fmt.Errorf("the data volume has no %s; the download puts it there: %w", name, err)
	}
	for _, f := range m.Files {
		if f.Name != name {
			continue
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256(b)); sum != f.SHA256 {
			return nil, fmt.Errorf("%s in the data volume has changed since the download: its SHA-256 is %s, not %s", name, sum, f.SHA256)
		}
		if len(b) < header {
			return nil, fmt.Errorf("%s in the data volume has no header", name)
		}
		return b[header:], nil
	}
	return nil, fmt.Errorf("the data's manifest does not list %s", name)
}
