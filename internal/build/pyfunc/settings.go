package pyfunc

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kfpgo/kfpgo/internal/text/near"
	"github.com/kfpgo/kfpgo/internal/text/pysrc"
)

// defaultImage is that of a function that names none, as in KFP's SDK 2.17.
const defaultImage = "python:3.11"

// settings are what @dsl.component says of a step.
type settings struct {
	image                      string
	packages, indexURLs, hosts []string
	venv                       bool
}

// settingOf sets one of them, by its name in KFP's SDK. Nil: the runtime of kfpgo,
// which is sent with all of the file, doesn't need it.
var settingOf = map[string]func(*File, *settings, *pysrc.Expr) error{
	"base_image":            func(f *File, s *settings, e *pysrc.Expr) error { return f.text(&s.image, e) },
	"packages_to_install":   func(f *File, s *settings, e *pysrc.Expr) error { return f.texts(&s.packages, e) },
	"pip_index_urls":        func(f *File, s *settings, e *pysrc.Expr) error { return f.texts(&s.indexURLs, e) },
	"pip_trusted_hosts":     func(f *File, s *settings, e *pysrc.Expr) error { return f.texts(&s.hosts, e) },
	"use_venv":              func(f *File, s *settings, e *pysrc.Expr) error { return f.truth(&s.venv, e) },
	"install_kfp_package":   nil,
	"kfp_package_path":      nil,
	"additional_funcs":      nil,
	"output_component_file": nil,
}

// elsewhere are settings that a generated step can't have.
var elsewhere = map[string]string{
	"target_image":             "write a dsl.Container in Go whose image has the function",
	"embedded_artifact_path":   "write the dsl.Python in Go, with Files",
	"task_config_passthroughs": "write the dsl.Python in Go, with Passthroughs",
}

// readSettings reads the decorator of a step.
func (f *File) readSettings(s *step) {
	s.settings.image = defaultImage
	d := f.component(s.fn)
	if d == nil || d.Kind != pysrc.Call {
		return
	}
	for i, e := range d.Items {
		if d.Keys[i] == nil {
			f.errorf(e.Line, "function %s: @dsl.component has an argument without a name: %s", s.fn.Name, e.Text)
			continue
		}
		key := d.Keys[i].Text
		set, known := settingOf[key]
		if advice := elsewhere[key]; advice != "" {
			if !f.isNone(e) {
				f.errorf(e.Line, "function %s: %s of @dsl.component isn't generated; %s", s.fn.Name, key, advice)
			}
			continue
		}
		if !known {
			f.errorf(e.Line, "function %s: @dsl.component has no argument %s%s", s.fn.Name, key, near.Hint(key, slices.Sorted(maps.Keys(settingOf))))
			continue
		}
		if set == nil || f.isNone(e) {
			continue
		}
		if err := set(f, &s.settings, f.constant(e)); err != nil {
			f.errorf(e.Line, "function %s: %s of @dsl.component %v", s.fn.Name, key, err)
		}
	}
}

// constant returns what a name of the module stands for.
func (f *File) constant(e *pysrc.Expr) *pysrc.Expr {
	for range f.module.Values { // which may name each other in a circle
		v := f.module.Values[e.Text]
		if e.Kind != pysrc.Name || v == nil {
			break
		}
		e = v
	}
	return e
}

func (f *File) isNone(e *pysrc.Expr) bool {
	e = f.constant(e)
	return e.Kind == pysrc.Name && e.Text == "None"
}

func (f *File) text(to *string, e *pysrc.Expr) error {
	if e.Kind != pysrc.Str {
		return fmt.Errorf("must be a string, or a name that the file gives to one: %s", e.Text)
	}
	*to = e.Text
	return nil
}

func (f *File) texts(to *[]string, e *pysrc.Expr) error {
	if e.Kind != pysrc.List && e.Kind != pysrc.Tuple {
		return fmt.Errorf("must be a list of strings: %s", e.Text)
	}
	for _, item := range e.Items {
		var text string
		if err := f.text(&text, f.constant(item)); err != nil {
			return err
		}
		*to = append(*to, text)
	}
	return nil
}

func (f *File) truth(to *bool, e *pysrc.Expr) error {
	if e.Kind != pysrc.Name || e.Text != "True" && e.Text != "False" {
		return fmt.Errorf("must be True or False: %s", e.Text)
	}
	*to = e.Text == "True"
	return nil
}
