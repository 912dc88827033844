package source

import (
	"runtime"
	"testing"
)

func TestIsStandard(t *testing.T) {
	if goroot() == "" {
		t.Fatal("no folder of Go's sources; the test was built with -trimpath?")
	}
	for _, tt := range []struct {
		f    runtime.Frame
		want bool
	}{
		{runtime.Frame{Function: "strings.Repeat", File: goroot() + "strings/strings.go"}, true},
		{runtime.Frame{Function: "main.main", File: "/home/me/app/main.go"}, false},
	} {
		if got := isStandard(tt.f); got != tt.want {
			t.Errorf("%s: got %v", tt.f.Function, got)
		}
	}
}

// TestTrimmed has the names that functions have in a program built with -trimpath.
func TestTrimmed(t *testing.T) {
	for function, want := range map[string]bool{
		"strings.Repeat":                              true,
		"encoding/json.(*Decoder).Decode":             true,
		"main.main":                                   false,
		"main.init.func1":                             false,
		"example.com/app/steps.Train":                 false,
		"github.com/kfpgo/kfpgo/examples/calc.glob.1": false,
	} {
		if got := standardName(function); got != want {
			t.Errorf("%s: got %v", function, got)
		}
	}
}
