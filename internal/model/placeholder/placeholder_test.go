package placeholder

import (
	"errors"
	"reflect"
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	text := func(s string) Part { return Part{Text: s} }
	for _, c := range []struct {
		in   string
		want []Part
	}{
		{"", nil},
		{"a", []Part{text("a")}},
		{"{{$}}", []Part{{Kind: Executor}}},
		{"{{$.outputs.output_file}}", []Part{{Kind: OutputFile}}},
		{"x {{$.inputs.parameters['a']}} y", []Part{text("x "), {Kind: InputParam, Name: "a"}, text(" y")}},
		{`{{$.inputs.parameters["it's"]}}`, []Part{{Kind: InputParam, Name: "it's"}}},
		{"{{$.inputs.artifacts['d'].path}}/x", []Part{{Kind: InputArtifact, Name: "d", Field: "path"}, text("/x")}},
		{"{{$.inputs.artifacts['d']}}", []Part{{Kind: InputArtifact, Name: "d"}}},
		{"{{$.outputs.artifacts['m'].uri}}{{$.outputs.artifacts['m'].metadata['k']}}", []Part{
			{Kind: OutputArtifact, Name: "m", Field: "uri"}, {Kind: OutputArtifact, Name: "m", Field: "metadata", Key: "k"}}},
		{"{{$.outputs.parameters['o'].output_file}}", []Part{{Kind: OutputParam, Name: "o", Field: "output_file"}}},
		{"{{$.pipeline_job_uuid}}", []Part{{Kind: Run, Name: "pipeline_job_uuid"}}},
		{"{{$.workspace_path}}", []Part{{Kind: Run, Name: "workspace_path"}}},
		{"{{$.inputs.parameters['pipelinechannel--a-Output']}}", []Part{{Kind: InputParam, Name: "pipelinechannel--a-Output"}}},
		// Not placeholders.
		{"{{$.nothing}}", []Part{text("{{$.nothing}}")}},
		{"{{$ {{$}}", []Part{text("{{$ "), {Kind: Executor}}},
		{"{{inputs.parameters.a}}", []Part{text("{{inputs.parameters.a}}")}},
		{"{{$.inputs.parameters['a'].output_file}}b", []Part{text("{{$.inputs.parameters['a'].output_file}}b")}},
		{"{{$.inputs.artifacts['a'].path['k']}}", []Part{text("{{$.inputs.artifacts['a'].path['k']}}")}},
		{"{{$.inputs.parameters['']}}", []Part{text("{{$.inputs.parameters['']}}")}},
	} {
		got := Parse(c.in)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("Parse(%q) = %#v, want %#v", c.in, got, c.want)
		}
		if s := Join(got); s != c.in {
			t.Errorf("Join(Parse(%q)) = %q", c.in, s)
		}
	}
}

func TestElement(t *testing.T) {
	value := func(p Part) (string, error) {
		if p.Name == "bad" {
			return "", errors.New("no value")
		}
		return "<" + p.Name + ">", nil
	}
	given := func(in string) bool { return in == "a" }
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"--x={{$.inputs.parameters['a']}}", []string{"--x=<a>"}},
		{`{"IfPresent": {"InputName": "a", "Then": ["--a", "{{$.inputs.parameters['a']}}"]}}`, []string{"--a", "<a>"}},
		{`{"IfPresent": {"InputName": "b", "Then": ["--b"]}}`, nil},
		{`{"IfPresent": {"InputName": "b", "Then": "x", "Else": "none"}}`, []string{"none"}},
		{`{"Concat": ["p-", "{{$.inputs.parameters['a']}}", {"IfPresent": {"InputName": "b", "Then": "x", "Else": "y"}}]}`, []string{"p-<a>y"}},
		{`{"Concat": []}`, []string{""}},
		{`{"IfPresent": {"InputName": "a", "Then": {"Concat": ["1", "2"]}}}`, []string{"12"}},
		// JSON of another kind is text.
		{`{"a": 1}`, []string{`{"a": 1}`}},
		{`{"Concat": [1]}`, []string{`{"Concat": [1]}`}},
		{`{"IfPresent": {}}`, []string{`{"IfPresent": {}}`}},
		{`{"Concat": ["a"]} x`, []string{`{"Concat": ["a"]} x`}},
	} {
		got, err := ParseElement(c.in).Expand(value, given)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", c.in, got, err, c.want)
		}
	}
	for _, bad := range []string{"{{$.inputs.parameters['bad']}}", `{"Concat": ["{{$.inputs.parameters['bad']}}"]}`} {
		if _, err := ParseElement(bad).Expand(value, given); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	n := 0
	ParseElement(`{"IfPresent": {"InputName": "b", "Then": "{{$}}", "Else": {"Concat": ["{{$}}", "x"]}}}`).All(func(Part) { n++ })
	if n != 2 {
		t.Errorf("All saw %d placeholders, want 2", n)
	}
	if s, err := Expand("a{{$.inputs.parameters['a']}}", value); s != "a<a>" || err != nil {
		t.Errorf("Expand: %q, %v", s, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("{{$.inputs.parameters['a']}}{{$}}")
	f.Add(`{"Concat": ["a"]}`)
	f.Fuzz(func(t *testing.T, s string) {
		if got := Join(Parse(s)); got != s && Join(Parse(got)) != got {
			t.Errorf("%q becomes %q", s, got)
		}
		ParseElement(s).All(func(Part) {})
	})
}
