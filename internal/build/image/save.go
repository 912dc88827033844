package image

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
)

// Tar writes the image to a file that docker load and podman load take, under a
// name with a tag.
func (i *Image) Tar(file, ref string) error {
	if i.index != nil {
		return errors.New("a tar file holds one platform; write an OCI layout, or build for one platform")
	}
	tag, err := name.NewTag(ref, name.WeakValidation)
	if err != nil {
		return fmt.Errorf("%q is not a name for the image, such as mnist:1: %w", ref, err)
	}
	err = atomicfile.Writing(file, 0o644, func(w io.Writer) error { return tarball.Write(tag, i.image, w) })
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// Layout writes the image as a folder in the OCI image layout, which must not be
// there yet or be empty.
func (i *Image) Layout(dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is there already and not empty", dir)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(filepath.Clean(dir)), "."+filepath.Base(dir)+".*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	path, err := layout.Write(tmp, empty.Index)
	if err != nil {
		return err
	}
	if i.index != nil {
		err = path.AppendIndex(i.index)
	} else {
		err = path.AppendImage(i.image)
	}
	if err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !os.IsNotExist(err) {
		return err
	}
	return errors.Join(os.Chmod(tmp, 0o755), os.Rename(tmp, dir))
}
