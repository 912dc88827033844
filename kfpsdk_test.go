package kfpgo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	sdkRow    = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.+) \\| \\[(Test\\w+)\\]\\(([^)]+)\\) \\|$")
	sdkCode   = regexp.MustCompile("`([^`]+)`")
	sdkCall   = regexp.MustCompile(`^(?:c|client|compiler)\.(\w+)\(`)
	sdkMethod = regexp.MustCompile("(?m)^\\| `")
	sdkBeyond = regexp.MustCompile("(?m)^\\| (\\w[^|`]+) \\| (`.+) \\| \\[(Test\\w+)\\]\\(([^)]+)\\) \\|$")
)

// TestSDKTable: docs/reference/kfp.md has a row for each method and command of KFP's
// SDK, and the test of each row makes the calls that the row names.
func TestSDKTable(t *testing.T) {
	page := string(read(t, "docs/reference/kfp.md"))
	rows := sdkRow.FindAllStringSubmatch(page, -1)
	if all := len(sdkMethod.FindAllString(page, -1)); all != len(rows) {
		t.Errorf("%d rows, of which %d name a test", all, len(rows))
	}
	beyond := sdkBeyond.FindAllStringSubmatch(page, -1)
	if len(beyond) != 3 {
		t.Errorf("%d rows of what KFP's SDK hasn't, want 3", len(beyond))
	}
	var names []string
	for i, row := range append(rows, beyond...) {
		name, ours, test, link := row[1], row[2], row[3], row[4]
		if i < len(rows) {
			names = append(names, name)
		}
		body := functionText(t, filepath.Join("docs/reference", link), test)
		n := 0
		for _, code := range sdkCode.FindAllStringSubmatch(ours, -1) {
			want := ""
			if verb, ok := strings.CutPrefix(code[1], "kfpgo "); ok {
				want = `"` + verb + `"`
			} else if m := sdkCall.FindStringSubmatch(code[1]); m != nil {
				want = "." + m[1] + "("
			} else {
				t.Errorf("%s: %s is neither a verb of kfpgo nor a call", name, code[1])
				continue
			}
			n++
			if !strings.Contains(body, want) {
				t.Errorf("%s: %s doesn't call %s", name, test, want)
			}
		}
		if n == 0 {
			t.Errorf("%s: no call of ours is named", name)
		}
	}
	slices.Sort(names)
	if want := strings.Fields(strings.ReplaceAll(string(read(t, "testdata/kfp_sdk.txt")), " ", "_")); !slices.Equal(underscored(names), want) {
		t.Errorf("the rows are\n%s\nwant\n%s", strings.Join(names, "\n"), strings.Join(want, "\n"))
	}
	if len(names) != 39+29 {
		t.Errorf("%d rows, want 39 methods and 29 commands", len(names))
	}
}

func underscored(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.ReplaceAll(n, " ", "_")
	}
	return out
}

// functionText returns the source of a function in a file.
func functionText(t *testing.T, file, name string) string {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == name && fn.Recv == nil {
			return string(src[fset.Position(fn.Pos()).Offset:fset.Position(fn.End()).Offset])
		}
	}
	t.Errorf("%s has no %s", file, name)
	return ""
}
