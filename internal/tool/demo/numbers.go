package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

// Numbers are what a run measured, as run.json has them.
type numbers struct {
	accuracy, served, p50, p99, device json.RawMessage
	predictions                        string // file
}

func read(file string) (n numbers, err error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return n, err
	}
	var r run.Run
	if err := json.Unmarshal(b, &r); err != nil {
		return n, fmt.Errorf("%s: %w", file, err)
	}
	for _, t := range r.Tasks {
		switch t.Component {
		case "train-go", "train-tensorflow":
			if t.State == run.Succeeded {
				n.device = t.Outputs["device"]
			}
		case "evaluate":
			n.accuracy = t.Outputs["accuracy"]
			if made := t.Writes["predictions"]; len(made) == 1 {
				n.predictions = strings.TrimPrefix(made[0].URI, "file://")
			}
		case "query":
			n.served, n.p50, n.p99 = t.Outputs["accuracy"], t.Outputs["p50_ms"], t.Outputs["p99_ms"]
		}
	}
	switch {
	case n.device == nil:
		return n, errors.New(file + ": no training says what device it used")
	case n.accuracy == nil || n.served == nil || n.predictions == "":
		return n, errors.New(file + ": nothing was evaluated or served")
	}
	return n, nil
}
