package jsontext_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

func TestMarshal(t *testing.T) {
	for _, tt := range []struct {
		v    any
		want string
	}{
		{"<a&b>\n", `"<a&b>\n"`}, {map[string]any{"k<": []int{1}}, `{"k<":[1]}`}, {nil, "null"}, {"\xff", `"\ufffd"`},
	} {
		if got, err := jsontext.Marshal(tt.v); string(got) != tt.want || err != nil {
			t.Errorf("got %s, %v, want %s", got, err, tt.want)
		}
	}
	if got, err := jsontext.Marshal(func() {}); err == nil {
		t.Errorf("a function is %s", got)
	}
	if got := string(jsontext.String("a<b")); got != `"a<b"` {
		t.Errorf("got %s", got)
	}
}
