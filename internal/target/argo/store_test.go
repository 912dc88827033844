package argo_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	argodsl "github.com/kfpgo/kfpgo/dsl/argo"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type storedIn struct{ File dsl.Dataset }

var readStored = dsl.Container("read-stored", func(in storedIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"cat", in.File.Path()}}
})

// TestStores: the place of an import is what its URI and its store say.
func TestStores(t *testing.T) {
	secret := argodsl.SecretKey{Name: "s", Key: "k"}
	for _, tt := range []struct {
		uri   string
		store argodsl.Store
		want  string // the place, or what is wrong
	}{
		{"s3://b/a/k", argodsl.S3{Endpoint: "minio:9000", AccessKey: secret}, `{"s3":{"endpoint":"minio:9000","bucket":"b","accessKeySecret":{"name":"s","key":"k"},"key":"a/k"}}`},
		{"gs://b/k?x", argodsl.GCS{ServiceAccountKey: secret}, `{"gcs":{"bucket":"b","serviceAccountKeySecret":{"name":"s","key":"k"},"key":"k?x"}}`},
		{"azure://c/b", argodsl.Azure{Endpoint: "https://e", UseSDKCreds: true}, `{"azure":{"endpoint":"https://e","container":"c","useSDKCreds":true,"blob":"b"}}`},
		{"oss://b/k", argodsl.OSS{Endpoint: "e"}, `{"oss":{"endpoint":"e","bucket":"b","key":"k"}}`},
		{"https://h/r#v1", argodsl.Git{Password: secret, Depth: 1}, `{"git":{"repo":"https://h/r","revision":"v1","depth":1,"passwordSecret":{"name":"s","key":"k"}}}`},
		{"https://h/f", argodsl.HTTP{Headers: []argodsl.Header{{Name: "A", Value: "b"}}}, `{"http":{"url":"https://h/f","headers":[{"name":"A","value":"b"}]}}`},
		{argodsl.Raw("a b\n"), nil, `{"raw":{"data":"a b\n"}}`},
		{"s3://b", argodsl.S3{}, "write it as s3://BUCKET/KEY"},
		{"s3://b/{{x}}", argodsl.S3{}, "{{"},
		{argodsl.Raw("{{x}}"), nil, "{{"},
		{"s3://b/k", argodsl.S3{Region: "{{x}}"}, "{{"},
	} {
		d := dsl.Pipeline("p", func(s *dsl.Scope, _ dsl.None) dsl.None {
			var from []dsl.ImportOption
			if tt.store != nil {
				from = append(from, argodsl.From(tt.store))
			}
			readStored.Call(s, storedIn{dsl.Import[dsl.Dataset](s, tt.uri, from...)})
			return dsl.None{}
		})
		got := ""
		if w, _, err := argo.Workflow(lowered.Program(t, d), options); err != nil {
			got = err.Error()
		} else {
			for _, template := range w.Spec.Templates {
				if a := template.Inputs.GetArtifactByName("kfpgo-place"); a != nil {
					j, _ := json.Marshal(a.ArtifactLocation)
					got += string(j)
				}
			}
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s\nwant %s", tt.uri, got, tt.want)
		}
	}
}
