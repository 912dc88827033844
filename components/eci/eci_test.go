package eci_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/components/eci"
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

const image = "registry.example.org/train/imagenet:2"

var gpu = pod.Spec{Image: image, Command: []string{"python", "/train.py"}, GPUs: 1, Mounts: []pod.Mount{
	eci.NAS("x.nas.example.org", "/imagenet", "/data"), eci.FlexNAS("x.nas.example.org", "/models", "/models"),
}}

var pipeline = dsl.Pipeline("eci", func(s *dsl.Scope, _ dsl.None) eci.RunOut {
	cache := eci.Cache.Call(s, eci.CacheIn{Name: dsl.Const("imagenet"), Images: dsl.Const([]string{image}), Size: dsl.Const(60)})
	return eci.Run.Call(s, runIn(cache.Out.ID)).Out
})

func runIn(snapshot dsl.Param[string]) eci.RunIn {
	return eci.RunIn{
		Name: dsl.Const("imagenet"), Pod: dsl.Const(gpu), Specs: dsl.Const([]string{"ecs.gn6i-c8g1.2xlarge", "ecs.gn7i-c8g1.2xlarge"}),
		Snapshot: snapshot, Restart: dsl.Const("OnFailure"),
	}
}

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

func TestRun(t *testing.T) {
	c := (&kubefake.Cluster{ClusterKinds: []string{"ImageCache"}, States: map[string][]map[string]any{
		"ImageCache": {{"phase": "Creating", "progress": "40%"}, {"phase": "Ready", "progress": "100%", "imageCacheId": "imc-1"}},
		"Pod":        {{"phase": "Running"}, {"phase": "Succeeded"}},
	}}).Start(t)
	cache, err := eci.Cache.Run(t.Context(), eci.CacheIn{Name: dsl.Const("imagenet"), Images: dsl.Const([]string{image}), Secrets: dsl.Const([]string{"default:registry"})})
	if err != nil || cache.ID.Get() != "imc-1" {
		t.Fatal(cache, err)
	}
	if _, err := eci.Run.Run(t.Context(), runIn(cache.ID)); err != nil {
		t.Fatal(err)
	}
	tried.Sent(t, c, "gpu")
	if _, err := eci.Run.Run(t.Context(), eci.RunIn{Name: dsl.Const("cpu"), Pod: dsl.Const(pod.Spec{Image: image}), Specs: dsl.Const([]string{"4-8Gi"}), AutoCache: dsl.Const(true)}); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]eci.RunIn{
		"spot":       {SpotStrategy: dsl.Const(eci.SpotAsPriceGo)},
		"spot-limit": {SpotStrategy: dsl.Const(eci.SpotWithPriceLimit), SpotPriceLimit: dsl.Const(0.25)},
	} {
		c := (&kubefake.Cluster{States: map[string][]map[string]any{"Pod": {{"phase": "Succeeded"}}}}).Start(t)
		in.Name, in.Pod, in.Specs = dsl.Const("cpu"), dsl.Const(pod.Spec{Image: image}), dsl.Const([]string{"4-8Gi"})
		if _, err := eci.Run.Run(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		tried.Sent(t, c, name)
	}
	(&kubefake.Cluster{States: map[string][]map[string]any{"ImageCache": {{"phase": "Failed", "message": "no such image"}}}}).Start(t)
	_, err = eci.Cache.Run(t.Context(), eci.CacheIn{Name: dsl.Const("imagenet"), Images: dsl.Const([]string{image})})
	tried.Fails(t, err, "ImageCache imagenet", "has failed: status.phase == Failed; no such image")
}

var misused = dsl.Pipeline("misused", func(s *dsl.Scope, _ dsl.None) dsl.None {
	name := dsl.Const("a")
	specs := func(s ...string) dsl.Param[[]string] { return dsl.Const(s) }
	both := eci.RunIn{Name: name, Pod: dsl.Const(gpu), Specs: specs("ecs.gn6i-c8g1.2xlarge"), InstanceType: dsl.Const("ecs.gn6i-c8g1.2xlarge")}
	two := runIn(dsl.Const("imc-1"))
	two.AutoCache = dsl.Const(true)
	own := gpu
	own.Annotations = map[string]string{"k8s.aliyun.com/eci-use-specs": "x"}
	eci.Run.Call(s, both)                                                                              // want "both Specs and InstanceType are set"
	eci.Run.Call(s, two)                                                                               // want "both Snapshot and AutoCache are set"
	eci.Run.Call(s, eci.RunIn{Name: name, Pod: dsl.Const(gpu)})                                        // want "1 GPUs and no instance type that has them; set Specs"
	eci.Run.Call(s, eci.RunIn{Name: name, Pod: dsl.Const(gpu), Specs: specs("4-8Gi")})                 // want "a size such as 4-8Gi has no GPU"
	eci.Run.Call(s, eci.RunIn{Name: name, Pod: dsl.Const(gpu), Specs: specs("gn6i")})                  // want "input specs: .gn6i. is neither an instance type"
	eci.Run.Call(s, eci.RunIn{Name: name, Pod: dsl.Const(own), Specs: specs("ecs.gn6i.large")})        // want "the annotation k8s.aliyun.com/eci-use-specs has an input of its own"
	eci.Cache.Call(s, eci.CacheIn{Name: name, Images: dsl.Const([]string{"a:5000/x"})})                // want "input images: .a:5000/x. has no tag or digest"
	eci.Cache.Call(s, eci.CacheIn{Name: name, Images: dsl.Const([]string{"x:1"}), Size: dsl.Const(5)}) // want "input size is 5 GiB"
	spot := func(s eci.SpotStrategy, limit dsl.Param[float64]) eci.RunIn {
		return eci.RunIn{Name: name, Pod: dsl.Const(pod.Spec{Image: "x:1"}), SpotStrategy: dsl.Const(s), SpotPriceLimit: limit}
	}
	none := dsl.Param[float64]{}
	eci.Run.Call(s, spot("Spot", none))                                                                            // want "input spot_strategy is .Spot.; there are SpotAsPriceGo and SpotWithPriceLimit"
	eci.Run.Call(s, spot(eci.SpotAsPriceGo, dsl.Const(0.5)))                                                       // want "input spot_price_limit: only the strategy SpotWithPriceLimit has a limit"
	eci.Run.Call(s, eci.RunIn{Name: name, Pod: dsl.Const(pod.Spec{Image: "x:1"}), SpotPriceLimit: dsl.Const(0.5)}) // want "input spot_price_limit: only the strategy SpotWithPriceLimit has a limit"
	eci.Run.Call(s, spot(eci.SpotWithPriceLimit, none))                                                            // want "input spot_strategy: SpotWithPriceLimit has no limit; set SpotPriceLimit"
	eci.Run.Call(s, spot(eci.SpotWithPriceLimit, dsl.Const(0.0)))                                                  // want "input spot_price_limit is 0; a price per hour is above 0"
	eci.Run.Call(s, spot(eci.SpotWithPriceLimit, dsl.Const(0.1234)))                                               // want "input spot_price_limit is 0.1234; a price per hour .* three decimals"
	return dsl.None{}
})

func TestMisused(t *testing.T) { tried.Mistakes(t, "eci_test.go", misused) }
