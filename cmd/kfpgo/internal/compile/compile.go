// Package compile has the commands that make what a cluster takes of a package: compile,
// which writes YAML, and build, which makes images.
package compile

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/emit"
	_ "github.com/kfpgo/kfpgo/internal/emit/withargo"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/review/vet"
)

// Commands returns compile and build.
func Commands() []*cobra.Command { return []*cobra.Command{newCompile(), newBuild()} }

func newCompile() *cobra.Command {
	var target, out string
	var o emit.Options
	var build, rbac, objects bool
	cmd := &cobra.Command{
		Use:   "compile PIPELINE",
		Short: "Compile a pipeline to YAML",
		Long: `Compile writes the YAML of a pipeline: KFP's intermediate representation, for
Kubeflow Pipelines 2, or an Argo Workflow, for Argo Workflows 3.6 and later. Targets
argo-template and argo-cluster-template write a WorkflowTemplate or a
ClusterWorkflowTemplate, and argo-cron a WorkflowTemplate with a CronWorkflow for each
schedule of the pipeline. Target kfp-manifest writes a PipelineVersion object, for KFP
servers that store pipelines in Kubernetes.

PIPELINE is the folder of a Go package, or its import path; #Name selects one of
several pipelines in it. It can also be a compiled pipeline: a file, or - for the
standard input. Compile writes nothing to the package and doesn't connect to a
cluster. If the name of FILE ends in .json, compile writes JSON.

Go components run in the image given by --image or KFPGO_IMAGE, unless they set their
own. With --build, compile builds this image and pushes it first, as kfpgo build does,
and the YAML has its digest. It also builds an image for each set of packages that
Python components name: their base image with the packages installed, as a tag of the
same repository. Then nothing is installed at run time.

With --objects, compile writes the Kubernetes objects that ready-made components and
operations on objects would create with these inputs, in place of the pipeline. A comment
above each object names the task. A value that is known only at run time is written as
<train.model>, a task and its output, or <epochs>, an input without a value.`,
		Example: `  kfpgo compile ./examples/calc --image registry.example.com/calc:1 -o calc.yaml
  kfpgo compile ./examples/calc --image registry.example.com/calc:1 --target argo
  kfpgo compile ./examples/calc --image localhost:5000/calc --build -o calc.yaml
  kfpgo compile ./examples/calc#PythonPipeline | kubectl create -f -
  kfpgo compile --objects ./examples/volcano-mnist -p epochs=5`,
		Args: cli.Exactly(1, "PIPELINE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			check := o
			if rbac { // whose account has a namespace
				check.Manifest.Namespace = ""
			}
			if err := emit.Check(target, check); err != nil {
				return cli.Usagef(cmd, "%v", err)
			}
			if err := flags.ReadParams(&o.Defaults); err != nil {
				return err
			}
			if build && input.IsFile(args[0]) {
				return cli.Usagef(cmd, "--build makes the image of a package, and %s is a file, which names its images", args[0])
			}
			if objects {
				if err := flags.Refuse(cmd, "has no effect on --objects; leave it out", "build", "rbac", "name", "display-name", "no-cache"); err != nil {
					return err
				}
			}
			p, err := input.Load(cmd.Context(), args[0])
			if err == nil && !rbac && !objects {
				err = p.NoSchedule(target)
			}
			if err == nil && build {
				err = Images(cmd, p, target, &o)
			}
			if err != nil {
				return err
			}
			var yaml []byte
			if objects {
				yaml, err = objectsOf(cmd.Context(), p, o)
			} else if rbac {
				var warning string
				if yaml, warning, err = emit.RBAC(p.Program, target, o); warning != "" {
					cli.Say(cmd.ErrOrStderr(), "kfpgo: warning: %s", warning)
				}
			} else if yaml, err = Write(cmd, p.Program, target, o); err == nil {
				p.TellSchedules(cmd.ErrOrStderr(), target)
			}
			if err != nil {
				return err
			}
			if strings.EqualFold(filepath.Ext(out), ".json") {
				if yaml, err = emit.JSON(yaml); err != nil {
					return fmt.Errorf("-o %s: %w", out, err)
				}
			}
			return cli.WriteFile(cmd, out, yaml)
		},
		ValidArgsFunction: input.Complete,
	}
	f := cmd.Flags()
	flags.Target(cmd, &target, "what to write")
	f.StringVarP(&out, "output", "o", "", "write to `FILE`; default: the standard output")
	flags.Image(f, &o.Image)
	f.StringVar(&o.ArtifactRoot, "artifact-root", "", "with --target argo: `URI` of the folder that holds artifacts, such as s3://bucket")
	f.StringVar(&o.KFPVersion, "kfp-version", "", "with --target kfp: `VERSION` of the server, such as 2.5, to write no field that it doesn't know; default: the newest")
	f.StringVar(&o.ArgoVersion, "argo-version", "", "with --target argo: `VERSION` of Argo, "+strings.Join(emit.ArgoVersions, ", ")+"; objects for 3 need not be divided; default: output for all of them")
	f.StringVar(&o.Account, "service-account", "", "with --target argo: `NAME` of the service account that the pods run as")
	f.StringVar(&o.ObjectAccount, "object-service-account", "", "with --target argo: `NAME` of the service account of the steps that work on objects of the cluster; default: that of the others")
	f.BoolVar(&rbac, "rbac", false, "with --target argo: write the accounts and the roles that the pods need, not the pipeline")
	f.BoolVar(&objects, "objects", false, "write the Kubernetes objects that tasks work on, not the pipeline")
	compileFlags(cmd, &o)
	flags.Build(f, &build)
	flags.Choices(cmd, "argo-version", emit.ArgoVersions...)
	return cmd
}

// compileFlags adds what takes the place of what a pipeline says itself.
func compileFlags(cmd *cobra.Command, o *emit.Options) {
	f := cmd.Flags()
	f.StringVar(&o.Name, "name", "", "call the pipeline `NAME`")
	f.StringVar(&o.Title, "display-name", "", "`TEXT` that the UI shows in place of the name")
	flags.Params(f, &o.Defaults, "a new default of an input", "new defaults")
	f.BoolVar(&o.NoCache, "no-cache", false, "disable caching for all tasks")
	f.StringVar(&o.Manifest.Namespace, "namespace", "", "with --target kfp-manifest or --rbac: `NAME` of the namespace")
	f.StringVar(&o.Manifest.Pipeline, "pipeline-name", "", "with --target kfp-manifest: `NAME` of the Pipeline object")
	f.StringVar(&o.Manifest.PipelineTitle, "pipeline-display-name", "", "with --target kfp-manifest: `TEXT` that the UI shows for it")
	f.StringVar(&o.Manifest.Version, "version-name", "", "with --target kfp-manifest: `NAME` of the PipelineVersion object")
	f.StringVar(&o.Manifest.VersionTitle, "version-display-name", "", "with --target kfp-manifest: `TEXT` that the UI shows for it")
	f.BoolVar(&o.Manifest.WithPipeline, "with-pipeline", false, "with --target kfp-manifest: write the Pipeline object too")
	cmd.RegisterFlagCompletionFunc("param", input.CompleteParam)
}

// Write writes a program for a target, and prints what is near or above its limits.
func Write(cmd *cobra.Command, p *program.Program, target string, o emit.Options) ([]byte, error) {
	w, err := emit.Write(p, target, o)
	if err != nil {
		return nil, err
	}
	for _, f := range vet.Written(w, target, o) {
		if f.Silenced != "" {
			continue
		}
		f.Level, f.Rule = vet.Warning, "" // it is compiled: whether the cluster takes it is the cluster's
		cli.Say(cmd.ErrOrStderr(), "kfpgo: %s", f)
	}
	return w.YAML, nil
}
