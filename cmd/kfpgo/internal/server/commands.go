package server

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/internal/net/paging"
)

// noun returns a command whose subcommands all have the flags of servers.
func noun(f *flags.Server, use, short, long string, commands ...*cobra.Command) *cobra.Command {
	cmd := cli.Noun(use, short, long, commands...)
	f.Add(cmd.PersistentFlags())
	return cmd
}

// with connects to a server for a command.
func with[C any](connect func(*cobra.Command) (C, error), do func(*cobra.Command, C, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, err := connect(cmd)
		if err != nil {
			return err
		}
		return do(cmd, c, args)
	}
}

// onlyKFP returns a command that only KFP has. Its arguments are the words after it.
func onlyKFP(f *flags.Server, use, short string, do func(*cobra.Command, *kfp.Client, []string) error) *cobra.Command {
	_, what, some := strings.Cut(use, " ")
	args := cobra.NoArgs
	if some {
		args = cli.Exactly(1+strings.Count(what, " "), what)
	}
	of, _, _ := strings.Cut(what, " ")
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: with(f.KFP, do), ValidArgsFunction: cli.First(completeKept(f, of))}
}

// act is an onlyKFP that does one thing with what its argument names.
func act(f *flags.Server, use, short string, do func(*kfp.Client, context.Context, string) error) *cobra.Command {
	return onlyKFP(f, use, short, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
		return do(c, cmd.Context(), args[0])
	})
}

// show is an onlyKFP that shows one thing, which get returns with its rows as a table.
func show(f *flags.Server, use, short string, get func(ctx context.Context, c *kfp.Client, args []string) (any, func(*cli.Table), error)) *cobra.Command {
	var format string
	cmd := onlyKFP(f, use, short, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
		value, rows, err := get(cmd.Context(), c, args)
		if err != nil {
			return err
		}
		return cli.Display(cmd, format, value, rows)
	})
	flags.Format(cmd, &format)
	return cmd
}

// A pager returns a page of a list, and the token of the next one.
type pager[T any] func(context.Context, kfp.ListOptions) ([]*T, string, error)

// list is an onlyKFP that shows a page, or all of them, as a table with a head and a row for each.
func list[T any](f *flags.Server, use, short string, pages func(ctx context.Context, c *kfp.Client, args []string) (pager[T], error), head []any, row func(*T) []any) (*cobra.Command, *listFlags) {
	l := &listFlags{}
	cmd := onlyKFP(f, use, short, func(cmd *cobra.Command, c *kfp.Client, args []string) error {
		if err := l.check(cmd); err != nil {
			return err
		}
		page, err := pages(cmd.Context(), c, args)
		if err != nil {
			return err
		}
		o, all := l.ListOptions, []*T{}
		for trail := (paging.Trail{}); ; {
			some, next, err := page(cmd.Context(), o)
			if err != nil {
				return err
			}
			all = append(all, some...)
			if o.Page = next; next == "" || !l.all {
				break
			}
			if err := trail.Follow(cmd.Context(), next); err != nil {
				return err
			}
		}
		more(cmd, o.Page)
		return cli.Display(cmd, l.format, all, func(t *cli.Table) {
			t.Row(head...)
			for _, one := range all {
				t.Row(row(one)...)
			}
		})
	})
	l.add(cmd)
	return cmd, l
}

// listFlags are those of each list.
type listFlags struct {
	kfp.ListOptions
	all    bool
	format string
}

func (l *listFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&l.Filter, "filter", "", "a filter of KFP's API, as `JSON`")
	f.StringVar(&l.Sort, "sort-by", "", "`FIELD` to sort by, with \" desc\" for the last one first; default: created_at desc")
	f.IntVar(&l.Size, "max-size", 20, "at most `N` on a page")
	f.StringVar(&l.Page, "page-token", "", "`TOKEN` of the page to show")
	f.BoolVar(&l.all, "all", false, "all pages")
	f.StringVar(&l.Name, "name", "", "only those called `NAME`")
	flags.Format(cmd, &l.format)
}

func (l *listFlags) addArchived(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&l.Archived, "archived", false, "those that are archived, in place of those that aren't")
}

func (l *listFlags) check(cmd *cobra.Command) error {
	if l.Size < 1 || l.Size > 1000 {
		return cli.Usagef(cmd, "--max-size %d: it must be from 1 to 1000", l.Size)
	}
	return nil
}

// more says that there is another page.
func more(cmd *cobra.Command, next string) {
	if next != "" {
		cli.Say(cmd.ErrOrStderr(), "there are more: --page-token %s shows the next page, --all shows all", next)
	}
}
