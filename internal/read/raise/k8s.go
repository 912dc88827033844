package raise

import (
	"encoding/json"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// readyMade are the components of package k8s that the program knows by name.
var readyMade = map[string]struct {
	stem    string
	ins     map[string]string // fields, by input
	outs    map[string]string
	goTypes map[string]string // of inputs that have one of package k8s
}{
	program.CreatePVC: {
		stem: "k8s.CreatePVC",
		ins: map[string]string{
			"pvc_name": "Name", "pvc_name_suffix": "NameSuffix", "size": "Size", "access_modes": "AccessModes", "storage_class_name": "StorageClass",
			"volume_name": "VolumeName", "annotations": "Annotations", "data_source": "DataSource",
		},
		outs: map[string]string{"name": "Name"},
		goTypes: map[string]string{
			"access_modes": "[]k8s.AccessMode", "annotations": "map[string]string", "data_source": "k8s.DataSource",
		},
	},
	program.DeletePVC: {stem: "k8s.DeletePVC", ins: map[string]string{"pvc_name": "Name"}},
}

// known makes a class one of package k8s, if it is.
func (b *builder) known(c *class) bool {
	if c.Exec == nil || c.Exec.Resource == nil || c.Exec.Resource.Builtin == "" {
		return false
	}
	r, ok := readyMade[c.Exec.Resource.Builtin]
	if !ok {
		return false
	}
	c.stem, c.inType, c.outType = r.stem, r.stem+"In", r.stem+"Out"
	if len(r.outs) == 0 {
		c.outType = "dsl.None"
	}
	for name, p := range c.ins {
		if p.field = r.ins[name]; p.field == "" {
			b.errorf(c.Pos, "component %s: %s has no input %s", c.Name, r.stem, name)
		}
		if t := r.goTypes[name]; t != "" && p.typ != nil {
			p.typ.fixed = t
		}
	}
	for name, p := range c.outs {
		if p.field = r.outs[name]; p.field == "" {
			b.errorf(c.Pos, "component %s: %s has no output %s", c.Name, r.stem, name)
		}
	}
	return true
}

// fixedLiteral returns a JSON value as Go of a type of package k8s.
func (b *builder) fixedLiteral(goType string, j json.RawMessage) (string, bool) {
	switch goType {
	case "[]k8s.AccessMode":
		var modes []string
		if json.Unmarshal(j, &modes) != nil {
			return "", false
		}
		var parts []string
		for _, m := range modes {
			parts = append(parts, constant("k8s.", m, "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"))
		}
		return braces(goType, parts), true
	case "k8s.DataSource":
		var d struct{ APIGroup, Kind, Name string }
		if json.Unmarshal(j, &d) != nil {
			return "", false
		}
		return fields(goType, "APIGroup", quoted(d.APIGroup), "Kind", quoted(d.Kind), "Name", quoted(d.Name)), true
	}
	if elem, ok := strings.CutPrefix(goType, "map[string]"); ok {
		typ := &typ{ir: map[string]string{"string": kfptype.String, "int": kfptype.Integer, "float64": kfptype.Double, "bool": kfptype.Boolean}[elem]}
		parts, ok := members(j, func(k string, v json.RawMessage) (string, bool) {
			s, ok := b.literal(typ, v)
			return gosrc.Quote(k) + ": " + s, ok
		})
		return braces(goType, parts), ok
	}
	return "", false
}
