// Package eciimagenet trains on a serverless GPU of Alibaba Cloud, from an image
// cache that is made first.
package eciimagenet

import (
	"github.com/kfpgo/kfpgo/components/eci"
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/dsl"
)

// In is what can be changed from run to run.
type In struct {
	Epochs dsl.Param[int] `default:"90"`
}

const image = "registry.example.org/train/imagenet:2"

var training = pod.Spec{
	Image: image, Command: []string{"python", "/train.py"}, GPUs: 1,
	Mounts: []pod.Mount{eci.NAS("nas.example.org", "/imagenet", "/data")},
}

// Pipeline makes the cache, and then trains.
var Pipeline = dsl.Pipeline("eci-imagenet", func(s *dsl.Scope, in In) eci.RunOut {
	cache := eci.Cache.Call(s, eci.CacheIn{Name: dsl.Const("imagenet"), Images: dsl.Const([]string{image}), Size: dsl.Const(60)})
	return eci.Run.Call(s, eci.RunIn{
		Name: dsl.Const("imagenet"), Pod: dsl.Const(training), Snapshot: cache.Out.ID, Restart: dsl.Const("OnFailure"),
		Specs: dsl.Const([]string{"ecs.gn6i-c8g1.2xlarge", "ecs.gn7i-c8g1.2xlarge"}),
		Args:  dsl.Items(dsl.Const("--epochs"), dsl.Sprintf("%v", in.Epochs)),
	}).Out
})
