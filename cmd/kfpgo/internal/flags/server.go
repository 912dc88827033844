// Package flags is the one place for flags that several commands have, and for what is
// behind them: those that name a server lead to a connection.
package flags

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/internal/net/contexts"
	"github.com/kfpgo/kfpgo/internal/net/scrub"
)

// Server is the flags that say which server a command connects to, and how to authenticate to it.
type Server struct {
	On          string // engine, if it was given
	ClusterZone string // that crons of KFP go by
	context     string
	timeout     time.Duration
	contexts.Settings
}

// Add makes the flags.
func (f *Server) Add(fs *pflag.FlagSet) {
	fs.StringVar(&f.context, "context", "", "use the server of context `NAME`; default: KFPGO_CONTEXT, else the current one")
	fs.DurationVar(&f.timeout, "request-timeout", 0, "`TIME` for one request; default 30s")
	InGroup(fs, Connection, "context", "request-timeout")
	ours := func(s *contexts.Field) bool { return s.Only == "" && !s.Secret }
	Settings(fs, &f.Settings, ours)
	for _, s := range contexts.Fields() {
		if ours(s) && len(s.Env) > 0 && !strings.Contains(s.Help, "default") {
			fs.Lookup(s.Flag).Usage += "; default: " + strings.Join(s.Env, " or ") + ", else the context's"
		}
	}
}

// AddStore makes the flags that say where a server keeps artifacts.
func (f *Server) AddStore(fs *pflag.FlagSet) {
	Settings(fs, &f.Settings, func(s *contexts.Field) bool { return s.Name == "Metadata" || s.Name == "Store" })
}

// Settings makes the flags of settings.
func Settings(fs *pflag.FlagSet, to *contexts.Settings, which func(*contexts.Field) bool) {
	for _, f := range contexts.Fields() {
		if !which(f) {
			continue
		}
		switch at := f.In(to).(type) {
		case *bool:
			fs.BoolVar(at, f.Flag, false, f.Help)
		case *[]string:
			fs.StringArrayVar(at, f.Flag, nil, f.Help)
		case *string:
			if f.Secret {
				fs.Bool(f.Flag, false, f.Help)
			} else {
				fs.StringVar(at, f.Flag, "", f.Help)
			}
		}
		InGroup(fs, groupOf(f.Group, f.Name), f.Flag)
	}
}

// ServerNames are the flags that may precede the command too.
func ServerNames() []string {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(Server).Add(fs)
	var names []string
	fs.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// Anywhere lets the flags of servers precede the command. Commands that connect to no
// server refuse them.
func Anywhere(root *cobra.Command) {
	new(Server).Add(root.PersistentFlags())
	for _, name := range ServerNames() {
		root.PersistentFlags().Lookup(name).Hidden = true
	}
}

// NoServer refuses flags of servers for a command that doesn't use them.
func NoServer(cmd *cobra.Command) error {
	for _, name := range ServerNames() {
		if f := cmd.Root().PersistentFlags().Lookup(name); f != nil && f.Changed {
			return cli.Usagef(cmd, "--%s is for commands that connect to a server; %s doesn't", name, cmd.CommandPath())
		}
	}
	return nil
}

// Again returns the flags that lead to the same server once more, for a shell. Addresses
// are shown without passwords, and commands that print tokens without their arguments.
func (f *Server) Again() string {
	s := ""
	if f.On != "" {
		s = " --on " + cli.ShellWord(f.On)
	}
	var same Server
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	same.Add(fs)
	same = *f // after Add, which sets defaults
	fs.VisitAll(func(flag *pflag.Flag) {
		switch value := flag.Value.String(); {
		case value == flag.DefValue:
		case flag.Name == "token-command":
			s += " --token-command " + cli.ShellWord(f.TokenCommand[0])
			if len(f.TokenCommand) > 1 {
				s += " …"
			}
		case flag.Value.Type() == "bool":
			s += " --" + flag.Name
		default:
			s += " --" + flag.Name + " " + cli.ShellWord(shownFlag(flag.Name, value))
		}
	})
	return s
}

// shownFlag returns the value of a flag without passwords.
func shownFlag(name, value string) string {
	for _, f := range contexts.Fields() {
		if f.Flag == name && f.URL {
			return scrub.URL(value)
		}
	}
	return value
}
