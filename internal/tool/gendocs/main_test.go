package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/feature"
)

func TestCommandLine(t *testing.T) {
	help := map[string]string{
		"--help":               "kfpgo does things.\n\nCommands:\n  run         Run it\n  schedule    Times\n\nFlags:\n  -h, --help   help\n",
		"run --help":           "Run runs.\n",
		"schedule --help":      "Schedule.\n\nCommands:\n  list  List them\n",
		"schedule list --help": "List lists.\n",
	}
	got, err := commandLine(func(args ...string) (string, error) {
		text, ok := help[strings.Join(args, " ")]
		if !ok {
			return "", errors.New("unknown command")
		}
		return text, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, line := range strings.Split(got, "\n") {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			titles = append(titles, title)
		}
	}
	if want := "kfpgo, kfpgo run, kfpgo schedule, kfpgo schedule list"; strings.Join(titles, ", ") != want {
		t.Errorf("got sections %q, want %s", titles, want)
	}
	if _, err := commandLine(func(...string) (string, error) { return "", errors.New("no") }); err == nil {
		t.Error("a program that fails makes a page")
	}
}

// TestFeatures: every row has a line with one cell for each target.
func TestFeatures(t *testing.T) {
	page := features()
	for _, r := range feature.Table {
		found := false
		for _, line := range strings.Split(page, "\n") {
			if strings.HasPrefix(line, "| "+escape(r.Write)+" |") {
				found = strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") == 5
				break
			}
		}
		if !found {
			t.Errorf("%s has no line of 4 cells", r.Write)
		}
	}
}
