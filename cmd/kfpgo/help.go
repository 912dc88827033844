package main

// usageTemplate is cobra's, in this command's words and without the lines that
// only repeat what is above them.
const usageTemplate = `Usage:{{if .HasAvailableSubCommands}}
  {{.CommandPath}} VERB [flags]{{else}}
  {{.UseLine}}{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}

Verbs:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Flags of all verbs:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableSubCommands}}

'{{.CommandPath}} VERB --help' says more about a verb.{{end}}
`
