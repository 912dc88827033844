// Package inspect has the commands that look at pipelines: vet, which finds what is likely
// to go wrong, diff, which says what changed, and graph, which draws them.
package inspect

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/review/vet"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// Commands returns vet, diff and graph.
func Commands() []*cobra.Command { return []*cobra.Command{newVet(), newDiff(), newGraph()} }

var vetFormats = []string{"table", "json", "sarif", "github"}

func newVet() *cobra.Command {
	v := &vetting{}
	cmd := &cobra.Command{
		Use:   "vet PIPELINE",
		Short: "Find likely mistakes in a pipeline",
		Long: `Vet finds likely mistakes in a pipeline that compiles: images whose tag can change,
conditions that are never true, cached steps that read the clock, claims that several
nodes would mount, secrets in plain text, and objects near the size limits of a cluster.
--explain RULE prints the page of a rule.

With --quota, vet compares the resource requests of tasks with a ResourceQuota, a Queue of
Volcano or a ClusterQueue of Kueue: each task, and all that can run at the same time.

Vet checks the objects of ready-made components and of operations on objects like tasks;
kfpgo compile --objects prints them. With --objects-in, vet looks up the claims and secrets
that they need among the objects of a file, which kubectl get pvc,secret -o yaml prints. A
note, which is not an error, reports one that is neither in the file nor an input.

Vet also finds features that the target doesn't support, as compile does. It doesn't
connect to a cluster. The exit code is 1 if a finding is an error, and 0 if there are only
warnings and notes.

A comment in Go suppresses a rule on its line and the next line, and gives the reason:

  //kfpgo:ignore image our mirror never changes a tag`,
		Example: `  kfpgo vet ./examples/mnist
  kfpgo vet pipeline.yaml --target argo
  kfpgo vet ./examples/gpu-pod --quota quota.yaml
  kfpgo vet ./examples/mnist -o sarif >vet.sarif
  kfpgo vet --explain pvc`,
		Args: func(cmd *cobra.Command, args []string) error {
			if v.explain != "" && len(args) == 0 {
				return nil
			}
			return cli.Exactly(1, "PIPELINE")(cmd, args)
		},
		RunE:              v.run,
		ValidArgsFunction: input.Complete,
	}
	f := cmd.Flags()
	flags.Target(cmd, &v.target, "whose limits count")
	flags.FormatOf(cmd, &v.format, vetFormats...)
	f.Lookup("output").Usage = "`FORM` of the result: table, json, sarif (for code scanners) or github (for a workflow of GitHub Actions)"
	f.StringArrayVar(&v.quotas, "quota", nil, "`FILE` with a quota for the pods of a run; - is standard input; may be repeated")
	f.StringArrayVar(&v.there, "objects-in", nil, "`FILE` with objects that are in the cluster, such as claims and secrets; - is standard input; again for more")
	f.StringSliceVar(&v.disable, "disable", nil, "`RULES` that aren't looked for, such as image,toleration")
	f.StringVar(&v.explain, "explain", "", "print the page of a `RULE`: "+strings.Join(vet.Names(), ", "))
	flags.Image(f, &v.o.Image)
	f.StringVar(&v.o.ArtifactRoot, "artifact-root", "", "with --target argo: `URI` of the folder that holds artifacts, such as s3://bucket")
	f.StringVar(&v.o.KFPVersion, "kfp-version", "", "with --target kfp: `VERSION` of the server, such as 2.5; fields that it doesn't know are errors")
	f.StringVar(&v.o.ArgoVersion, "argo-version", "", "with --target argo: `VERSION` of Argo: "+strings.Join(emit.ArgoVersions, ", "))
	flags.Choices(cmd, "explain", vet.Names()...)
	flags.Choices(cmd, "disable", vet.Names()...)
	return cmd
}

// vetting is what vet is asked for.
type vetting struct {
	target, format, explain string
	quotas, there, disable  []string
	o                       emit.Options
}

func (v *vetting) run(cmd *cobra.Command, args []string) error {
	for _, name := range append(slices.Clone(v.disable), v.explain) {
		if name != "" && vet.Lookup(name) == nil {
			return cli.Usagef(cmd, "there is no rule %q; the rules are %s", name, strings.Join(vet.Names(), ", "))
		}
	}
	if v.explain != "" {
		_, err := io.WriteString(cmd.OutOrStdout(), vet.Lookup(v.explain).Page())
		return err
	}
	if !slices.Contains(vetFormats, v.format) {
		return cli.Usagef(cmd, "there is no format %q; the formats are table, json, sarif and github", v.format)
	}
	if err := emit.Check(v.target, v.o); err != nil {
		return cli.Usagef(cmd, "%v", err)
	}
	o := vet.Options{Argo: emit.OnArgo(v.target)}
	err := readFiles(v.quotas, vet.ParseQuotas, &o.Quotas)
	if err == nil {
		err = readFiles(v.there, vet.ParseThere, &o.There)
	}
	if err != nil {
		return err
	}
	p, err := input.Load(cmd.Context(), args[0])
	if err != nil {
		return err
	}
	if steps := p.Steps(cmd.Context()); steps != nil {
		o.Steps = func(s []contract.Step) (all []contract.Planned, failed error) {
			all, failed = steps(s)
			err = errors.Join(err, failed)
			return all, failed
		}
	}
	found := v.find(p.Program, o)
	if err != nil {
		return err
	}
	return printFindings(cmd, found, v.format, args[0])
}

// readFiles adds what is in files to a list.
func readFiles[T any](files []string, parse func(file string, data []byte) ([]T, error), all *[]T) error {
	for _, file := range files {
		var b []byte
		var err error
		if file == "-" {
			file = "standard input"
			b, err = io.ReadAll(os.Stdin)
		} else {
			b, err = os.ReadFile(file)
		}
		if err != nil {
			return err
		}
		more, err := parse(file, b)
		if err != nil {
			return err
		}
		*all = append(*all, more...)
	}
	return nil
}

// find returns what the rules find, and what compiling does.
func (v *vetting) find(p *program.Program, rules vet.Options) []vet.Finding {
	found := vet.Program(p, rules)
	o := v.o
	if o.Image == "" { // which one it is changes no finding
		o.Image = "example.com/program:1"
	}
	w, err := emit.Write(p, v.target, o)
	mistakes, rest := emit.Split(err)
	for _, m := range mistakes {
		found = append(found, vet.Finding{Level: vet.Error, Rule: "compile", Pos: m.Pos, Msg: m.Msg})
	}
	for _, e := range rest {
		found = append(found, vet.Finding{Level: vet.Error, Rule: "compile", Msg: e.Error()})
	}
	if err == nil {
		found = append(found, vet.Written(w, v.target, o)...)
	}
	found = vet.Silence(p, found)
	return slices.DeleteFunc(found, func(f vet.Finding) bool { return slices.Contains(v.disable, f.Rule) })
}

func printFindings(cmd *cobra.Command, found []vet.Finding, format, pipeline string) (err error) {
	w := cmd.OutOrStdout()
	errors, warnings, notes := 0, 0, 0
	for _, f := range found {
		switch {
		case f.Silenced != "":
			continue
		case f.Level == vet.Error:
			errors++
		case f.Level == vet.Note:
			notes++
		default:
			warnings++
		}
		if format == "table" && err == nil {
			err = cli.Say(w, "%s", f)
		}
	}
	switch format {
	case "json":
		err = cli.WriteJSON(w, map[string]any{"findings": append([]vet.Finding{}, found...), "errors": errors, "warnings": warnings, "notes": notes})
	case "sarif":
		var b bytes.Buffer
		if err = vet.WriteSARIF(&b, found, pipeline, emit.Version()); err == nil {
			_, err = cli.Raw(w).Write(printable.JSON(b.Bytes()))
		}
	case "github":
		err = vet.WriteGitHub(w, found, pipeline)
	}
	if err == nil && errors > 0 {
		return cli.ErrFailed
	}
	return err
}
