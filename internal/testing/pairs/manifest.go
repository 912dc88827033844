package pairs

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

// unwrap takes IR out of the objects of Kubernetes that hold it, and returns what
// is left of them. IR without objects around it stays as it is.
func unwrap(b []byte) (ir []byte, objects []any, err error) {
	docs, err := irdiff.Read(b)
	if err != nil || docs[0]["kind"] == nil {
		return b, nil, err
	}
	for _, d := range docs {
		spec, _ := d["spec"].(map[string]any)
		for _, key := range []string{"pipelineSpec", "platformSpec"} {
			if spec[key] == nil {
				continue
			}
			doc, err := json.Marshal(spec[key])
			if err != nil {
				return nil, nil, err
			}
			if ir != nil {
				ir = append(ir, "\n---\n"...)
			}
			ir = append(ir, doc...)
			delete(spec, key)
		}
		objects = append(objects, d)
	}
	return ir, objects, nil
}
