package dsl

import (
	"bytes"
	"encoding/json"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/cron"
	"os"
	"strings"
	"testing"
)

// FuzzExecutorInput gives a step anything. It answers with an error or a result,
// and writes only below the folder that the seeds name.
func FuzzExecutorInput(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `{"inputs":null,"outputs":{"artifacts":{"model":null}}}`,
		`{"inputs":{"parameterValues":{"a":1,"note":"x","at":"2030-01-02T03:04:05Z"},"artifacts":{"data":{"artifacts":[{"uri":"s3://b/d","metadata":{"n":1}}]}}}}`,
		`{"inputs":{"parameterValues":{"a":1e3}},"outputs":{"artifacts":{"model":{"artifacts":[{"uri":"x","customPath":"y"}]}}},"kfpgo":{"v":1,"outputs":"local"}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if bytes.Contains(b, []byte("/")) || bytes.Contains(b, []byte("Path")) || bytes.Contains(b, []byte("File")) || bytes.Contains(b, []byte("\\u")) {
			t.Skip("it could name a file")
		}
		if out, err := exec.c.Run(t.Context(), b); err == nil && !json.Valid(out) {
			t.Errorf("%s", out)
		}
	})
}

// FuzzFinalStatus reads any status. The result is JSON where what it reads is.
func FuzzFinalStatus(f *testing.F) {
	f.Add([]byte(`{"state":"Failed","failures":"\"[{}]\""}`))
	f.Add([]byte(`{"state":"FAILED","error":{"code":1,"message":"x"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if out := finalStatus(b); json.Valid(b) && !json.Valid(out) {
			t.Errorf("%s: %s", b, out)
		}
	})
}

// FuzzCarrier: a carrier is equal to its value, and holds nothing that Argo or
// the kubelet would replace.
func FuzzCarrier(f *testing.F) {
	f.Add([]byte(`"{{x}} $(Y)"`))
	f.Add([]byte(`{"{{":["$","{{{"]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var want, got any
		if json.Unmarshal(b, &want) != nil {
			t.Skip()
		}
		c := contract.Carrier(b)
		if err := json.Unmarshal(c, &got); err != nil || strings.Contains(string(c), "{{") || strings.Contains(string(c), "$") {
			t.Fatalf("%s: %s, %v", b, c, err)
		}
		x, _ := json.Marshal(want)
		y, _ := json.Marshal(got)
		if !bytes.Equal(x, y) {
			t.Errorf("%s became %s", x, y)
		}
	})
}

// FuzzPython reads the parameters of any text.
func FuzzPython(f *testing.F) {
	seed, err := os.ReadFile("testdata/mnist/evaluate.py")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(seed))
	f.Add("def f(a: 'x, )', *, b=\"\"\"(\"\"\", c: List[int] = [1, 2], **kw): # d\n  pass")
	f.Fuzz(func(t *testing.T, s string) { pythonParams(s, "f") })
}

func FuzzCron(f *testing.F) {
	f.Add("0 3 * * MON-FRI", false)
	f.Add("*/5 1,2-3/2 ? JAN 7 1", true)
	f.Fuzz(func(t *testing.T, s string, seconds bool) { cron.Parse(s, seconds) })
}

// TestPythonParams has signatures as people write them.
func TestPythonParams(t *testing.T) {
	for src, want := range map[string]string{
		"def f(): pass":                          "",
		"def f(a, b=1): pass":                    "a b=",
		"async def f ( a : int , ) -> int: pass": "a",
		"def f(\n    a: Dict[str, List[int]],  # the (first\n    b: str = ',)',\n): pass": "a b=",
		"def f(a, /, *, b): pass":                 "a b",
		"def f(*args, **kw): pass":                "**",
		"def g(x): pass\ndef f[T](a: T): pass":    "a",
		"def f(a: Annotated[int, Field(x=1)]):":   "a",
		"def f(a: \"it's\\\"\" = '''),'''): pass": "a=",
		"x = 1\nclass C:\n  def f(self): pass":    "none",
		"def ff(a): pass":                         "none",
	} {
		params, ok := pythonParams(src, "f")
		var got []string
		for _, p := range params {
			name := p.name
			if p.hasDefault {
				name += "="
			}
			if p.rest {
				name = "**"
			}
			got = append(got, name)
		}
		if !ok {
			got = []string{"none"}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, want %s", src, got, want)
		}
	}
}
