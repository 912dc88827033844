package jsontree

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
)

var texts = []string{
	`{}`, `[]`, `null`, `true`, `false`, `""`, `0`, `-0`, `1.50`, `1e5`, `1E-7`, `-12.5e+3`, ` [ 1 , { "a" : [ ] } ] `,
	`{"a":{"b":[1,"x",null,true,{"c":false}]},"a":2,"é":"ü"}`,
	`"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83d\ude0\ud83dx\ude00\ud83d\u0041"`, "\"\xff\xc3\"", `"\ud800\n"`, `"\uD83D\uDE00"`, `"\u00zz"`, `"\u+123"`,
	"\"a\tb\"", `"a`, `"\`, `"\u12`, `"\x"`, `{`, `[`, `[1`, `[1,`, `[1,]`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,}`, `{a:1}`, `{1:1}`, `[1 2]`, `{"a" 1}`,
	``, ` `, `1 2`, `01`, `-`, `+1`, `.5`, `1.`, `1e`, `1e+`, `nul`, `tru`, `True`, `nullx`, `NaN`, "\ufeff1", "[1}", `{"a":1]`,
	strings.Repeat("[", 9999) + strings.Repeat("]", 9999), strings.Repeat("[", 10001) + strings.Repeat("]", 10001),
}

// compare reads a text both ways.
func compare(t *testing.T, text string) {
	t.Helper()
	n, err := Parse([]byte(text))
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var want any
	wantErr := d.Decode(&want)
	if wantErr == nil {
		if _, more := d.Token(); more != io.EOF {
			wantErr = more
			if wantErr == nil {
				wantErr = io.ErrNoProgress
			}
		}
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%.200q: %v, encoding/json says %v", text, err, wantErr)
	}
	if err == nil && !reflect.DeepEqual(plain(n), want) {
		t.Errorf("%.200q: %#v, want %#v", text, plain(n), want)
	}
	if err == nil && n.Raw != string(bytes.TrimSpace([]byte(text))) {
		t.Errorf("%.200q: raw %.200q", text, n.Raw)
	}
}

// plain returns a node as encoding/json has it.
func plain(n Node) any {
	switch n.Kind {
	case Bool:
		return n.Text == "true"
	case Number:
		return json.Number(n.Text)
	case String:
		return n.Text
	case List:
		list := []any{}
		for _, e := range n.Nodes {
			list = append(list, plain(e))
		}
		return list
	case Object:
		m := map[string]any{}
		for _, e := range n.Nodes {
			m[e.Key] = plain(e)
		}
		return m
	}
	return nil
}

func TestParse(t *testing.T) {
	for _, text := range texts {
		compare(t, text)
	}
	long := `[` + strings.Repeat(`{"a":[1,2,{"b":"c"}],"d":{}},`, 5000) + `0]`
	compare(t, long)
}

func TestMember(t *testing.T) {
	n, err := Parse([]byte(`{"a":1,"b":{"c":"x"},"a":2}`))
	if err != nil || n.Member("a").Text != "2" || n.Member("b").Member("c").Text != "x" || n.Member("z") != nil || n.Member("z").Member("a") != nil || n.Member("a").Member("b") != nil {
		t.Errorf("%+v, %v", n, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { compare(t, text) })
}
