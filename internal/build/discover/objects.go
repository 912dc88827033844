package discover

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/child"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// planTime is how long a program may take to say what its steps would do: they only
// look at their inputs.
const planTime = time.Minute

// Objects runs the program for what steps of it would do with objects of the cluster.
// It asks no cluster.
func (p *Program) Objects(ctx context.Context, steps []contract.Step) ([]contract.Planned, error) {
	ctx, stop := context.WithTimeout(ctx, planTime)
	defer stop()
	in, err := json.Marshal(steps)
	if err != nil {
		return nil, err
	}
	cmd := child.Command(ctx, p.File, contract.Objects)
	var said bytes.Buffer // by steps that aren't run: it matters if they fail
	cmd.Dir, cmd.Stderr, cmd.Stdin = p.place.wd, &said, bytes.NewReader(in)
	out, err := child.Output(cmd)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("the program of %s: its steps didn't report the objects that they apply: %w", p.Package.ImportPath, ctx.Err())
	}
	var all contract.Plans
	if err == nil {
		_, out = split(out)
		err = json.Unmarshal(out, &all)
	} else {
		io.WriteString(os.Stderr, printable.Text(said.String()))
	}
	if err == nil && len(all.Steps) != len(steps) {
		err = fmt.Errorf("it was asked for %d steps, and answered for %d", len(steps), len(all.Steps))
	}
	if err != nil {
		return nil, fmt.Errorf("the program of %s doesn't say which objects its steps apply: %w; is its kfpgo module of another version than this command?", p.Package.ImportPath, err)
	}
	return all.Steps, nil
}
