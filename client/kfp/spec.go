package kfp

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"path"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/text/jsontext"
	yamltext "github.com/kfpgo/kfpgo/internal/text/yaml"
)

// maxSpec is the most that the server takes.
const maxSpec = 32 << 20

// Unpack returns the YAML of a pipeline out of what pipelines are kept in: YAML, or
// a zip or tar.gz archive with one YAML file in it.
func Unpack(file []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(file, []byte("PK\x03\x04")):
		z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return nil, fmt.Errorf("the zip archive: %w", err)
		}
		var names []string
		var found *zip.File
		for _, f := range z.File {
			if isYAML(f.Name) {
				names, found = append(names, f.Name), f
			}
		}
		if err := one(names); err != nil {
			return nil, err
		}
		r, err := found.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return limited(r)
	case bytes.HasPrefix(file, []byte{0x1f, 0x8b}):
		g, err := gzip.NewReader(bytes.NewReader(file))
		if err != nil {
			return nil, fmt.Errorf("the tar.gz archive: %w", err)
		}
		var names []string
		var content []byte
		t := tar.NewReader(g)
		for {
			h, err := t.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("the tar.gz archive: %w", err)
			}
			if h.Typeflag == tar.TypeReg && isYAML(h.Name) {
				names = append(names, h.Name)
				if content, err = limited(t); err != nil {
					return nil, err
				}
			}
		}
		return content, one(names)
	}
	return limited(bytes.NewReader(file))
}

func isYAML(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return (ext == ".yaml" || ext == ".yml") && !strings.HasPrefix(path.Base(name), "._")
}

func one(names []string) error {
	switch {
	case len(names) == 0:
		return errors.New("the archive holds no YAML file")
	case len(names) > 1:
		return fmt.Errorf("the archive holds %d YAML files (%s); a pipeline is one", len(names), strings.Join(names, ", "))
	}
	return nil
}

func limited(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxSpec+1))
	if err == nil && len(b) > maxSpec {
		err = fmt.Errorf("the pipeline has more than %d MB, which is the most that KFP takes", maxSpec>>20)
	}
	return b, err
}

// object returns a compiled pipeline as the API has it: its one document, or both
// under their names.
func object(spec []byte) (any, error) {
	d := yaml.NewDecoder(bytes.NewReader(spec))
	var docs []any
	for {
		var n yaml.Node
		err := d.Decode(&n)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("the pipeline: %w", err)
		}
		b, err := yamltext.JSON(&n)
		var v any
		if err == nil {
			err = jsontext.Decode(b, &v)
		}
		if err != nil {
			return nil, fmt.Errorf("the pipeline: %w", err)
		}
		if v != nil {
			docs = append(docs, v)
		}
	}
	switch len(docs) {
	case 1:
		return docs[0], nil
	case 2:
		if m, ok := docs[0].(map[string]any); ok && m["platforms"] != nil {
			docs[0], docs[1] = docs[1], docs[0]
		}
		return map[string]any{"pipeline_spec": docs[0], "platform_spec": docs[1]}, nil
	}
	return nil, fmt.Errorf("the pipeline has %d documents; KFP's have one, or two with the settings for Kubernetes", len(docs))
}

// equal reports whether two documents of the API are the same: numbers by value,
// and what is empty as if it wasn't there, since the server drops that.
func equal(a, b any) bool {
	x, err1 := json.Marshal(plainest(a))
	y, err2 := json.Marshal(plainest(b))
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

func plainest(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[k] = plainest(e)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, e := range v {
			l[i] = plainest(e)
		}
		return l
	case json.Number:
		return number(v.String())
	case float64:
		return number(fmt.Sprint(v))
	case int:
		return number(fmt.Sprint(v))
	}
	return v
}

func number(s string) any {
	f, ok := new(big.Float).SetPrec(53).SetString(s)
	if !ok {
		return s
	}
	return "#" + f.Text('g', 17)
}

// YAMLOf returns a compiled pipeline that the server keeps as YAML: its one document,
// or both.
func YAMLOf(spec any) ([]byte, error) {
	docs := []any{spec}
	if m, ok := spec.(map[string]any); ok && m["pipeline_spec"] != nil {
		docs = []any{m["pipeline_spec"], m["platform_spec"]}
	}
	var out bytes.Buffer
	for i, d := range docs {
		if d == nil {
			continue
		}
		if i > 0 {
			out.WriteString("---\n")
		}
		b, err := json.Marshal(d) // which is YAML as well
		if err != nil {
			return nil, err
		}
		out.Write(append(b, '\n'))
	}
	return out.Bytes(), nil
}
