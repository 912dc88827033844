package components_test

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/components"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/testing/want"
)

//go:embed testdata/train.yaml
var trainYAML []byte

//go:embed testdata/hello_ir.yaml
var helloIR []byte

type trainIn struct {
	Data         dsl.Dataset
	Trees        dsl.Param[int]
	LearningRate dsl.Param[float64]
	Columns      dsl.Param[[]string]
	Label        dsl.Param[string]
	Bucket       dsl.Param[string]
}

type trainOut struct {
	Model dsl.Model
	Score dsl.Param[float64]
}

type helloIn struct {
	Who  dsl.Param[string]
	Loud dsl.Param[bool]
}

type helloOut struct{ Greeting dsl.Param[string] }

var (
	train = components.Load[trainIn, trainOut](components.Bytes("train.yaml", trainYAML))
	hello = components.Load[helloIn, helloOut](components.File("testdata/hello_ir.yaml"))
)

type bothIn struct{ Table dsl.Param[string] }

var both = dsl.Pipeline("both", func(s *dsl.Scope, in bothIn) helloOut {
	data := dsl.Import[dsl.Dataset](s, in.Table)
	t := train.Call(s, trainIn{Data: data, Bucket: dsl.Const("b"), Columns: dsl.Const([]string{"x"})})
	return hello.Call(s, helloIn{Who: dsl.Sprintf("score %v", t.Out.Score)}).Out
})

// TestLoad: components of both forms, called with types, compile to the IR that
// the golden file has.
func TestLoad(t *testing.T) {
	got, err := compiler.Compile(both, compiler.KFP)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/both.yaml", got)
}

type (
	wrongIn struct {
		Data   dsl.Model          // a CSV, which is any artifact
		Trees  dsl.Param[float64] // an integer
		Rate   dsl.Param[float64] `kfp:"learning_rat"`
		Column dsl.Param[[]string]
		Label  dsl.Dataset
		Bucket dsl.Param[string]
	}
	wrongOut struct {
		Model dsl.Dataset
		Score dsl.Param[float64]
	}
)

var (
	wrong  = components.Load[wrongIn, wrongOut](components.Bytes("train.yaml", trainYAML))                                                                      // want "input trees is float64, and in train.yaml NUMBER_INTEGER; write: Trees dsl.Param.int. `kfp:.trees.`" // want "components_test.wrongIn has no field for the input learning_rate of train.yaml .it has learning_rat: a tag kfp:.learning_rate. would name it.; add: LearningRate dsl.Param.float64." // want "has no field for the input columns of train.yaml .it has column: a tag" // want "has the field learning_rat, and train.yaml no such input; it has bucket, columns, label, learning_rate, trees, data" // want "has the field column, and train.yaml no such input" // want "input label is an artifact, system.Dataset, and in train.yaml STRING" // want "output model is an artifact, system.Dataset, and in train.yaml an artifact, system.Model; write: Model dsl.Model" // want "kfpgo gen train.yaml writes the structs"
	empty  = components.Load[dsl.None, dsl.None](components.Bytes("a.yaml", nil))                                                                               // want "a.yaml: it is empty; is there a line //go:embed"
	gone   = components.Load[dsl.None, dsl.None](components.File("testdata/no.yaml"))                                                                           // want "open testdata/no.yaml: no such file.*go:embed"
	odd    = components.Load[dsl.None, dsl.None](components.Bytes("o.yaml", []byte("name: x\nimplementation: {}")))                                             // want "o.yaml:2:.*a component without a container"
	graphs = components.Load[dsl.None, dsl.None](components.Bytes("g.yaml", []byte("name: Whole\nimplementation: {graph: {tasks: {train: {}, prepare: {}}}}"))) // want "g.yaml:2:.*component Whole is a graph of the tasks prepare, train"
	nohash = components.Load[dsl.None, dsl.None](components.URL("https://example.org/c.yaml", "latest"))                                                        // want "the digest .latest. is not of the form sha256:"
	nourl  = components.Load[dsl.None, dsl.None](components.URL("c.yaml", "sha256:"+strings.Repeat("0", 64)))                                                   // want "c.yaml: not an address"
)

// TestMistakes: each is reported at the line of the Load, with what to write.
func TestMistakes(t *testing.T) {
	got := map[int][]string{}
	for _, d := range []dsl.Definition{wrong, empty, gone, odd, graphs, nohash, nourl} {
		var list dsl.ErrorList
		if !errors.As(d.Check(), &list) {
			t.Errorf("%s has no mistakes: %v", d.Name(), d.Check())
		}
		for _, e := range list {
			if filepath.Base(e.File) != "load_test.go" {
				t.Error(e)
			}
			got[e.Line] = append(got[e.Line], e.Msg)
		}
	}
	want.Check(t, "load_test.go", got)
}

// TestURL: what has the digest is taken, and then kept; what hasn't is refused.
func TestURL(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	asked, body := 0, string(helloIR)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Write([]byte(body))
	}))
	defer s.Close()
	h := sha256.Sum256(helloIR)
	digest := "sha256:" + hex.EncodeToString(h[:])
	load := func(digest string) error {
		return components.Load[helloIn, helloOut](components.URL(s.URL+"/c.yaml", digest)).Check()
	}
	for range 2 {
		if err := load(digest); err != nil {
			t.Error(err)
		}
	}
	if asked != 1 {
		t.Errorf("the server was asked %d times, want once", asked)
	}
	other := "sha256:" + strings.Repeat("0", 64)
	if err := load(other); err == nil || !strings.Contains(err.Error(), "the file has the digest "+digest+", and the line has "+other) {
		t.Errorf("another digest: %v", err)
	}
}
