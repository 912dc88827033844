package vet

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/kfpgo/kfpgo/internal/program"
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

// devices finds tasks that go to nodes with devices and get none.
func (v *vetter) devices(t *program.Task, path string) {
	s := &t.Settings
	for _, a := range s.Accelerators {
		if a.Resource == "" && a.Type == nil {
			v.find(Error, "gpu", path, t.Pos, "a number of devices without their kind: no device is asked for; name the resource, such as nvidia.com/gpu")
		}
		if n, ok := a.Count.Constant(); ok && n == "0" {
			v.find(Warning, "gpu", path, t.Pos, "0 devices of %s are asked for, so the step runs without one", a.Resource)
		}
	}
	if len(s.Accelerators) > 0 {
		return
	}
	why := ""
	for _, kv := range s.NodeSelector {
		if gpu(kv.Key) {
			why = "it selects nodes by " + kv.Key
		}
	}
	for _, toleration := range s.Tolerations {
		if gpu(toleration.Key) {
			why = "it tolerates " + toleration.Key
		}
	}
	for _, term := range s.NodeAffinity {
		for _, r := range term.Expressions {
			if gpu(r.Key) {
				why = "it prefers nodes by " + r.Key
			}
		}
	}
	if why != "" {
		v.find(Warning, "gpu", path, t.Pos, "%s, but asks for no device: on such a node it gets none; set a limit, such as one GPU", why)
	}
}

func gpu(key string) bool {
	key = strings.ToLower(key)
	for _, part := range []string{"nvidia.com/", "amd.com/gpu", "gke-accelerator", "habana.ai/", "/gpu", "tencent.com/vcuda"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return key == "gpu" || key == "accelerator"
}

// quantities finds requests above their limits, which Kubernetes refuses.
func (v *vetter) quantities(t *program.Task, path string) {
	s := &t.Settings
	for _, q := range []struct {
		what           string
		request, limit *program.Value
	}{{"CPU", s.CPURequest, s.CPULimit}, {"memory", s.MemoryRequest, s.MemoryLimit}} {
		request, ok1 := q.request.Constant()
		limit, ok2 := q.limit.Constant()
		if !ok1 || !ok2 {
			continue
		}
		r, ok1 := quantity(request)
		l, ok2 := quantity(limit)
		if ok1 && ok2 && r.Cmp(l) > 0 {
			v.find(Error, "resources", path, t.Pos, "it requests %s of %s, more than its limit of %s: Kubernetes refuses such a pod", request, q.what, limit)
		}
	}
}

var suffixes = map[string]string{
	"": "1", "m": "1/1000", "k": "1000", "K": "1000", "M": "1000000", "G": "1000000000", "T": "1000000000000", "P": "1000000000000000", "E": "1000000000000000000",
	"Ki": "1024", "Mi": "1048576", "Gi": "1073741824", "Ti": "1099511627776", "Pi": "1125899906842624", "Ei": "1152921504606846976",
}

var quantityForm = regexp.MustCompile(`^([0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})([A-Za-z]*)$`)

// quantity reads a Kubernetes quantity.
func quantity(s string) (*big.Rat, bool) {
	m := quantityForm.FindStringSubmatch(s)
	if m == nil || suffixes[m[2]] == "" {
		return nil, false
	}
	n, ok1 := new(big.Rat).SetString("0" + strings.TrimSuffix(m[1], "."))
	unit, ok2 := new(big.Rat).SetString(suffixes[m[2]])
	if !ok1 || !ok2 {
		return nil, false
	}
	return n.Mul(n, unit), true
}

var secret = regexp.MustCompile(`(?i)(?:^|_)(?:PASSWORD|PASSWD|TOKEN|SECRET|API_?KEY|PRIVATE_KEY|ACCESS_KEY|SECRET_KEY)$`)

// secrets finds secrets that stand in the pipeline, where all can read them.
func (v *vetter) secrets(t *program.Task, path string) {
	for _, e := range t.Settings.Env {
		if text, ok := e.Value.Constant(); ok && text != "" && secret.MatchString(e.Name) {
			v.find(Warning, "secret", path, t.Pos, "variable %s has its value in the pipeline, where everybody can read it; take it from a secret", e.Name)
		}
	}
}
