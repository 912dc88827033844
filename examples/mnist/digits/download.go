package digits

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/dsl"
)

type DownloadIn struct {
	Source        dsl.Param[string]
	ShuffleLabels dsl.Param[bool] `default:"false"`
}

type DownloadOut struct {
	Data dsl.Dataset // a Manifest
}

// Download puts MNIST into the volume, and passes on what is there. It runs
// every time, because the volume is new every time.
var Download = dsl.Func("download", func(ctx context.Context, in DownloadIn, out *DownloadOut) error {
	m := Manifest{Source: in.Source.Get(), Files: mnistFiles}
	if err := fetch(ctx, m, dsl.MountPath(dataPath)); err != nil {
		return err
	}
	if in.ShuffleLabels.Get() {
		var err error
		if m.Files, err = shuffleLabels(dsl.MountPath(dataPath), m.Files); err != nil {
			return err
		}
	}
	out.Data.SetMetadata("source", m.Source)
	f, err := out.Data.Create()
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(f).Encode(m), f.Close())
}, dsl.NoCache(), dsl.Retry(2))

// fetch puts the files of a manifest into a folder.
func fetch(ctx context.Context, m Manifest, dir string) error {
	if strings.HasSuffix(m.Source, ".npz") {
		return fetchNPZ(ctx, m, dir)
	}
	for _, f := range m.Files {
		if err := fetchIDX(ctx, m.Source, f, dir); err != nil {
			return err
		}
		fmt.Printf("%s: %d bytes\n", f.Name, f.Size)
	}
	return nil
}

// shuffleLabels gives the training images labels of others.
func shuffleLabels(dir string, files []File) ([]File, error) {
	path := filepath.Join(dir, trainLabels)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	labels := b[8:]
	rand.New(rand.NewPCG(1, 0)).Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
	changed := append([]File(nil), files...)
	for i, f := range changed {
		if f.Name == trainLabels {
			changed[i].SHA256 = fmt.Sprintf("%x", sha256.Sum256(b))
		}
	}
	return changed, os.WriteFile(path, b, 0o644)
}
