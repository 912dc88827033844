package kfpread

import (
	"encoding/json"
	"path"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// An oldUse is how the command line of a component of KFP 1 uses an input.
type oldUse struct{ value, path bool }

// use notes the uses of inputs in a container.
func (o *oldReader) use(n *node) {
	if n == nil {
		return
	}
	for i, e := range n.items {
		if n.kind == object {
			switch key := n.keys[i].text; {
			case e.kind != text:
			case key == "inputValue":
				o.useOf(e.text).value = true
			case key == "inputPath", key == "inputUri":
				o.useOf(e.text).path = true
			}
		}
		o.use(e)
	}
}

func (o *oldReader) useOf(input string) *oldUse {
	if o.uses[input] == nil {
		o.uses[input] = &oldUse{}
	}
	return o.uses[input]
}

// typeByUse returns the type of an input: what its use says, and then the file.
func (o *oldReader) typeByUse(n *node, p oldPort) oldType {
	typ, use, d := typeOf(p.Type), o.useOf(p.Name), n.get("default")
	switch {
	case use.value && use.path:
		o.errorf(n, "input %q is used as a value and as a file; KFP 2 has either", p.Name)
	case use.path && typ.param != "" && typ.param != kfptype.FinalStatus:
		return oldType{artifact: "system.Artifact"}
	case typ.param == "" && (use.value || !use.path && d != nil):
		return oldType{param: kfptype.String, word: "string"}
	case typ.param != "" && typ.param != kfptype.String && d != nil && d.kind == text && !o.fits(d, typ):
		return oldType{param: kfptype.String, word: "string"} // KFP 1's values are all strings
	}
	return typ
}

// fits reports whether a default is of a type.
func (o *oldReader) fits(d *node, t oldType) bool {
	v := (&oldReader{file: &file{log: &log{}}}).value(d, t)
	switch {
	case v == nil:
		return false
	case t.param == kfptype.List:
		return json.Unmarshal(v, &[]json.RawMessage{}) == nil
	case t.param == kfptype.Struct:
		return json.Unmarshal(v, &map[string]json.RawMessage{}) == nil
	}
	return true
}

// fileOutputs reads the paths at which an image writes outputs.
func (o *oldReader) fileOutputs(n *node) {
	if n == nil || !o.byUse || !o.want(n, object) {
		return
	}
	o.paths = map[string]string{}
	for i, key := range n.keys {
		at := n.items[i]
		switch _, ok := o.out[key.text]; {
		case !ok:
			o.errorf(key, "the component has no output %q%s", key.text, didYouMean(key.text, o.out))
		case at.kind != text || !path.IsAbs(at.text):
			o.errorf(at, "not an absolute path of a file")
		default:
			o.paths[OldName(key.text)] = at.text
		}
	}
}

// finish sets fields of the component that IR doesn't have.
func (f *file) finish(p *program.Program) {
	for _, c := range p.Components {
		if c.Exec == nil {
			continue
		}
		if f.byUse {
			c.Doc = f.doc
		}
		for i := range c.Outputs {
			c.Outputs[i].Path = f.paths[c.Outputs[i].Name]
		}
	}
}
