// Package argo is the targets of package compiler for Argo Workflows 3.6 and later.
//
//	yaml, err := compiler.Compile(mnist.Pipeline, argo.Workflow, compiler.Image("ghcr.io/acme/mnist:1.4"))
//
// It is a package of its own because Argo's types bring in most of Kubernetes: a
// program that compiles for KFP only starts in half the time without them.
package argo

import (
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/internal/emit"
	_ "github.com/kfpgo/kfpgo/internal/emit/withargo" // makes the targets work
)

// Version sets the version of Argo: 3.6, 3.7 or 4.0. Without it the YAML suits all of
// them; objects of version 4 have limits, so that large pipelines are divided.
func Version(version string) compiler.Option {
	return func(o *emit.Options) { o.ArgoVersion = version }
}

// The targets.
const (
	Workflow        compiler.Target = emit.Argo                // starts when it is submitted
	Template        compiler.Target = emit.ArgoTemplate        // a WorkflowTemplate, for argo submit --from
	ClusterTemplate compiler.Target = emit.ArgoClusterTemplate // a ClusterWorkflowTemplate
	Cron            compiler.Target = emit.ArgoCron            // a WorkflowTemplate, and a CronWorkflow for each schedule
)
