package printable

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestForms(t *testing.T) {
	for _, tt := range []struct{ name, in, line, text, log string }{
		{"plain", `a\b "c" é 漢字 🎉`, `a\b "c" é 漢字 🎉`, `a\b "c" é 漢字 🎉`, `a\b "c" é 漢字 🎉`},
		{"lines and tabs", "a\n\tb\n", `a\n\tb\n`, "a\n\tb\n", "a\n\tb\n"},
		{"CR LF", "a\r\nb\r\n", `a\r\nb\r\n`, "a\nb\n", "a\nb\n"},
		{"a line that writes over itself", "bad\rgood", `bad\rgood`, `bad\rgood`, "good"},
		{"a bar", " 10%\r 50%\r100%\r\nend", ` 10%\r 50%\r100%\r\nend`, ` 10%\r 50%\r100%` + "\nend", "100%\nend"},
		{"the title of a window", "\x1b]0;owned\x07x", `\x1b]0;owned\x07x`, `\x1b]0;owned\x07x`, "x"},
		{"a link", "\x1b]8;;http://a\x1b\\x\x1b]8;;\x1b\\", `\x1b]8;;http://a\x1b\x\x1b]8;;\x1b\`, `\x1b]8;;http://a\x1b\x\x1b]8;;\x1b\`, "x"},
		{"colours", "\x1b[1;31mred\x1b[0m", `\x1b[1;31mred\x1b[0m`, `\x1b[1;31mred\x1b[0m`, "red"},
		{"a cleared screen", "\x1b[2J\x1b[Hx\x1bc", `\x1b[2J\x1b[Hx\x1bc`, `\x1b[2J\x1b[Hx\x1bc`, "x"},
		{"another set of letters", "\x1b(0x", `\x1b(0x`, `\x1b(0x`, "x"},
		{"a string without an end", "\x1b]0;hides\nthe rest", `\x1b]0;hides\nthe rest`, `\x1b]0;hides` + "\nthe rest", `\x1b]0;hides` + "\nthe rest"},
		{"a sequence without an end", "\x1b[31", `\x1b[31`, `\x1b[31`, `\x1b[31`},
		{"a sequence in a string", "\x1b]0;a\x1b[2Jb", `\x1b]0;a\x1b[2Jb`, `\x1b]0;a\x1b[2Jb`, `\x1b]0;ab`},
		{"ESC at the end", "a\x1b", `a\x1b`, `a\x1b`, `a\x1b`},
		{"C0 and DEL", "\x00\x07\x08\x0b\x0c\x0e\x7f", `\x00\x07\x08\x0b\x0c\x0e\u007f`, `\x00\x07\x08\x0b\x0c\x0e\u007f`, `\x00\x07\x08\x0b\x0c\x0e\u007f`},
		{"C1", "\u009b2J\u0085\u0090", `\u009b2J\u0085\u0090`, `\u009b2J\u0085\u0090`, `\u009b2J\u0085\u0090`},
		{"separators", "a\u2028b\u2029", `a\u2028b\u2029`, `a\u2028b\u2029`, `a\u2028b\u2029`},
		{"directions", "\u202a\u202e\u2066\u2069\u200e\u200f\u061c", `\u202a\u202e\u2066\u2069\u200e\u200f\u061c`, `\u202a\u202e\u2066\u2069\u200e\u200f\u061c`, `\u202a\u202e\u2066\u2069\u200e\u200f\u061c`},
		{"nothing to see", "\u200b\u2060\ufeff\u00ad\u3164", `\u200b\u2060\ufeff\u00ad\u3164`, `\u200b\u2060\ufeff\u00ad\u3164`, `\u200b\u2060\ufeff\u00ad\u3164`},
		{"tags", "\U000e0041", `\U000e0041`, `\U000e0041`, `\U000e0041`},
		{"no characters", "\uffff\ufdd0", `\uffff\ufdd0`, `\uffff\ufdd0`, `\uffff\ufdd0`},
		{"no UTF-8", "\xff\x9b\xe2\x80", `\xff\x9b\xe2\x80`, `\xff\x9b\xe2\x80`, `\xff\x9b\xe2\x80`},
		{"what replaces bad letters", "\ufffd", "\ufffd", "\ufffd", "\ufffd"},
		{"half a character on both sides of a sequence", "\xe2\x1b[m\x80\xae", `\xe2\x1b[m\x80\xae`, `\xe2\x1b[m\x80\xae`, `\u202e`},
		{"joined letters and pictures", "می\u200cخواهم 👩\u200d🔬 ❤\ufe0f \u0600", "می\u200cخواهم 👩\u200d🔬 ❤\ufe0f \u0600", "می\u200cخواهم 👩\u200d🔬 ❤\ufe0f \u0600", "می\u200cخواهم 👩\u200d🔬 ❤\ufe0f \u0600"},
	} {
		for form, got := range map[string][2]string{"Line": {Line(tt.in), tt.line}, "Text": {Text(tt.in), tt.text}, "Log": {Log(tt.in), tt.log}} {
			if got[0] != got[1] {
				t.Errorf("%s: %s(%q) = %q, not %q", tt.name, form, tt.in, got[0], got[1])
			}
		}
	}
}

func TestJSON(t *testing.T) {
	in := map[string]string{"a\u202e": "\x1b[2J\u009b\x7f\u2028\U000e0041 é 🎉\r\n"}
	b, err := json.MarshalIndent(in, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	got := JSON(b)
	var out map[string]string
	if err := json.Unmarshal(got, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%v: %q became %q by\n%s", err, in, out, got)
	}
	for _, r := range string(got) {
		if !Is(r) && r != '\n' && r != '\t' {
			t.Errorf("%q is in\n%s", r, got)
		}
	}
	if !strings.Contains(string(got), "é 🎉") {
		t.Errorf("plain letters are escaped in\n%s", got)
	}
}

// TestWriter: however a text is cut, the same is written.
func TestWriter(t *testing.T) {
	const text = "é\r\n\u202e🎉\r\x1b[31mred\x1b[0m\u009b\n\xe2\x80"
	for size := 1; size <= len(text); size++ {
		var plain, log bytes.Buffer
		p, l := NewWriter(&plain), NewLogWriter(&log)
		for rest := []byte(text); len(rest) > 0; {
			n := min(size, len(rest))
			for _, w := range []*Writer{p, l} {
				if wrote, err := w.Write(rest[:n]); wrote != n || err != nil {
					t.Fatal(wrote, err)
				}
			}
			rest = rest[n:]
		}
		p.Flush()
		l.Flush()
		if plain.String() != Text(text) || log.String() != Log(text) {
			t.Errorf("in pieces of %d: %q and %q, not %q and %q", size, &plain, &log, Text(text), Log(text))
		}
	}
	var b bytes.Buffer
	if NewWriter(&b).Write([]byte("sure? ")); b.String() != "sure? " {
		t.Errorf("a question waits for more: %q", &b)
	}
	b.Reset()
	if NewLogWriter(&b).Write(bytes.Repeat([]byte("x"), longest)); b.Len() != longest {
		t.Errorf("%d bytes of a line without an end are written", b.Len())
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "a\r\nb\tc", "\x1b]0;x\x07\r\u202e\u009b", "\xff\x1b\xe2[m", "\x1b]\x1b\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, form := range map[string]func(string) string{"Line": Line, "Text": Text, "Log": Log} {
			got := form(s)
			if again := form(got); again != got {
				t.Errorf("%s(%q) = %q, and again %q", name, s, got, again)
			}
			for _, r := range got {
				if (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || !Is(r)) && (name == "Line" || r != '\n' && r != '\t') {
					t.Errorf("%s(%q) = %q has %q", name, s, got, r)
				}
			}
			if !utf8.ValidString(got) {
				t.Errorf("%s(%q) = %q is not UTF-8", name, s, got)
			}
		}
		var b bytes.Buffer
		w := NewWriter(&b)
		w.Write([]byte(s[:len(s)/2]))
		w.Write([]byte(s[len(s)/2:]))
		w.Flush()
		if b.String() != Text(s) {
			t.Errorf("written in two pieces %q is %q, not %q", s, &b, Text(s))
		}
		in, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var was, is string
		if json.Unmarshal(in, &was) != nil || json.Unmarshal(JSON(in), &is) != nil || was != is {
			t.Errorf("JSON(%s) = %s", in, JSON(in))
		}
	})
}
