package order_test

import (
	"fmt"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/order"
)

func TestOf(t *testing.T) {
	for _, tt := range []struct {
		nodes  string
		before map[rune]string
		want   string
	}{
		{"", nil, ""},
		{"abc", nil, "abc"},
		{"cba", nil, "cba"},
		{"abc", map[rune]string{'a': "c"}, "bca"},
		{"abcd", map[rune]string{'a': "d", 'b': "d", 'd': "c"}, "cdab"},
		{"abc", map[rune]string{'a': "x"}, "abc"},
		{"abcd", map[rune]string{'a': "b", 'b': "a", 'c': "a"}, "d"},
		{"ab", map[rune]string{'a': "a"}, "b"},
	} {
		got := order.Of([]rune(tt.nodes), func(n rune) []rune { return []rune(tt.before[n]) })
		if string(got) != tt.want {
			t.Errorf("%s, before %s: got %s, want %s", tt.nodes, fmt.Sprint(tt.before), string(got), tt.want)
		}
	}
}
