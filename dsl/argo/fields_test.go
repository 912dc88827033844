package argo

import (
	"reflect"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// TestStoreFields: what is imported of a store is what the types here have.
func TestStoreFields(t *testing.T) {
	for _, s := range []Store{S3{}, GCS{}, OSS{}, Azure{}, Git{}, HTTP{}} {
		typ, want := reflect.TypeOf(s), map[string]string{}
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			want[name] = typ.Field(i).Name
		}
		if got := program.StoreFields[s.store()]; !reflect.DeepEqual(got, want) || program.StoreTypes[s.store()] != typ.Name() {
			t.Errorf("%s: program has %v of %s, and the type %v", s.store(), got, program.StoreTypes[s.store()], want)
		}
	}
}
