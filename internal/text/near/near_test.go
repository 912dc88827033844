package near_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/text/near"
)

func TestName(t *testing.T) {
	names := []string{"epochs", "learning_rate", "lr", "volumes", "volumeMounts"}
	for name, want := range map[string]string{
		"epoch": "epochs", "Epochs": "epochs", "epcohs": "epochs", "eposh": "", "learningRate": "learning_rate", "learing_rat": "learning_rate",
		"l": "", "LR": "lr", "volume": "volumes", "volumemounts": "volumeMounts", "": "", "other": "",
	} {
		if got := near.Name(name, names); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestLonger(t *testing.T) {
	names := []string{"priorityClassName", "priority", "env"}
	for name, want := range map[string]string{"priorityClass": "priorityClassName", "priorityLevel": "priority", "prioritie": "priority", "envFrom": "", "prio": "priority", "pri": "", "Env": "env"} {
		if got := near.Longer(name, names); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "ab", 1}, {"abc", "xbc", 1}, {"kitten", "sitting", 3}, {"a", "abcdef", 4}} {
		if got := near.Distance(c.a, c.b, 4); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
