package schedule

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
)

// complete completes the names of schedules.
func (f *engineFlags) complete() cobra.CompletionFunc {
	return cli.Completion(func(cmd *cobra.Command, args []string) ([]string, error) {
		if f.On == "local" { // whose folder is made by commands, and not while the user is typing
			home, err := flags.Home(f.home)
			if err == nil {
				_, err = os.Stat(home)
			}
			if err != nil {
				return nil, err
			}
		}
		on, err := f.open(cmd)
		if err != nil {
			return nil, err
		}
		defer on.close()
		all, err := on.Schedules(cmd.Context())
		var names []string
		for _, s := range all {
			names = append(names, cli.Described(s.Name, s.Pipeline+", "+whenWords(s)))
		}
		return names, err
	})
}
