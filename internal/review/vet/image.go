package vet

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// images finds images whose content changes under their name.
func (v *vetter) images(t *program.Task, c *program.Component, path string) {
	check := func(what, image string) {
		if why := unpinned(image); why != "" {
			v.find(Warning, "image", path, t.Pos, "%s %s %s: a later run may get another one; give a tag with a version, or a digest", what, image, why)
		}
	}
	image := ""
	switch x := c.Exec; {
	case x == nil:
	case x.Container != nil:
		image = x.Container.Image
	case x.Python != nil:
		image = x.Python.Image
	case x.Go != nil:
		image = x.Go.Image
	}
	if set := t.Settings.Image; set != nil {
		image, _ = set.Constant()
	}
	check("image", image)
	for _, init := range t.Settings.InitContainers {
		check("image of init container "+init.Name+",", init.Image)
	}
}

// unpinned says why an image isn't always the same.
func unpinned(image string) string {
	if image == "" || strings.Contains(image, "{{") || strings.Contains(image, "@") || strings.HasPrefix(image, "argostub/") {
		return ""
	}
	_, tag, tagged := strings.Cut(image[strings.LastIndexByte(image, '/')+1:], ":")
	switch {
	case !tagged:
		return "has no tag"
	case tag == "latest":
		return "is the latest"
	}
	return ""
}
