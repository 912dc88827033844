package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// extras returns the completions and the man pages, which the command itself writes.
func extras(kfpgo string, at time.Time) ([]file, error) {
	var files []file
	for shell, name := range map[string]string{"bash": "kfpgo.bash", "zsh": "_kfpgo", "fish": "kfpgo.fish", "powershell": "kfpgo.ps1"} {
		text, err := output(".", kfpgo, "completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, file{"completions/" + name, 0o644, []byte(text + "\n")})
	}
	var page func(path []string, short string) error
	page = func(path []string, short string) error {
		help, err := output(".", kfpgo, append(path, "--help")...)
		if err != nil {
			return err
		}
		name := strings.Join(append([]string{"kfpgo"}, path...), "-")
		files = append(files, file{"man/man1/" + name + ".1", 0o644, []byte(man(name, short, help, at))})
		for _, sub := range subcommands(help) {
			if err := page(append(path[:len(path):len(path)], sub.name), sub.short); err != nil {
				return err
			}
		}
		return nil
	}
	err := page(nil, "compile and run pipelines that are written in Go")
	return files, err
}

var command = regexp.MustCompile(`(?m)^  (\S+) +(\S.*)$`)

// A sub is a command in the list of a help text.
type sub struct{ name, short string }

// subcommands returns the commands that a help text lists.
func subcommands(help string) (subs []sub) {
	_, list, _ := strings.Cut(help, "\nCommands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for _, m := range command.FindAllStringSubmatch(list+"\n", -1) {
		subs = append(subs, sub{m[1], m[2]})
	}
	return subs
}

// man returns the help of a command as a page for man. Lines stay as they are, since the help
// is laid out for a terminal.
func man(name, short, help string, at time.Time) string {
	var lines strings.Builder
	for line := range strings.Lines(help + "\n") {
		line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(line)
		if strings.HasPrefix(line, ".") {
			line = `\&` + line
		}
		lines.WriteString(line)
	}
	escaped := strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace
	return fmt.Sprintf(".TH %s 1 %s kfpgo\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n%s.fi\n",
		escaped(strings.ToUpper(name)), at.Format(time.DateOnly), escaped(name), escaped(short), lines.String())
}
