package kservemnist

import (
	"context"
	"os"

	"github.com/kfpgo/kfpgo/components/kserve"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/digits"
)

// On this machine KServe's Python package serves, unless there is a cluster.
func init() {
	if os.Getenv("KUBECONFIG") != "" {
		return
	}
	kserve.Serve.OnLocal(func(ctx context.Context, in kserve.ServeIn, out *kserve.ServeOut) error {
		url, err := digits.KServe.Start(ctx, in.Name.Get(), in.Model.Path())
		out.URL.Set(url)
		return err
	})
	kserve.Remove.OnLocal(func(_ context.Context, in kserve.RemoveIn, _ *dsl.None) error {
		return digits.KServe.Stop(in.Name.Get())
	})
}
