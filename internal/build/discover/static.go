package discover

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Static builds the program of a package for a container: static, for Linux, with
// zone data and without what only debuggers read. The same sources and the same Go
// make the same bytes, wherever they are. A command without pipelines is built as it is,
// with its version from Git, if it is in a repository.
func Static(ctx context.Context, dir, pattern, arch, out string) (*Package, error) {
	at, err := locate(dir, pattern)
	if err != nil {
		return nil, err
	}
	pkg, err := at.find(ctx)
	stamp := "-buildvcs=false"
	if none := (*noVariable)(nil); errors.As(err, &none) && none.Name == "main" {
		pkg, err = &none.Package, nil // a command without pipelines, which may print its version
		stamp = "-buildvcs=auto"
	}
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "kfpgo-build-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	target, files := pkg.overlay()
	list, err := (entry{place: at, dir: tmp}).writeOverlay(files)
	if err != nil {
		return nil, err
	}
	if out, err = filepath.Abs(out); err != nil {
		return nil, err
	}
	ldflags := "-s -w -buildid="
	for _, f := range strings.Fields(os.Getenv("GOFLAGS")) {
		if strings.HasPrefix(strings.TrimLeft(f, "-"), "ldflags") {
			return nil, fmt.Errorf("GOFLAGS has %s, which would override the flags for an image; unset it", f)
		}
	}
	_, err = at.runWith(ctx, []string{"CGO_ENABLED=0", "GOOS=linux", "GOARCH=" + arch},
		"build", "-trimpath", stamp, "-tags=timetzdata", "-ldflags="+ldflags, "-overlay", list, "-o", out, target)
	if err != nil {
		return nil, explain(err, pkg)
	}
	return pkg, nil
}
