package random

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/kfpgo/kfpgo/internal/testing/argosim"
	"github.com/kfpgo/kfpgo/test/oracle/argolib"
)

// controller returns an Argo of a version, in which step runs the Go steps, from KFP's
// executor input to the executor output.
func controller(version int, step func(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error)) *argosim.Sim {
	return &argosim.Sim{Language: argolib.Language{}, Version: version, Strict: true,
		Global: map[string]string{"workflow.scheduledTime": "2026-11-28T01:00:00Z"},
		Pods: argosim.Pods{Step: func(p *argosim.Pod) (*argosim.Output, error) {
			var x struct {
				Outputs struct {
					Parameters map[string]struct{ OutputFile string }
				}
				Inputs json.RawMessage
			}
			if err := json.Unmarshal([]byte(p.Input), &x); err != nil {
				return nil, fmt.Errorf("executor input: %w: %s", err, p.Input)
			}
			if len(p.Template.Container.Command) < 3 {
				return nil, errors.New("not a Go step: " + p.Template.Name)
			}
			input, _ := json.Marshal(map[string]any{"inputs": x.Inputs, "outputs": map[string]any{"parameters": map[string]any{}}})
			result, err := step(context.Background(), p.Template.Container.Command[2], input)
			if err != nil {
				return nil, fmt.Errorf("exit code 1: %w", err)
			}
			var out struct{ ParameterValues map[string]json.RawMessage }
			if err := json.Unmarshal(result, &out); err != nil {
				return nil, err
			}
			files := map[string]string{}
			for name, v := range out.ParameterValues {
				files[x.Outputs.Parameters[name].OutputFile] = carrier(v)
			}
			return &argosim.Output{Files: files}, nil
		}}}
}

// carrier is what the runtime of a Go step writes to the file of an output.
func carrier(v json.RawMessage) string {
	text := strings.NewReplacer("{{", `{\u007b`, "$", `\u0024`, "\x7f", `\u007f`).Replace(string(v))
	var b strings.Builder
	for _, r := range text {
		if r > 0xffff && !strconv.IsPrint(r) {
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
