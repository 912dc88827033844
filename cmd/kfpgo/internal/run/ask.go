package run

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// asks reports whether the user can be asked for the outputs of a suspended step of p.
func asks(cmd *cobra.Command, p *program.Program) bool {
	in, ok := cmd.InOrStdin().(*os.File)
	return ok && term.IsTerminal(int(in.Fd())) && slices.ContainsFunc(p.Components, func(c *program.Component) bool { return c.Exec != nil && c.Exec.Suspend != nil })
}

// An asker asks the user, one question at a time.
type asker struct {
	out   io.Writer
	lines chan string   // nothing more: the input has ended
	turn  chan struct{} // to ask
}

func newAsker(in io.Reader, out io.Writer) *asker {
	a := &asker{out: out, lines: make(chan string), turn: make(chan struct{}, 1)}
	go func() {
		defer close(a.lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			a.lines <- s.Text()
		}
	}()
	return a
}

// ask asks for the outputs of a suspended step. An empty line takes the default.
func (a *asker) ask(ctx context.Context, q engine.Question) (map[string]json.RawMessage, error) {
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	cli.Say(a.out, "%s waits for your answer%s", q.Task, until(q.Deadline))
	if q.Doc != "" {
		cli.Say(a.out, "  %s", printable.Line(q.Doc))
	}
	for _, name := range slices.Sorted(maps.Keys(q.Inputs)) {
		cli.Say(a.out, "  %s = %s", name, cli.Value(q.Inputs[name]))
	}
	got := map[string]json.RawMessage{}
	if len(q.Outputs) == 0 {
		_, err := a.line(ctx, "  press enter to continue: ")
		return got, err
	}
	for i := range q.Outputs {
		p := &q.Outputs[i]
		for got[p.Name] == nil {
			text, err := a.line(ctx, "  "+prompt(p))
			if err != nil {
				return nil, err
			}
			if text == "" && (p.Default != nil || p.Optional) {
				break
			}
			b, err := params.Value(text, p)
			if err != nil {
				cli.Say(a.out, "  %v", err)
				continue
			}
			got[p.Name] = b
		}
	}
	return got, nil
}

// line returns the next line that the user types.
func (a *asker) line(ctx context.Context, prompt string) (string, error) {
	io.WriteString(a.out, printable.Line(prompt))
	select {
	case text, ok := <-a.lines:
		if !ok {
			return "", errors.New("the terminal was closed before it was answered; give --answer")
		}
		return strings.TrimSpace(text), nil
	case <-ctx.Done():
		io.WriteString(a.out, "\n")
		return "", ctx.Err()
	}
}

// prompt says what an output is, and what an empty line stands for.
func prompt(p *program.Port) string {
	s := fmt.Sprintf("%s (%s)", p.Name, params.Wanted(p))
	if p.Doc != "" {
		s = p.Doc + " " + s
	}
	v := program.Value{Kind: program.Const, Const: p.Default}
	if text, ok := v.Constant(); ok && p.Default != nil {
		return s + " [" + text + "]: "
	}
	if p.Optional {
		return s + " [none]: "
	}
	return s + ": "
}

func until(deadline time.Time) string {
	if deadline.IsZero() {
		return ""
	}
	return ", until " + deadline.Local().Format(time.DateTime)
}
