// Package live is a pipeline whose steps take their time and say so, to be watched in
// the pages of kfpgo ui.
package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

type In struct {
	Lines dsl.Param[int]    `default:"12"`
	Fail  dsl.Param[bool]   `default:"false"`
	Note  dsl.Param[string] `default:"as it goes"`
}

type Out struct{ Words dsl.Param[int] }

type WriteOut struct{ Text dsl.Dataset }

// Write says a line every quarter of a second and writes them to a file.
var Write = dsl.Func("write", func(ctx context.Context, in In, out *WriteOut) error {
	f, err := os.Create(out.Text.Path())
	if err != nil {
		return err
	}
	for i := range in.Lines.Get() {
		fmt.Printf("line %d, <b>%s</b>\n", i+1, in.Note.Get())
		fmt.Fprintf(f, "line %d\n", i+1)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(250 * time.Millisecond):
		}
	}
	return f.Close()
})

type CountIn struct {
	Text dsl.Dataset
	Fail dsl.Param[bool]
}

// Count counts the words, unless it is to fail.
var Count = dsl.Func("count", func(_ context.Context, in CountIn, out *Out) error {
	if in.Fail.Get() {
		return errors.New("it was told to fail")
	}
	b, err := os.ReadFile(in.Text.Path())
	out.Words.Set(len(b) / 7)
	return err
})

// Pipeline writes and counts.
var Pipeline = dsl.Pipeline("live", func(s *dsl.Scope, in In) Out {
	text := Write.Call(s, in)
	return Count.Call(s, CountIn{Text: text.Out.Text, Fail: in.Fail}).Out
})
