package hostile_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/review/picture"
	"github.com/kfpgo/kfpgo/internal/review/vet"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/hostile"
)

// outputs are the forms in which a program is written, each with its judge, which
// knows the same output of a program without hostile texts. Go has its own test, in
// package raise.
var outputs = []struct {
	name  string
	slow  bool // it is laid out
	write func(*program.Program) ([]byte, error)
	judge func(plain, got []byte) error
}{
	{"SVG", true, func(p *program.Program) ([]byte, error) { return picture.SVG(p, nil, picture.Right) }, sameXML},
	{"HTML", true, func(p *program.Program) ([]byte, error) { return picture.HTML(p, picture.Right) }, sameHTML},
	{"DOT", false, func(p *program.Program) ([]byte, error) { return picture.DOT(p, picture.Right) }, quoted(`"(?:[^"\\]|\\.)*"`)},
	{"Mermaid", false, func(p *program.Program) ([]byte, error) { return picture.Mermaid(p, picture.Right) }, quoted(`"[^"\n<>]*(?:<br/>[^"\n<>]*)?"`)},
	{"KFP YAML", false, func(p *program.Program) ([]byte, error) { return kfp.Write(p, kfp.Options{Image: "x"}) }, sameYAML},
	{"Argo YAML", false, func(p *program.Program) ([]byte, error) {
		return argo.Write(p, argo.Options{Image: "x", ArtifactRoot: "s3://x"})
	}, sameYAML},
	{"SARIF", false, func(p *program.Program) ([]byte, error) {
		var b bytes.Buffer
		found := vet.Program(p, vet.Options{})
		for i := range found[:len(found)/2] {
			found[i].Pos.File = "javascript:PWNED a\n?#[x](PWNED)%.yaml"
		}
		err := vet.WriteSARIF(&b, found, "f.yaml", "1")
		return b.Bytes(), err
	}, sarif},
	{"GitHub", false, func(p *program.Program) ([]byte, error) {
		var b bytes.Buffer
		err := vet.WriteGitHub(&b, vet.Program(p, vet.Options{}), "a\n::error::PWNED")
		return b.Bytes(), err
	}, commands},
}

// TestOutputs: texts of a program are data in all that is written of it.
func TestOutputs(t *testing.T) {
	data, err := os.ReadFile("../../target/kfp/testdata/described.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := hostile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	p, err := kfpread.Read("f.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	plain := make([][]byte, len(outputs))
	for i, o := range outputs {
		if plain[i], err = o.write(p); err != nil {
			t.Fatalf("%s: %v", o.name, err)
		}
	}
	shown := map[string]bool{"*.components.*": true, "*.root.dag.tasks.*": true, "*.pipelineInfo.description": true, "*.pipelineInfo.name": true, "*.deploymentSpec.executors.*.container.image": true, "*.root.dag.tasks.*.taskInfo.name": true}
	written, seen := map[string]int{}, map[string]bool{}
	for _, f := range doc.Fields {
		if seen[f.Path] || !shown[f.Path] {
			continue
		}
		seen[f.Path] = true
		for j, text := range hostile.Texts {
			p, err := kfpread.Read("f.yaml", doc.Replace(f, text, true))
			if err != nil {
				continue
			}
			for i, o := range outputs {
				if o.slow && j%4 != 0 && !strings.Contains(text, "<") && !strings.Contains(text, "on") {
					continue
				}
				got, err := o.write(p)
				if err != nil {
					continue // refused
				}
				written[o.name]++
				if err := o.judge(plain[i], got); err != nil {
					t.Errorf("%s with %s = %q: %v", o.name, f.Path, text, err)
				}
			}
		}
	}
	for _, o := range outputs {
		t.Logf("%s: %d written", o.name, written[o.name])
		if written[o.name] < 8 {
			t.Errorf("%s: only %d written", o.name, written[o.name])
		}
	}
}

// sameXML compares which elements and attributes there are.
func sameXML(plain, got []byte) error {
	kinds := func(b []byte) (map[string]bool, error) {
		all := map[string]bool{}
		d := xml.NewDecoder(bytes.NewReader(b))
		for {
			tok, err := d.Token()
			if errors.Is(err, io.EOF) {
				return all, nil
			}
			if err != nil {
				return nil, err
			}
			switch tok := tok.(type) {
			case xml.StartElement:
				for _, a := range tok.Attr {
					all[tok.Name.Local+" "+a.Name.Local] = true
				}
				all[tok.Name.Local] = true
			case xml.Comment, xml.ProcInst, xml.Directive:
				all[fmt.Sprintf("%T", tok)] = true
			}
		}
	}
	return within(kinds, plain, got)
}

// sameHTML compares which elements and attributes there are.
func sameHTML(plain, got []byte) error {
	kinds := func(b []byte) (map[string]bool, error) {
		all := map[string]bool{}
		z := html.NewTokenizer(bytes.NewReader(b))
		for {
			switch z.Next() {
			case html.ErrorToken:
				if errors.Is(z.Err(), io.EOF) {
					return all, nil
				}
				return nil, z.Err()
			case html.StartTagToken, html.SelfClosingTagToken:
				tok := z.Token()
				all[tok.Data] = true
				for _, a := range tok.Attr {
					all[tok.Data+" "+a.Key] = true
				}
			case html.CommentToken:
				all["comment"] = true
			}
		}
	}
	return within(kinds, plain, got)
}

// within reports what the second text has and the first not.
func within(kinds func([]byte) (map[string]bool, error), plain, got []byte) error {
	allowed, err := kinds(plain)
	if err != nil {
		return err
	}
	all, err := kinds(got)
	if err != nil {
		return fmt.Errorf("%w:\n%s", err, got)
	}
	for k := range all {
		// what else pictures have: a task that has a name and a title, boxes of other shapes
		if name, _, _ := strings.Cut(k, " "); !allowed[k] && !strings.Contains(" title text tspan g path rect circle a polygon ", " "+name+" ") {
			return fmt.Errorf("it has %s", k)
		}
		if strings.Contains(k, " on") || strings.HasPrefix(k, "script") && !allowed[k] {
			return fmt.Errorf("it has %s", k)
		}
	}
	return nil
}

// quoted returns a judge of languages in which texts are in quotes.
func quoted(literal string) func(plain, got []byte) error {
	re := regexp.MustCompile(literal)
	return func(_, got []byte) error {
		rest := re.ReplaceAllString(string(got), "")
		if strings.Contains(rest, hostile.Mark) || strings.ContainsAny(rest, "\r\x00\x1b\u2028") {
			return fmt.Errorf("outside of quotes:\n%s", rest)
		}
		if strings.ContainsAny(string(got), "\r\x00\x1b\x07\u2028\u202e\u2066") {
			return fmt.Errorf("characters that don't show:\n%q", got)
		}
		return nil
	}
}

// sameYAML compares the documents without comments, and looks at the comments.
func sameYAML(plain, got []byte) error {
	count := func(b []byte) (n int, err error) {
		d := yaml.NewDecoder(bytes.NewReader(b))
		for {
			var v map[string]any
			if err := d.Decode(&v); errors.Is(err, io.EOF) {
				return n, nil
			} else if err != nil {
				return n, err
			}
			for k := range v {
				if strings.Contains(k, hostile.Mark) {
					return n, fmt.Errorf("it has the key %q", k)
				}
			}
			n++
		}
	}
	was, err := count(plain)
	if err != nil {
		return err
	}
	n, err := count(got)
	if err != nil {
		return err
	}
	if n != was {
		return fmt.Errorf("%d documents, and not %d", n, was)
	}
	if strings.ContainsAny(string(got), "\r\x00\x1b\x07\u2028\u0085\u202e\u2066\u200b\u3164") {
		return fmt.Errorf("characters that don't show:\n%q", got)
	}
	return nil
}

// sarif looks at each result: its members are ours, its place is a path, and its message
// has no link, which SARIF writes as Markdown does.
func sarif(_, got []byte) error {
	var doc struct {
		Runs []struct {
			Results []struct {
				RuleID    string `json:"ruleId"`
				RuleIndex int    `json:"ruleIndex"`
				Level     string `json:"level"`
				Message   struct {
					Text string `json:"text"`
				} `json:"message"`
				Locations []struct {
					Place struct {
						Artifact struct {
							URI string `json:"uri"`
						} `json:"artifactLocation"`
						Region struct {
							Line int `json:"startLine"`
						} `json:"region"`
					} `json:"physicalLocation"`
				} `json:"locations"`
			} `json:"results"`
			Tool any `json:"tool"`
		} `json:"runs"`
		Schema  string `json:"$schema"`
		Version string `json:"version"`
	}
	d := json.NewDecoder(bytes.NewReader(got))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		return fmt.Errorf("%w:\n%s", err, got)
	}
	for _, r := range doc.Runs[0].Results {
		for _, l := range r.Locations {
			u, err := url.Parse(l.Place.Artifact.URI)
			if err != nil || u.IsAbs() || u.Host != "" || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(l.Place.Artifact.URI, " \n") {
				return fmt.Errorf("the place %q, %v", l.Place.Artifact.URI, err)
			}
		}
		if strings.Contains(r.Message.Text, "](") {
			return fmt.Errorf("the message %q has a link", r.Message.Text)
		}
	}
	if strings.ContainsAny(string(got), "\r\x00\x1b\x07\u2028\u0085\u202e\u2066\u200b\u3164") {
		return fmt.Errorf("characters that don't show:\n%q", got)
	}
	return nil
}

// commands looks at workflow commands: each line is one of ours.
func commands(_, got []byte) error {
	for line := range strings.Lines(string(got)) {
		if !regexp.MustCompile(`^::(error|warning|notice) file=[^:,\n]*(,line=[0-9]+)?,title=kfpgo vet%3A [a-z-]+::[^\r\n]*\n$`).MatchString(line) {
			return fmt.Errorf("the line %q", line)
		}
	}
	return nil
}
