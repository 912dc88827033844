package yaml

import (
	"bytes"
	"testing"

	"github.com/kfpgo/kfpgo/internal/text/jsontree"
)

// FuzzWriter compares what the writer writes to what the library writes.
func FuzzWriter(f *testing.F) {
	for _, s := range []string{
		`{"a":{"b":{"c":[1,2,[3,[4,{"d":{"e":5,"f":[]}}]]],"g":{}}},"h":"x\ny\n\n z","i":null}`,
		`[[[1,2],[3,4]],{"a":[[1]],"b":{"c":"line\n\n  more\nend"}},"text\nmore"]`,
		`{"` + string(bytes.Repeat([]byte("k"), 200)) + `":{"a":{"b":[1,2,3]}},"":{"a":[1,{"b":2}]},"a: b":{"x":{"y":{"z":1}}}}`,
		`{"a":["x\ny","","it's","é ü","\u0085","\ufeff","😀"," a","a ","y","~","1.0","0x1","a: b","a #b","#","-","- a","? a",": a","a:","*a","&a","!a","%a","@a","` + "`" + `a","|","> a","{a","[a","a,b]","<<","=","\t","a\tb","\r","\n","a\n","\n a","true","Null","2020-01-01","{{$.x}}","$(a)","/a","_a","(a"]}`,
		`{"it's":1,"1":2,"":3,"y":{"n":[]},"a\nb":{"c":[{"d":"e\nf"}]},"é":[[],{},[[]],[{}]],"😀":1}`,
		`{"a":[{"b":"x\n y\n","c":["x\n\ny",["z\n"]]},1e5,1.5E+3,-0,true,false,null]}`,
		`{"b":1,"a":2,"b":{"c":[]},"a":3}`, `"x\ny"`, `5`, `{}`, `[]`, `[{"a":1,"b":2,"c":{"d":[{"e":1},{"f":2}]}}]`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := jsontree.Parse([]byte(text))
		if err != nil {
			return
		}
		whole, err := encode(node(&v))
		if err != nil {
			return
		}
		w := &writer{}
		if err := w.document(&v); err != nil || w.String() != string(whole) {
			t.Errorf("got\n%s\nwant\n%s\n%v", w.String(), whole, err)
		}
	})
}
