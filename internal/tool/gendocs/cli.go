package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A help is the help text of a command.
type help struct{ title, text string }

// commandLine returns the page with the help of all commands. It asks the program itself, so that the page is what the
// program prints. Flags that most commands of a group of flags have, such as those of the connection, are there once.
func commandLine(ask func(args ...string) (string, error)) (string, error) {
	var all []help
	var collect func(path []string) error
	collect = func(path []string) error {
		text, err := ask(append(path, "--help")...)
		if err != nil {
			return fmt.Errorf("kfpgo %s --help: %w", strings.Join(path, " "), err)
		}
		all = append(all, help{strings.TrimSpace("kfpgo " + strings.Join(path, " ")), strings.TrimSpace(text)})
		for _, name := range subcommands(text) {
			if err := collect(append(path[:len(path):len(path)], name)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := collect(nil); err != nil {
		return "", err
	}
	common := commonFlags(all)
	var page strings.Builder
	page.WriteString("# The command line\n\n" + generated)
	for _, h := range all {
		text, groups := without(h.text, common)
		fmt.Fprintf(&page, "\n## %s\n\n```text\n%s\n```\n", h.title, text)
		if len(groups) > 0 {
			slices.Sort(groups)
			fmt.Fprintf(&page, "\nMore flags: %s.\n", strings.Join(groups, ", "))
		}
	}
	for _, group := range slices.Sorted(maps.Keys(common)) {
		fmt.Fprintf(&page, "\n## %s\n\n```text\n", group)
		for _, line := range common[group] {
			page.WriteString(line + "\n")
		}
		page.WriteString("```\n")
	}
	page.WriteString("\n## Output and exit codes\n\nMessages go to the standard error, results to the standard output. Exit codes: 0 all\nis well, 1 the work failed, 2 wrong usage, 130 interrupted.\n")
	return page.String(), nil
}

var (
	command = regexp.MustCompile(`(?m)^  (\S+)\s`)
	padding = regexp.MustCompile(` {2,}`)
	heading = regexp.MustCompile(`^[A-Z][a-z ]+:$`)
)

// commonFlags returns the lines of flags that more than half of the commands with their group have, by the group.
func commonFlags(all []help) map[string][]string {
	commands := map[string]int{} // by the group
	lines := map[string]map[string]int{}
	written := map[string]string{} // a line with its padding, by that without
	for _, h := range all {
		eachFlag(h.text, func(group, line string) {
			if line == "" {
				commands[group]++
				return
			}
			if lines[group] == nil {
				lines[group] = map[string]int{}
			}
			key := padding.ReplaceAllString(line, " ")
			lines[group][key]++
			if len(line) > len(written[key]) {
				written[key] = line
			}
		})
	}
	common := map[string][]string{}
	for group, counts := range lines {
		for _, key := range slices.Sorted(maps.Keys(counts)) {
			if n := counts[key]; n > 1 && 2*n > commands[group] {
				common[group] = append(common[group], written[key])
			}
		}
	}
	return common
}

// eachFlag calls f for each group of flags other than a command's own, with an empty line, and for each flag of it.
func eachFlag(text string, f func(group, line string)) {
	group := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case heading.MatchString(line):
			group = strings.TrimSuffix(line, ":")
			if slices.Contains([]string{"Usage", "Examples", "Commands", "Aliases", "Flags"}, group) {
				group = ""
			} else {
				f(group, "")
			}
		case !strings.HasPrefix(strings.TrimSpace(line), "-"):
			group = ""
		case group != "":
			f(group, line)
		}
	}
}

// without returns a help text without common flags, and links to their groups.
func without(text string, common map[string][]string) (kept string, groups []string) {
	drop := map[string]bool{}
	left := map[string]int{} // flags that stay, by the group
	eachFlag(text, func(group, line string) {
		switch {
		case line == "":
			left[group] = 0
		case slices.ContainsFunc(common[group], func(c string) bool {
			return padding.ReplaceAllString(c, " ") == padding.ReplaceAllString(line, " ")
		}):
			drop[line] = true
			if link := fmt.Sprintf("[%s](#%s)", strings.ToLower(group), strings.ReplaceAll(strings.ToLower(group), " ", "-")); !slices.Contains(groups, link) {
				groups = append(groups, link)
			}
		default:
			left[group]++
		}
	})
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if n, ok := left[strings.TrimSuffix(line, ":")]; drop[line] || ok && n == 0 {
			continue
		}
		b.WriteString(line + "\n")
	}
	return strings.TrimSpace(blankLines.ReplaceAllString(b.String(), "\n\n")), groups
}

var blankLines = regexp.MustCompile(`\n{3,}`)

// subcommands returns the names of the commands that a help text lists.
func subcommands(help string) []string {
	_, list, found := strings.Cut(help, "Commands:\n")
	if !found {
		return nil
	}
	list, _, _ = strings.Cut(list, "\n\n")
	var names []string
	for _, m := range command.FindAllStringSubmatch(list+"\n", -1) {
		names = append(names, m[1])
	}
	return names
}
