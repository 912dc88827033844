package engine

import "testing"

// TestTyped reads what containers write as KFP's launcher does.
func TestTyped(t *testing.T) {
	for _, tt := range []struct{ text, typ, want string }{
		{"a\n", "STRING", `"a"`},
		{"", "STRING", `""`},
		{" 9007199254740993\n", "NUMBER_INTEGER", "9007199254740993"},
		{"1.5", "NUMBER_INTEGER", ""},
		{"1.50\n", "NUMBER_DOUBLE", "1.50"},
		{".5", "NUMBER_DOUBLE", "0.5"},
		{"NaN", "NUMBER_DOUBLE", ""},
		{"True\n", "BOOLEAN", "true"},
		{"yes", "BOOLEAN", ""},
		{"[1, 2]\n", "LIST", "[1, 2]"},
		{"{}", "LIST", ""},
		{`{"a":1}`, "STRUCT", `{"a":1}`},
		{`{"a"`, "STRUCT", ""},
	} {
		got, err := typed(tt.text, tt.typ)
		if string(got) != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%q as %s: %s, %v; want %s", tt.text, tt.typ, got, err, tt.want)
		}
	}
}

// TestMessageText finds a step's message at the end of its log.
func TestMessageText(t *testing.T) {
	for _, tt := range []struct {
		said, want string
		ours       bool
	}{
		{"step: bad\n", "bad", true},
		{"noise\nstep: one\ntwo\n", "one\ntwo", true},
		{"step: early\nnoise\nstep: late", "late", true},
		{"not a step: x\nlast\n", "last", false},
		{"", "", false},
	} {
		if got, ours := message(tt.said, "step"); got != tt.want || ours != tt.ours {
			t.Errorf("%q: %q, %v", tt.said, got, ours)
		}
	}
}
