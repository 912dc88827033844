package raise

import (
	"go/token"
	"strconv"
	"strings"
)

// reserved are the names that nothing at package level may have.
var reserved = []string{
	"init", "main", "folder", "fs", "fmt", "dsl", "k8s", "argo", "time", "embed", "s", "in", "out", "json",
	"any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64", "int", "int8", "int16", "int32", "int64",
	"rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "true", "false", "iota", "nil",
	"append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new", "panic", "print", "println", "real", "recover",
}

// names hands out names, each once.
type names struct {
	up    *names
	taken map[string]bool
}

func newNames(taken ...string) *names {
	n := &names{taken: map[string]bool{}}
	for _, t := range taken {
		n.taken[t] = true
	}
	return n
}

func (n *names) has(name string) bool {
	for ; n != nil; n = n.up {
		if n.taken[name] {
			return true
		}
	}
	return token.IsKeyword(name) || name == "" || name == "_"
}

// pick takes the first of name, name2, name3 that is free with all endings.
func (n *names) pick(name string, endings ...string) string {
	endings = append(endings, "")
	for i := 1; ; i++ {
		got := name
		if i > 1 {
			if r := name[len(name)-1]; r >= '0' && r <= '9' {
				got += "_"
			}
			got += strconv.Itoa(i)
		}
		free := true
		for _, e := range endings {
			free = free && !n.has(got+e)
		}
		if free {
			for _, e := range endings {
				n.taken[got+e] = true
			}
			return got
		}
	}
}

// singular returns what one of several is called, or "" where that isn't plain.
func singular(name string) string {
	lower := strings.ToLower(name)
	switch {
	case len(name) < 2 || strings.HasSuffix(lower, "ss") || strings.HasSuffix(lower, "us") || !strings.HasSuffix(lower, "s"):
		return ""
	case strings.HasSuffix(lower, "ies") && len(name) > 4:
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(lower, "sses"), strings.HasSuffix(lower, "xes"), strings.HasSuffix(lower, "ches"), strings.HasSuffix(lower, "shes"):
		return name[:len(name)-2]
	}
	return name[:len(name)-1]
}

// PackageName makes the name of a Go package from a pipeline's.
func PackageName(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' && b.Len() > 0 {
			b.WriteRune(r)
		}
	}
	s := b.String()
	if s == "" || s == "main" || token.IsKeyword(s) || newNames(reserved...).has(s) {
		return s + "pipeline"
	}
	return s
}
