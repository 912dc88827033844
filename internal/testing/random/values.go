package random

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/placeholder"
)

// pieces are what some layer or other would like to change.
var pieces = []string{
	"", "plain", " ", "--rm -rf", "null", "true", "1e21", "'", `"`, `\`, `\n`, "\n", "\t", "it's \"q\" `b`",
	"{{workflow.name}}", "{{=1+1}}", "{{inputs.parameters.text}}", "{{", "}}", "{", "}", "{{{", "{{item}}", "{{tasks.say.status}}",
	"{$(KFPGO_LB)", "$", "$$", "$(HOME)", "${A}", `\u007b`, `\u0024`, `\x`, "\u007f", "\u0007", "\v", "é漢😀", "\u2028", "\U000E0001",
	"<a>&amp;", "#null", "# x", `{"IfPresent": {}}`, "[1]", "%v %s", "' + '", `" + "`, "nil", "??", "a in b", "fromJSON('1')", "¿", "0", "-0", "9007199254740993",
}

type random struct {
	*rand.Rand
	kfp bool
}

func pick[T any](r random, list []T) T { return list[r.IntN(len(list))] }

func (r random) text() string {
	var b strings.Builder
	for range r.IntN(4) {
		piece := pick(r, pieces)
		for r.kfp && (strings.Contains(piece, "$") || placeholder.ArgoReplaces(piece) != "" || strings.ContainsFunc(piece, func(c rune) bool { return c > 0xffff || c >= 0x7f && c <= 0x9f })) {
			piece = pick(r, pieces) // Kubernetes and Argo replace those, the database has no emoji, and YAML no DEL
		}
		b.WriteString(piece)
	}
	return b.String()
}

func (r random) int() int {
	switch r.IntN(3) {
	case 0:
		return r.IntN(20) - 5
	case 1:
		if r.kfp {
			return pick(r, []int{0, 1, -1, 1 << 40, -(1 << 40) - 1, 1e12, 123456789})
		}
		return pick(r, []int{0, 1, -1, 1 << 53, 1<<53 + 1, -(1 << 53) - 1, math.MaxInt64, math.MinInt64, 1e15, 123456789})
	}
	if r.kfp { // steps add and multiply them
		return r.IntN(1<<41) - 1<<40
	}
	return int(r.Uint64())
}

func (r random) float() float64 {
	switch r.IntN(3) {
	case 0:
		return float64(r.IntN(40)-10) / 4
	case 1:
		return pick(r, []float64{0, math.Copysign(0, -1), 0.1, 1, -1, 1e21, 1e-7, 5e-324, math.MaxFloat64, 1 << 53, 123456789, 1e15, 1e300, 3.0000000000000004})
	}
	exponent := r.IntN(40) - 20
	if r.kfp { // as JSON in a list, one of 17 to 21 digits is an integer that is no double
		exponent = min(exponent, 12)
	}
	return r.NormFloat64() * math.Pow(10, float64(exponent))
}

func (r random) bool() bool { return r.IntN(2) == 0 }

func (r random) item() item { return item{r.text(), small(r.int()), r.float(), r.bool()} }

// some returns a list of 1 to 3 values.
func some[T any](r random, one func() T) []T {
	list := make([]T, 1+r.IntN(3))
	for i := range list {
		list[i] = one()
	}
	return list
}

// one returns a value of a list or a new one.
func one[T any](r random, list []T, fresh func() T) T {
	if len(list) == 0 || r.IntN(4) == 0 {
		return fresh()
	}
	return pick(r, list)
}
