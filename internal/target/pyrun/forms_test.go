package pyrun_test

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// TestForms: what users import and how they write types.
func TestForms(t *testing.T) {
	const model = `"artifacts":{"m":{"artifacts":[{"name":"m","type":{"schemaTitle":"google.VertexModel"},"uri":"gs://b/m","metadata":{"resourceName":"r"}}]}}`
	for _, tt := range []struct{ name, source, input, output, error string }{
		{"texts as types", "from __future__ import annotations\nfrom kfp import dsl\nfrom kfp.dsl import *\n\ndef f(m: dsl.Input[dsl.Model], n: float, o: 'Optional[int]' = None) -> str:\n    return '%s %s %s' % (type(m).__name__, n, o)\n",
			model + `,"parameterValues":{"n":3}`, `"Model 3.0 None"`, ""},
		{"unknown types", "from __future__ import annotations\n\ndef f(n: numpy.ndarray) -> pandas.DataFrame:\n    return str(n)\n", `"parameterValues":{"n":3}`, `"3"`, ""},
		{"union", "from kfp import dsl\n\ndef f(m: dsl.Input[dsl.Model] | None = None, d: dsl.Input[dsl.Dataset] | None = None) -> str:\n    return '%s %s' % (m.uri, d)\n", model, `"gs://b/m None"`, ""},
		{"optional", "from typing import Optional\nfrom kfp.dsl import Input, Model\n\ndef f(m: Optional[Input[Model]] = None) -> str:\n    return m.metadata['resourceName']\n", model, `"r"`, ""},
		{"google", "from google_cloud_pipeline_components.types.artifact_types import VertexModel\nfrom kfp.dsl import Input\n\ndef f(m: Input[VertexModel]) -> str:\n    return '%s %s' % (type(m).__name__, m.schema_title)\n", model, `"VertexModel google.VertexModel"`, ""},
		{"custom", "from kfp import dsl\n\nclass Mine(dsl.Artifact):\n    schema_title = 'my.Kind'\n    schema_version = '0.0.1'\n\ndef f(m: dsl.Input[Mine]) -> str:\n    return type(m).__name__\n", model, `"Mine"`, ""},
		{"async", "import asyncio\n\nasync def f() -> str:\n    await asyncio.sleep(0)\n    return 'x'\n", "", `"x"`, ""},
		{"names of the SDK", "def f(m: Input[Model], xs: List[str] = None) -> str:\n    return dsl.Dataset.schema_title + kfp.__version__[0]\n", model, `"system.Dataset2"`, ""},
		{"v1", "from kfp.v2 import dsl\nfrom kfp.v2.dsl import component, Input, Model\n\n@component(base_image='x')\ndef f(m: Input[Model]) -> str:\n    return m.uri\n", model, `"gs://b/m"`, ""},
		{"types module", "from kfp.dsl.types.artifact_types import Model\n\ndef f(m: Model) -> str:\n    return m.uri\n", model, `"gs://b/m"`, ""},
		{"dataclass result", "from collections import namedtuple\n\ndef f():\n    return namedtuple('O', 'out')(out='x')\n", "", `"x"`, ""},
		{"print and exit", "import sys\n\ndef f() -> str:\n    print('on the way')\n    sys.exit(7)\n", "", "", "f: sys.exit(7) before the outputs were written\n"},
		{"in a library", "import json\n\ndef f() -> str:\n    def inner():\n        json.loads('{')\n    inner()\n", "", "", "f: JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1) at line 5 (json.loads('{'))\n"},
		{"when it is loaded", "x = 1\nraise RuntimeError('no')\ndef f(): pass\n", "", "", "f: RuntimeError: no at line 2 (raise RuntimeError('no'))\n"},
		{"not a parameter", "def f() -> dict:\n    return {'a': object()}\n", "", "", "f: output out is dict, want str\n"},
	} {
		c := component("f", "out")
		c.Exec = &program.Executor{Python: &program.Python{Source: tt.source, Function: "f"}}
		output, stderr := run(t, c, `{"inputs":{`+tt.input+`},"outputs":{"outputFile":"DIR/out/output.json"}}`)
		want := ""
		if tt.output != "" {
			want = `{"parameterValues":{"out":` + tt.output + `},"artifacts":{}}`
		}
		if _, msg := lastLine(stderr); output != want || msg != tt.error {
			t.Errorf("%s: got %s, %s; want %s, %s", tt.name, output, stderr, want, tt.error)
		}
	}
}

// lastLine parts a step's message from the traceback in front of it.
func lastLine(stderr string) (traceback, msg string) {
	i := strings.LastIndex(strings.TrimSuffix(stderr, "\n"), "\n") + 1
	return stderr[:i], stderr[i:]
}
