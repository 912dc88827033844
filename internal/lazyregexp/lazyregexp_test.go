package lazyregexp_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/lazyregexp"
)

func TestRegexp(t *testing.T) {
	const expr, text = `([a-z]+)=(\d+)`, "one=1, two=22; three=x"
	got, want := lazyregexp.New(expr), regexp.MustCompile(expr)
	upper := strings.ToUpper
	for name, is := range map[string][2]any{
		"String":                     {got.String(), want.String()},
		"Compiled":                   {got.Compiled().String(), want.String()},
		"Match":                      {got.Match([]byte(text)), want.Match([]byte(text))},
		"MatchString":                {got.MatchString(text), want.MatchString(text)},
		"Find":                       {got.Find([]byte(text)), want.Find([]byte(text))},
		"FindString":                 {got.FindString(text), want.FindString(text)},
		"FindIndex":                  {got.FindIndex([]byte(text)), want.FindIndex([]byte(text))},
		"FindStringIndex":            {got.FindStringIndex(text), want.FindStringIndex(text)},
		"FindSubmatch":               {got.FindSubmatch([]byte(text)), want.FindSubmatch([]byte(text))},
		"FindStringSubmatch":         {got.FindStringSubmatch(text), want.FindStringSubmatch(text)},
		"FindStringSubmatchIndex":    {got.FindStringSubmatchIndex(text), want.FindStringSubmatchIndex(text)},
		"FindAllString":              {got.FindAllString(text, -1), want.FindAllString(text, -1)},
		"FindAllStringIndex":         {got.FindAllStringIndex(text, -1), want.FindAllStringIndex(text, -1)},
		"FindAllStringSubmatch":      {got.FindAllStringSubmatch(text, 1), want.FindAllStringSubmatch(text, 1)},
		"FindAllStringSubmatchIndex": {got.FindAllStringSubmatchIndex(text, -1), want.FindAllStringSubmatchIndex(text, -1)},
		"ReplaceAll":                 {got.ReplaceAll([]byte(text), []byte("$2")), want.ReplaceAll([]byte(text), []byte("$2"))},
		"ReplaceAllString":           {got.ReplaceAllString(text, "$2"), want.ReplaceAllString(text, "$2")},
		"ReplaceAllLiteralString":    {got.ReplaceAllLiteralString(text, "$2"), want.ReplaceAllLiteralString(text, "$2")},
		"ReplaceAllStringFunc":       {got.ReplaceAllStringFunc(text, upper), want.ReplaceAllStringFunc(text, upper)},
		"Split":                      {got.Split(text, -1), want.Split(text, -1)},
	} {
		if fmt.Sprint(is[0]) != fmt.Sprint(is[1]) {
			t.Errorf("%s: got %v, want %v", name, is[0], is[1])
		}
	}
}

func TestMistake(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a mistake in an expression was not found in a test")
		}
	}()
	lazyregexp.New("(")
}

// A program has no mistake before it uses the expression.
func TestLazy(t *testing.T) {
	if os.Getenv("LAZYREGEXP") != "" {
		os.Args[0] = "program"
		r := lazyregexp.New("(")
		fmt.Println("made")
		r.MatchString("")
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run", "TestLazy")
	cmd.Env = append(os.Environ(), "LAZYREGEXP=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.HasPrefix(string(out), "made\n") || !strings.Contains(string(out), "missing closing )") {
		t.Errorf("got %v, %s", err, out)
	}
}
