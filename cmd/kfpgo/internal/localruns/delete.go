package localruns

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// Delete removes the folder of a run, which must be named by its whole ID.
func (c Client) Delete(_ context.Context, id string) error {
	op := "delete run " + id
	if err := run.CheckID(id); err != nil {
		return err
	}
	r, err := records.Find(c.Home, id)
	switch {
	case err != nil:
		return err
	case r.ID != id:
		return &client.Error{Op: op, Code: client.Invalid, Msg: "a run is deleted by its whole ID, which is " + r.ID}
	case !r.State.Done():
		return &client.Error{Op: op, Code: client.Precondition, Msg: "it is still running", Advice: "stop it with ctrl-C first, or delete its folder, " + r.Dir}
	}
	root, err := os.OpenRoot(filepath.Join(c.Home, "runs"))
	if err != nil {
		return run.Unusable(err)
	}
	defer root.Close()
	if err := root.RemoveAll(id); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", op, err)
	}
	return nil
}
