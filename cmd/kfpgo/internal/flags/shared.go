package flags

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// Refuse refuses flags that a command doesn't use, and says which command does.
func Refuse(cmd *cobra.Command, why string, names ...string) error {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return cli.Usagef(cmd, "--%s %s", name, why)
		}
	}
	return nil
}

// Choices completes a flag with the values that it may have.
func Choices(cmd *cobra.Command, name string, values ...string) {
	cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// Format is -o, the form of a result, for cli.Display.
func Format(cmd *cobra.Command, format *string) { FormatOf(cmd, format, cli.Formats...) }

// FormatOf is -o with other forms, the first of which is the default. --format is its alias.
func FormatOf(cmd *cobra.Command, format *string, forms ...string) {
	f := cmd.Flags()
	f.StringVarP(format, "output", "o", forms[0], "`FORM` of the result: "+strings.Join(forms, ", "))
	f.SetAnnotation("output", cli.FormsKey, forms)
	f.StringVar(format, "format", forms[0], "the same as --output")
	f.MarkHidden("format")
	Choices(cmd, "output", forms...)
	Choices(cmd, "format", forms...)
}

// Target is --target, the format that is written.
func Target(cmd *cobra.Command, target *string, what string) {
	cmd.Flags().StringVarP(target, "target", "t", emit.KFP, what+": "+strings.Join(emit.Targets, ", "))
	Choices(cmd, "target", emit.Targets...)
}

// Engine is --on, where runs are: on this machine or on a server.
func Engine(cmd *cobra.Command, fs *pflag.FlagSet, on *string, which string) {
	fs.StringVar(on, "on", "local", "`ENGINE` that "+which+": local, kfp or argo")
	Choices(cmd, "on", "local", "kfp", "argo")
}

// Home returns the folder for runs: what --home says, or else the usual one.
func Home(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	return run.Home()
}

// Deletes makes a command ask before it deletes the objects that its arguments name, unless --yes is given.
func Deletes(cmd *cobra.Command, what, between string) *cobra.Command {
	var yes bool
	do := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := cli.Confirm(cmd, yes, "delete "+what+strings.Join(args, between)); err != nil {
			return err
		}
		return do(cmd, args)
	}
	Yes(cmd, &yes)
	return cmd
}

// Yes is --yes, with which cli.Confirm doesn't ask.
func Yes(cmd *cobra.Command, yes *bool) {
	cmd.Flags().BoolVarP(yes, "yes", "y", false, "delete without asking")
}

// Image is --image, the image of the program.
func Image(fs *pflag.FlagSet, image *string) {
	fs.StringVar(image, "image", os.Getenv(contract.ImageVar), "container image `REF` of the program, for its Go components")
	fs.Lookup("image").DefValue = ""
}

// CheckImage checks the image of the program, by the name of the flag or of the variable
// that stands in for it. A run on this machine has no use for it.
func CheckImage(cmd *cobra.Command) error {
	f := cmd.Flags().Lookup("image")
	if f == nil {
		return nil
	}
	name := "--image"
	if !f.Changed {
		if on := cmd.Flags().Lookup("on"); on != nil && on.Value.String() == "local" {
			return nil
		}
		name = contract.ImageVar
	}
	if err := emit.CheckImage(f.Value.String()); err != nil {
		return cli.Usagef(cmd, "%s: %v", name, err)
	}
	return nil
}

// Build is --build, which makes images first.
func Build(fs *pflag.FlagSet, build *bool) {
	fs.BoolVar(build, "build", false, "build the images of the components and push them to --image")
}

// Params is -p and --params-file, which give the inputs of a pipeline values.
func Params(fs *pflag.FlagSet, given *params.Options, one, all string) {
	fs.StringArrayVarP(&given.Flags, "param", "p", nil, one+", as `NAME=VALUE`; may be repeated")
	fs.StringVar(&given.File, "params-file", "", "YAML `FILE` with an object of "+all+"; -p wins over it")
}

// ReadParams reads the file that --params-file names, if it does.
func ReadParams(given *params.Options) (err error) {
	if given.File == "" {
		return nil
	}
	if given.YAML, err = os.ReadFile(given.File); err != nil {
		return fmt.Errorf("--params-file: %w", err)
	}
	return nil
}
