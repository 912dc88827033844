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
	if want := "kfpgo, kfpgo run, kfpgo schedule, kfpgo schedule list, Output and exit codes"; strings.Join(titles, ", ") != want {
		t.Errorf("got sections %q, want %s", titles, want)
	}
	if _, err := commandLine(func(...string) (string, error) { return "", errors.New("no") }); err == nil {
		t.Error("a program that fails makes a page")
	}
}

// TestCommonFlags: flags that most commands with their group have are there once, and a command keeps those of its own.
func TestCommonFlags(t *testing.T) {
	help := map[string]string{
		"--help":     "Does things.\n\nCommands:\n  get    Get it\n  list   List it\n  own    Own it\n",
		"get --help": "Gets.\n\nFlags:\n      --all   all\n\nConnection:\n      --ca FILE   trusted\n      --proxy URL   of a proxy\n",
		// The padding of a flag depends on the others.
		"list --help": "Lists.\n\nConnection:\n      --ca FILE       trusted\n      --proxy URL     of a proxy\n      --store FOLDER  of artifacts\n",
		"own --help":  "Owns.\n\nFlags:\n      --ca FILE   trusted\n",
	}
	got, err := commandLine(func(args ...string) (string, error) { return help[strings.Join(args, " ")], nil })
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ = strings.Cut(got, "## kfpgo get")
	got, _, _ = strings.Cut(got, "## Output")
	const want = "\n\n```text\nGets.\n\nFlags:\n      --all   all\n```\n\nMore flags: [connection](#connection).\n" +
		"\n## kfpgo list\n\n```text\nLists.\n\nConnection:\n      --store FOLDER  of artifacts\n```\n\nMore flags: [connection](#connection).\n" +
		"\n## kfpgo own\n\n```text\nOwns.\n\nFlags:\n      --ca FILE   trusted\n```\n" +
		"\n## Connection\n\n```text\n      --ca FILE       trusted\n      --proxy URL     of a proxy\n```\n\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
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
