// Package kfp connects to the API servers of Kubeflow Pipelines 2.0 to 2.17.
//
//	c, err := kfp.Connect(kfp.Config{Endpoint: "https://kfp.example.com/pipeline"})
//	run, err := client.Submit(ctx, c, calc.Pipeline, calc.CalcIn{A: dsl.Const(12.0)})
//
// [FromContext] is the Config of a context of the kfpgo command.
//
// # The line in go.mod
//
// A module that imports this package needs one line in its go.mod, since KFP's own
// module asks for a version of Kubernetes that isn't served. These commands add it and
// the dependencies; kfpgo init writes it:
//
//	go mod edit -replace k8s.io/kubernetes=k8s.io/kubernetes@v1.11.1
//	go mod tidy
package kfp
