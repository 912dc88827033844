package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestHabits: what users of other tools type is refused with the command or the flag that is
// meant, and that is there.
func TestHabits(t *testing.T) {
	command := regexp.MustCompile(`kfpgo((?: [a-z]+)+)`)
	for _, c := range []struct{ line, want string }{
		{"lint ./x", `unknown command "lint"; here that is kfpgo vet`},
		{"submit x.yaml", `here that is kfpgo run --on kfp or --on argo`},
		{"logs latest", "here that is kfpgo runs logs"},
		{"cron list", "here that is kfpgo schedule"},
		{"get", "here that is kfpgo runs get"},
		{"list", "here that is kfpgo runs list, pipelines list, schedule list or artifacts list"},
		{"help lint", "here that is kfpgo vet"},
		{"test", "here that is go test"},
		{"compil", "did you mean compile?"},
		{"runs lint", `unknown command "lint"`},
		{"run ./x --target argo", "unknown flag: --target; where it runs is --on local, kfp or argo"},
		{"compile ./x --on argo", "--target selects the output of kfpgo compile"},
		{"run ./x -o json", "--output is for runs on a server; give --on kfp or --on argo"},
		{"schedule list --output xml", "--output is one of table, json, yaml, name, wide, not \"xml\""},
		{"doctor -o name", "--output is one of table, json, yaml, not \"name\""},
		{"run ./x --on argo --log", "--wait follows the run, and kfpgo runs logs"},
		{"run ./x --nonsense", "unknown flag: --nonsense"},
	} {
		root := newRoot()
		root.SetArgs(strings.Fields(c.line))
		err := root.ExecuteContext(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.line, err, c.want)
			continue
		}
		if strings.HasPrefix(c.want, "unknown flag: --nonsense") && strings.Contains(err.Error(), ";") {
			t.Errorf("%s: got %v", c.line, err)
		}
	}
	if cmd, _, err := newRoot().Find([]string{"schedules", "list"}); err != nil || cmd.Name() != "list" {
		t.Errorf("schedules list is %v, %v", cmd.Name(), err)
	}
	for _, word := range strings.Fields("lint check validate submit create start exec resubmit get list ls ps describe logs log wait watch retry stop terminate kill delete archive upload cp download cron apply backfill trigger suspend serve login auth config server dashboard new convert decompile draw show generate dsl component") {
		root := newRoot()
		root.SetArgs([]string{word})
		err := root.ExecuteContext(t.Context())
		if err == nil || !strings.Contains(err.Error(), "; here that is ") {
			t.Errorf("%s: got %v", word, err)
			continue
		}
		_, hint, _ := strings.Cut(err.Error(), "; here that is ")
		for _, m := range command.FindAllStringSubmatch(hint, -1) {
			words := strings.Fields(strings.TrimSuffix(m[1], " or"))
			if _, rest, err := newRoot().Find(words); err != nil || len(rest) > 0 {
				t.Errorf("%s: there is no kfpgo%s", word, m[1])
			}
		}
	}
}
