package kfpgo_test

import (
	"go/scanner"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// homes are words that are written as a constant of one package and nowhere else, and
// where a word means something else.
var homes = []struct {
	home  string
	words []string
	but   []string
}{
	{"internal/model/kfptype", []string{"STRING", "NUMBER_INTEGER", "NUMBER_DOUBLE", "BOOLEAN", "LIST", "STRUCT", "TASK_FINAL_STATUS", "TASK_CONFIG"},
		[]string{"internal/read/kfpread/schema200.go"}}, // a type of KFP 1.8
	{"internal/model/kfptype", []string{"PENDING", "RUNNING", "CANCELING", "SUCCEEDED", "FAILED", "SKIPPED", "CACHED", "CANCELED", "CANCELLED"},
		[]string{"dsl/status.go", "internal/testing/fakekfp/fakekfp.go", "internal/tool/gendocs/servers.go"}}, // what users see, a server, and results of tests
	{"internal/model/contract", []string{"kfpgo:exec", "kfpgo:graph", "kfpgo:hand-on", "kfpgo-env--", "kfpgo-env", "pipelinechannel--", "KFPGO_IMAGE", "KFPGO_COMPONENT"}, nil},
}

// TestWords finds words of KFP's that are written out, so that one that is misspelt
// doesn't compile.
func TestWords(t *testing.T) {
	home, but := map[string]string{}, map[string]bool{}
	for _, h := range homes {
		for _, w := range h.words {
			home[strconv.Quote(w)] = h.home
		}
		for _, f := range h.but {
			but[f] = true
		}
	}
	for _, path := range files(t, ".go") {
		dir := filepath.ToSlash(filepath.Dir(path))
		if strings.HasSuffix(path, "_test.go") || but[filepath.ToSlash(path)] || strings.HasPrefix(dir, "test/") || strings.HasPrefix(dir, "testdata/") {
			continue
		}
		src := read(t, path)
		set := token.NewFileSet()
		file := set.AddFile(path, -1, len(src))
		var s scanner.Scanner
		s.Init(file, src, nil, 0)
		for pos, tok, lit := s.Scan(); tok != token.EOF; pos, tok, lit = s.Scan() {
			if h := home[lit]; tok == token.STRING && h != "" && h != dir {
				t.Errorf("%s: %s is a constant of %s", set.Position(pos), lit, h)
			}
		}
	}
}
