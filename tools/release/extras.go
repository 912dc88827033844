package main

import (
	"fmt"
	"path/filepath"
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
	var page func(path []string) error
	page = func(path []string) error {
		help, err := output(".", kfpgo, append(path, "--help")...)
		if err != nil {
			return err
		}
		name := strings.Join(append([]string{"kfpgo"}, path...), "-")
		files = append(files, file{filepath.ToSlash(filepath.Join("man", "man1", name+".1")), 0o644, []byte(man(name, help, at))})
		for _, sub := range subcommands(help) {
			if err := page(append(path[:len(path):len(path)], sub)); err != nil {
				return err
			}
		}
		return nil
	}
	return files, page(nil)
}

var command = regexp.MustCompile(`(?m)^  (\S+)\s`)

// subcommands returns the names of the commands that a help text lists.
func subcommands(help string) (names []string) {
	_, list, _ := strings.Cut(help, "\nCommands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for _, m := range command.FindAllStringSubmatch(list+"\n", -1) {
		names = append(names, m[1])
	}
	return names
}

// man returns the help of a command as a page for man. Lines stay as they are, since the help
// is laid out for a terminal.
func man(name, help string, at time.Time) string {
	first, _, _ := strings.Cut(help, "\n")
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
		escaped(strings.ToUpper(name)), at.Format(time.DateOnly), escaped(name), escaped(strings.TrimSuffix(first, ".")), lines.String())
}
