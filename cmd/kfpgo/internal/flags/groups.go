package flags

import (
	"slices"

	"github.com/spf13/pflag"
)

// The groups that --help shows flags in, after those that are in none.
const (
	Here           = "On this machine"
	Remote         = "On a server"
	Connection     = "Connection to the server"
	Authentication = "Authentication"
)

// A Group is flags that --help shows together.
type Group struct{ Title, Usages string }

const groupKey = "kfpgo-group"

// InGroup puts flags into a group.
func InGroup(fs *pflag.FlagSet, group string, names ...string) {
	for _, name := range names {
		fs.SetAnnotation(name, groupKey, []string{group})
	}
}

// Groups returns flags as --help shows them; those in no group come first, with a title
// of their own.
func Groups(fs *pflag.FlagSet, others string) (all []Group) {
	sets := map[string]*pflag.FlagSet{}
	fs.VisitAll(func(f *pflag.Flag) {
		group := others
		if g := f.Annotations[groupKey]; g != nil {
			group = g[0]
		}
		if sets[group] == nil {
			sets[group] = pflag.NewFlagSet("", pflag.ContinueOnError)
		}
		sets[group].AddFlag(f)
	})
	for _, title := range []string{others, Here, Remote, Connection, Authentication} {
		if set := sets[title]; set != nil && set.HasAvailableFlags() {
			all = append(all, Group{title, set.FlagUsages()})
		}
	}
	return all
}

// groupOf returns the group of a setting of a server.
func groupOf(group, name string) string {
	if group == "credential" || slices.Contains([]string{"User", "UserHeader", "Cert", "Key"}, name) {
		return Authentication
	}
	return Connection
}
