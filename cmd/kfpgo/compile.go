package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/internal/emit"
	_ "github.com/kfpgo/kfpgo/internal/emit/withargo"
	"github.com/kfpgo/kfpgo/internal/model/contract"
)

func newCompile() *cobra.Command {
	var target, out string
	var o emit.Options
	var build, rbac bool
	cmd := &cobra.Command{
		Use:   "compile PIPELINE",
		Short: "Write the YAML of a pipeline",
		Long: `Compile writes the YAML of a pipeline: KFP's intermediate representation, for
Kubeflow Pipelines 2, or an Argo Workflow, for Argo Workflows 3.6 and later. Targets
argo-template and argo-cluster-template are templates that Workflows are started from,
and argo-cron is a template with a CronWorkflow for each schedule of the pipeline.
Target kfp-manifest is a PipelineVersion for kubectl, for KFP servers that keep pipelines
in Kubernetes.

PIPELINE is the folder of a Go package, or its import path; #Name picks one of
several pipelines in it. It may be a compiled pipeline too: a file, or - for the
standard input. Nothing is written to the package, and no cluster is asked for
anything. A FILE that ends in .json is written as JSON.

Go components run in the image that is given by --image or by KFPGO_IMAGE,
unless they name one themselves. With --build it is built and pushed there first,
as kfpgo build does, and the YAML names its digest. So are images for the Python
components that name packages: their base image with the packages on it, one for
each set, as tags of the same repository; then nothing is installed at run time.`,
		Example: `  kfpgo compile ./examples/calc --image registry.example.com/calc:1 -o calc.yaml
  kfpgo compile ./examples/calc --image registry.example.com/calc:1 --target argo
  kfpgo compile ./examples/calc --image localhost:5000/calc --build -o calc.yaml
  kfpgo compile ./examples/calc#PythonPipeline | kubectl create -f -`,
		Args: exactly(1, "PIPELINE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			check := o
			if rbac { // whose account has a namespace
				check.Manifest.Namespace = ""
			}
			if err := emit.Check(target, check); err != nil {
				return usagef(cmd, "%v", err)
			}
			if err := readParams(&o.Defaults); err != nil {
				return err
			}
			if build && isFile(args[0]) {
				return usagef(cmd, "--build makes the image of a package, and %s is a file, which names its images", args[0])
			}
			p, _, picked, err := loadPicked(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if !rbac {
				if err := noSchedule(args[0], target, picked); err != nil {
					return err
				}
			}
			if build {
				if o.Image, err = buildImage(cmd, p, args[0], o.Image, func(image string) error {
					o.Image = image
					_, err := emit.Emit(p, target, o)
					return err
				}); err != nil {
					return err
				}
			}
			var yaml []byte
			if rbac {
				var warning string
				if yaml, warning, err = emit.RBAC(p, target, o); warning != "" {
					say(cmd.ErrOrStderr(), "kfpgo: warning: %s", warning)
				}
			} else {
				yaml, err = writeFor(cmd, p, target, o)
			}
			if err != nil {
				return err
			}
			if !rbac {
				tellSchedules(cmd.ErrOrStderr(), args[0], target, p)
			}
			if strings.EqualFold(filepath.Ext(out), ".json") {
				if yaml, err = emit.JSON(yaml); err != nil {
					return fmt.Errorf("-o %s: %w", out, err)
				}
			}
			return write(cmd, out, yaml)
		},
		ValidArgsFunction: completePipeline,
	}
	f := cmd.Flags()
	f.StringVarP(&target, "target", "t", emit.KFP, "what to write: "+strings.Join(emit.Targets, ", "))
	f.StringVarP(&out, "output", "o", "", "write to `FILE`; default: the standard output")
	f.StringVar(&o.Image, "image", os.Getenv(contract.ImageVar), "container image `REF` of the program, for its Go components")
	f.StringVar(&o.ArtifactRoot, "artifact-root", "", "with --target argo: `URI` of the folder that holds artifacts, such as s3://bucket")
	f.StringVar(&o.KFPVersion, "kfp-version", "", "with --target kfp: `VERSION` of the server, such as 2.5, to write no field that it doesn't know; default: the newest")
	f.StringVar(&o.ArgoVersion, "argo-version", "", "with --target argo: `VERSION` of Argo, "+strings.Join(emit.ArgoVersions, ", ")+"; objects for 3 need not be divided; default: what suits all of them")
	f.StringVar(&o.Account, "service-account", "", "with --target argo: `NAME` of the service account that the pods run as")
	f.StringVar(&o.ObjectAccount, "object-service-account", "", "with --target argo: `NAME` of the service account of the steps that work on objects of the cluster; default: that of the others")
	f.BoolVar(&rbac, "rbac", false, "with --target argo: write the accounts and the roles that the pods need, not the pipeline")
	f.Lookup("image").DefValue = ""
	compileFlags(cmd, &o)
	f.BoolVar(&build, "build", false, "build the images of the components and push them to --image")
	cmd.RegisterFlagCompletionFunc("argo-version", cobra.FixedCompletions(emit.ArgoVersions, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("target", cobra.FixedCompletions(emit.Targets, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// compileFlags adds what takes the place of what a pipeline says itself.
func compileFlags(cmd *cobra.Command, o *emit.Options) {
	f := cmd.Flags()
	f.StringVar(&o.Name, "name", "", "call the pipeline `NAME`")
	f.StringVar(&o.Title, "display-name", "", "`TEXT` that the UI shows in place of the name")
	f.StringArrayVarP(&o.Defaults.Flags, "param", "p", nil, "a new default of an input, as `NAME=VALUE`; may be repeated")
	f.StringVar(&o.Defaults.File, "params-file", "", "YAML `FILE` with an object of new defaults; -p wins over it")
	f.BoolVar(&o.NoCache, "no-cache", false, "every task runs even if an equal one has run before")
	f.StringVar(&o.Manifest.Namespace, "namespace", "", "with --target kfp-manifest or --rbac: `NAME` of the namespace")
	f.StringVar(&o.Manifest.Pipeline, "pipeline-name", "", "with --target kfp-manifest: `NAME` of the Pipeline object")
	f.StringVar(&o.Manifest.PipelineTitle, "pipeline-display-name", "", "with --target kfp-manifest: `TEXT` that the UI shows for it")
	f.StringVar(&o.Manifest.Version, "version-name", "", "with --target kfp-manifest: `NAME` of the PipelineVersion object")
	f.StringVar(&o.Manifest.VersionTitle, "version-display-name", "", "with --target kfp-manifest: `TEXT` that the UI shows for it")
	f.BoolVar(&o.Manifest.WithPipeline, "with-pipeline", false, "with --target kfp-manifest: write the Pipeline object too")
	cmd.RegisterFlagCompletionFunc("param", completeParam)
}
