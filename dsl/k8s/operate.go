package k8s

import (
	"github.com/kfpgo/kfpgo/internal/kube/kubeop"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A program that uses Kubernetes objects can work on them by itself, which it
// does on KFP. One that does not has no HTTP client.
func init() { record.Operate = kubeop.Operate }
