package depcheck

import (
	"strings"
	"testing"
)

var graph = Graph{
	"m/a":      {Imports: []string{"m/b", "fmt"}, TestImports: []string{"m/test"}},
	"m/b":      {Imports: []string{"k8s.io/api/core"}},
	"m/c/d":    {Imports: []string{"fmt"}},
	"m/test":   {},
	"fmt":      {Standard: true},
	"k8s.io/x": {},
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name string
		rule Rule
		want string // "" for none
	}{
		{"direct import only", Rule{Packages: []string{"m/a"}, Forbidden: []string{"k8s.io/..."}}, ""},
		{"through another", Rule{Packages: []string{"m/a"}, Forbidden: []string{"k8s.io/..."}, Deep: true, Reason: "heavy"},
			"m/a imports m/b imports k8s.io/api/core: heavy"},
		{"pattern and exception", Rule{Packages: []string{"m/..."}, Except: []string{"m/b"}, Forbidden: []string{"k8s.io/..."}}, ""},
		{"pattern names the folder itself too", Rule{Packages: []string{"m/b/..."}, Forbidden: []string{"k8s.io/..."}, Reason: "r"},
			"m/b imports k8s.io/api/core: r"},
		{"only", Rule{Packages: []string{"m/a"}, Only: []string{"m/other"}, Reason: "small"}, "m/a imports m/b: small"},
		{"only, standard library is free", Rule{Packages: []string{"m/c/..."}, Only: []string{"m/other"}}, ""},
		{"tests are left out", Rule{Packages: []string{"m/a"}, Forbidden: []string{"m/test"}}, ""},
		{"tests are counted", Rule{Packages: []string{"m/a"}, Forbidden: []string{"m/test"}, Tests: true, Reason: "r"}, "m/a imports m/test: r"},
		{"a package that is gone", Rule{Packages: []string{"m/gone"}, Reason: "r"}, "m/gone: no such package; mend the rule (r)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(graph.Check([]Rule{tt.rule}), "\n")
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	g, err := Load(".", ".")
	if err != nil {
		t.Fatal(err)
	}
	self := g["github.com/kfpgo/kfpgo/internal/testing/depcheck"]
	if self == nil || self.Standard || !g["fmt"].Standard {
		t.Errorf("got %+v, and fmt %+v", self, g["fmt"])
	}
	if _, err := Load(".", "./nowhere"); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a folder that is not there: %v", err)
	}
}
