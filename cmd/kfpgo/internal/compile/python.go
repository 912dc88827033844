package compile

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/internal/build/image"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
)

// buildPython makes an image for each set of requirements of a program's Python
// components, pushes it beside ref, and has the components name its digest: then
// nothing is installed when a step starts.
func buildPython(cmd *cobra.Command, p *program.Program, ref string, r image.Remote) error {
	parsed, err := name.ParseReference(ref, name.WeakValidation)
	if err != nil {
		return fmt.Errorf("%q is not the reference of an image: %w", ref, err)
	}
	own := tasksWithImages(p)
	pinned := map[string]string{} // by the set
	for _, c := range p.Components {
		if c.Exec == nil || c.Exec.Python == nil {
			continue
		}
		py := c.Exec.Python
		switch {
		case len(py.Packages) == 0:
			continue
		case py.SDK != nil, own[c.Name], py.Image == "", strings.Contains(py.Image, "{{"):
			fmt.Fprintf(cmd.ErrOrStderr(), "component %s installs its packages when it starts: %s\n", c.Name, map[bool]string{true: "it has the form of KFP's SDK, which does that", false: "its image is chosen by its tasks"}[py.SDK != nil])
			continue
		}
		set := image.Requirements{Base: py.Image, Packages: py.Packages, PipOptions: pyrun.PipOptions(py)}
		j, err := json.Marshal(set)
		if err != nil {
			return err
		}
		key := fmt.Sprintf("%x", sha256.Sum256(j))
		if pinned[key] == "" {
			img, err := image.BuildPython(cmd.Context(), set, v1.Platform{OS: "linux", Architecture: "amd64"}, image.Options{Remote: r})
			if err != nil {
				return fmt.Errorf("the image of component %s: %w", c.Name, err)
			}
			to := parsed.Context().Tag("python-" + key[:12]).String()
			for _, w := range img.Unverified {
				fmt.Fprintf(cmd.ErrOrStderr(), "component %s: nobody vouches for the content of %s; give its hash, NAME==VERSION --hash=sha256:…, which the label kfpgo.packages of the image holds as it came\n", c.Name, w)
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "image of %s with %s: %.1f MB\n", py.Image, strings.Join(py.Packages, " "), float64(img.Size())/1e6)
			if pinned[key], err = pushImage(cmd, img, to, r); err != nil {
				return err
			}
		}
		with := *py
		with.Image, with.Packages, with.IndexURLs, with.TrustedHosts, with.Venv = pinned[key], nil, nil, nil, false
		with.LocalPackages = append(append([]string{}, py.Packages...), py.LocalPackages...)
		x := *c.Exec
		x.Python, c.Exec = &with, &x
	}
	return nil
}

// tasksWithImages returns the components that some task runs in another image.
func tasksWithImages(p *program.Program) map[string]bool {
	own := map[string]bool{}
	for _, c := range p.Components {
		if c.DAG == nil {
			continue
		}
		for _, t := range c.DAG.Tasks {
			if t.Settings.Image != nil {
				own[t.Component] = true
			}
		}
	}
	return own
}
