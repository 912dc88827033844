package raise

import (
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// suspend writes the declaration of a step that waits for a person.
func (b *builder) suspend(w *strings.Builder, c *class, x *program.Suspend) {
	spec := "argo.SuspendSpec{}"
	if x.Duration > 0 {
		spec = "argo.SuspendSpec{Duration: " + b.seconds(x.Duration) + "}"
	}
	for _, p := range c.outs {
		if _, ok := b.defaultTag(p); p.Default != nil && !ok {
			b.errorf(c.Pos, "component %s: the default of output %s doesn't fit into a tag: %s", c.base, p.Name, short(p.Default))
		}
	}
	w.WriteString(b.about(c) + gosrc.Doc("%s waits for a person.", c.stem))
	fmt.Fprintf(w, "var %s = argo.Suspend[%s, %s](%s, %s)%s\n\n", c.stem, c.inType, c.outType, gosrc.Quote(c.name), spec, b.ending(c, c.Doc))
}
