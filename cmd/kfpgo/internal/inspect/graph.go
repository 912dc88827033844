package inspect

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/review/picture"
	"github.com/kfpgo/kfpgo/internal/review/picture/raster"
)

// drawings are the forms of a picture, by the ending of a file's name.
var drawings = map[string]func(*program.Program, picture.Direction) ([]byte, error){
	"png":  raster.PNG,
	"svg":  func(p *program.Program, to picture.Direction) ([]byte, error) { return picture.SVG(p, nil, to) },
	"html": picture.HTML,
	"dot":  picture.DOT,
	"mmd":  picture.Mermaid,
	"txt":  picture.Outline,
}

var drawingNames = []string{"svg", "png", "html", "dot", "mmd", "txt"}

func newGraph() *cobra.Command {
	var format, out string
	var down, all bool
	cmd := &cobra.Command{
		Use:   "graph PIPELINE",
		Short: "Draw the tasks of a pipeline",
		Long: `Graph draws the tasks of a pipeline and their dependencies, with boxes around loops,
branches, nested pipelines and tasks guarded by an exit handler. The extension of FILE is
the format: .svg and .html for browsers, .png for documents, .dot for Graphviz, .mmd for
Mermaid, which many sites draw in Markdown, and .txt for a terminal, with a line for each
task that names the sources of its inputs.

Blue arrows pass artifacts, gray arrows pass parameters, and dotted arrows only order tasks.
Badges mark steps with GPUs and volumes. If a pipeline has too many tasks for a picture,
graph draws equal tasks with equal neighbors as one box, and groups as boxes, innermost
first; --all draws each task.`,
		Example: `  kfpgo graph ./examples/mnist -o mnist.svg
  kfpgo graph pipeline.yaml -o pipeline.html
  kfpgo graph ./examples/mnist --format mmd
  kfpgo graph ./examples/mnist --format txt`,
		Args: cli.Exactly(1, "PIPELINE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := drawingForm(cmd, format, out)
			if err != nil {
				return err
			}
			loaded, err := input.Load(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			p := loaded.Program
			if loaded.Schedule != nil || loaded.Built == nil {
				for _, s := range p.Schedules {
					cli.Say(cmd.ErrOrStderr(), "note: the picture is of the pipeline; schedule %s, its times and its arguments, isn't in it", s.Name)
				}
			}
			to := picture.Right
			if down {
				to = picture.Down
			}
			if !all && form != "txt" {
				f := picture.Fold(p, picture.Readable)
				if f.Folded() {
					fmt.Fprintf(cmd.ErrOrStderr(), "%d tasks are drawn as %d boxes; --all draws each\n", f.Tasks, f.Boxes)
				}
				p = f.Program
			}
			b, err := drawings[form](p, to)
			if err != nil {
				return err
			}
			return cli.WriteFile(cmd, out, b)
		},
		ValidArgsFunction: input.Complete,
	}
	f := cmd.Flags()
	f.StringVarP(&out, "output", "o", "", "write to `FILE`; default: the standard output")
	f.StringVar(&format, "format", "", "`FORM`: svg, png, html, dot, mmd or txt; default: the extension of -o, or else svg")
	f.BoolVar(&all, "all", false, "draw each task of a large pipeline")
	f.BoolVar(&down, "down", false, "draw from top to bottom, not from left to right")
	flags.Choices(cmd, "format", drawingNames...)
	return cmd
}

// drawingForm returns the form that is asked for.
func drawingForm(cmd *cobra.Command, format, out string) (string, error) {
	ending := strings.TrimPrefix(filepath.Ext(out), ".")
	switch {
	case format != "" && !slices.Contains(drawingNames, format):
		return "", cli.Usagef(cmd, "there is no format %q; the formats are svg, png, html, dot, mmd and txt", format)
	case format != "":
		return format, nil
	case slices.Contains(drawingNames, ending):
		return ending, nil
	case out == "":
		return "svg", nil
	}
	return "", cli.Usagef(cmd, "-o %s: the ending says no form; end it in .svg, .png, .html, .dot, .mmd or .txt, or give --format", out)
}
