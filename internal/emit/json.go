package emit

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"gopkg.in/yaml.v3"

	yamltext "github.com/kfpgo/kfpgo/internal/text/yaml"
)

// JSON returns what Emit has written as JSON. A file of JSON holds one document.
func JSON(written []byte) ([]byte, error) {
	d := yaml.NewDecoder(bytes.NewReader(written))
	var doc yaml.Node
	if err := d.Decode(&doc); err != nil {
		return nil, err
	}
	if err := d.Decode(new(yaml.Node)); err != io.EOF {
		return nil, errors.New("the pipeline takes more than one document, such as for settings that only Kubernetes knows, and a file of JSON holds one; write YAML")
	}
	b, err := yamltext.JSON(&doc)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "  "); err != nil {
		return nil, err
	}
	return append(out.Bytes(), '\n'), nil
}
