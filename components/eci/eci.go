// Package eci runs pods on Alibaba Cloud's serverless Elastic Container Instance:
// GPUs by the second, from an image cache that is made first.
//
//	cache := eci.Cache.Call(s, eci.CacheIn{Name: dsl.Const("torch"), Images: dsl.Const([]string{image}), Size: dsl.Const(60)})
//	eci.Run.Call(s, eci.RunIn{
//		Name: dsl.Const("imagenet"), Pod: dsl.Const(pod.Spec{Image: image, GPUs: 1, Mounts: []pod.Mount{eci.NAS(server, "/imagenet", "/data")}}),
//		Specs: dsl.Const([]string{"ecs.gn6i-c8g1.2xlarge", "ecs.gn7i-c8g1.2xlarge"}), Snapshot: cache.Out.ID,
//	})
package eci

import (
	"context"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// The annotations of a pod.
const (
	useSpecs     = "k8s.aliyun.com/eci-use-specs"
	instanceType = "k8s.aliyun.com/eci-instance-type"
	imageCache   = "k8s.aliyun.com/eci-image-cache"
	snapshot     = "k8s.aliyun.com/eci-image-snapshot-id"
	spotStrategy = "k8s.aliyun.com/eci-spot-strategy"
	spotLimit    = "k8s.aliyun.com/eci-spot-price-limit"
)

// A SpotStrategy says how the price of a preemptible instance is set. Such an instance
// costs less, and may be taken away after an hour.
type SpotStrategy string

// The strategies.
const (
	SpotAsPriceGo      SpotStrategy = "SpotAsPriceGo"      // what the market asks
	SpotWithPriceLimit SpotStrategy = "SpotWithPriceLimit" // at most SpotPriceLimit
)

type m = map[string]any

// CacheIn is images that pods start from without pulling them.
type CacheIn struct {
	Name      dsl.Param[string]   `doc:"of the ImageCache" check:"name"`
	Images    dsl.Param[[]string] `doc:"with a tag or digest each"`
	Size      dsl.Param[int]      `default:"25" doc:"of the cache, in GiB" check:"min=1"`
	Retention dsl.Param[int]      `kfp:"retention_days" default:"7" doc:"days until it is deleted" check:"min=1"`
	Secrets   dsl.Param[[]string] `kfp:",optional" doc:"for private registries, as namespace:name"`
	work.Limits
}

// CacheOut is the cache.
type CacheOut struct {
	ID dsl.Param[string] `kfp:"id" doc:"of the snapshot, for Run"`
}

// Cache creates or updates an ImageCache and waits until it is ready, which takes
// minutes; its progress is in the log.
var Cache = work.Step("eci-image-cache", func(ctx context.Context, in CacheIn, out *CacheOut) error {
	spec := m{"images": in.Images.Get(), "imageCacheSize": in.Size.Get(), "retentionDays": in.Retention.Get()}
	if s := in.Secrets.Get(); len(s) > 0 {
		spec["imagePullSecrets"] = s
	}
	got, err := work.Do(ctx, in.Limits, "", work.Object{
		Manifest: m{"apiVersion": "eci.alibabacloud.com/v1", "kind": "ImageCache", "metadata": m{"name": in.Name.Get()}, "spec": spec},
		Success:  "status.phase == Ready, status.imageCacheId", Failure: "status.phase == Failed",
	})
	if err != nil {
		return err
	}
	out.ID.Set(work.Field(got[0], "status.imageCacheId"))
	return nil
}, func(c *work.Call) {
	images, ok := work.Arg[[]string](c, "images")
	if ok && len(images) == 0 {
		c.Errorf("input images: the list is empty")
	}
	for _, i := range images {
		if name := i[strings.LastIndex(i, "/")+1:]; !strings.ContainsAny(name, ":@") {
			c.Errorf("input images: %q has no tag or digest, so that the cache may hold another image than the pod asks for", i)
		}
	}
	for _, i := range images {
		if msg := pod.BadImage(i); msg != "" {
			c.Errorf("input images: %s", msg)
		}
	}
	if n, ok := work.Arg[int](c, "size"); ok && n > 0 && n < 20 {
		c.Errorf("input size is %d GiB; a cache has 20 at least", n)
	}
	secrets, _ := work.Arg[[]string](c, "secrets")
	for _, s := range secrets {
		if ns, name, ok := strings.Cut(s, ":"); !ok || pod.BadName(ns) != "" || pod.BadName(name) != "" {
			c.Errorf("input secrets: %q is not of the form namespace:name", s)
		}
	}
}, work.MakesWide("eci.alibabacloud.com", "imagecaches"))

// RunIn is a pod.
type RunIn struct {
	Name         dsl.Param[string]            `doc:"the object's name starts with it" check:"name"`
	Pod          dsl.Param[pod.Spec]          `doc:"what runs"`
	Args         dsl.Param[[]string]          `kfp:",optional" doc:"more arguments"`
	Env          dsl.Param[map[string]string] `kfp:",optional" doc:"more variables" check:"env"`
	Specs        dsl.Param[[]string]          `kfp:",optional" doc:"ECS instance types or sizes such as 4-8Gi, tried in order (eci-use-specs)"`
	InstanceType dsl.Param[string]            `kfp:",optional" doc:"one ECS instance type (eci-instance-type), in place of Specs"`
	Snapshot     dsl.Param[string]            `kfp:",optional" doc:"ID of an image cache, from Cache"`
	AutoCache    dsl.Param[bool]              `default:"false" doc:"look for a cache that fits (eci-image-cache)"`
	Restart      dsl.Param[string]            `default:"Never" doc:"Never or OnFailure"`

	SpotStrategy   dsl.Param[SpotStrategy] `kfp:",optional" doc:"SpotAsPriceGo or SpotWithPriceLimit: a preemptible instance, whose pod fails when it is taken away (eci-spot-strategy)"`
	SpotPriceLimit dsl.Param[float64]      `kfp:",optional" doc:"with SpotWithPriceLimit: the highest price per hour, with three decimals at most (eci-spot-price-limit)"`
	work.Limits
}

// RunOut is the pod that ran.
type RunOut struct{ Name dsl.Param[string] }

// specOf returns what runs, with the annotations of an instance.
func specOf(in RunIn) pod.Spec {
	s := in.Pod.Get().With(in.Args.Get(), in.Env.Get())
	s.Annotations, s.Labels = copied(s.Annotations), copied(s.Labels)
	s.Labels["alibabacloud.com/eci"] = "true"
	if specs := in.Specs.Get(); len(specs) > 0 {
		s.Annotations[useSpecs] = strings.Join(specs, ",")
	}
	limit := ""
	if price, ok := in.SpotPriceLimit.Lookup(); ok {
		limit = strconv.FormatFloat(price, 'f', -1, 64)
	}
	for key, v := range map[string]string{
		instanceType: in.InstanceType.Get(), snapshot: in.Snapshot.Get(), spotStrategy: string(in.SpotStrategy.Get()), spotLimit: limit,
	} {
		if v != "" {
			s.Annotations[key] = v
		}
	}
	if in.AutoCache.Get() {
		s.Annotations[imageCache] = "true"
	}
	return s
}

func copied(of map[string]string) map[string]string {
	if of == nil {
		return map[string]string{}
	}
	return maps.Clone(of)
}

// Run runs a pod to its end, with its logs.
var Run = work.Step("eci-run", func(ctx context.Context, in RunIn, out *RunOut) error {
	got, err := work.RunPod(ctx, in.Limits, in.Name.Get(), in.Restart.Get(), specOf(in))
	if err != nil {
		return err
	}
	out.Name.Set(work.Field(got, "metadata.name"))
	return nil
}, checkRun, work.Makes("", "pods"))

var (
	ecsType = lazyregexp.New(`^ecs\.[a-z0-9-]+\.[a-z0-9]+$`)
	sizes   = lazyregexp.New(`^[0-9.]+-[0-9.]+Gi$`)
)

func checkRun(c *work.Call) {
	s, ok := work.Arg[pod.Spec](c, "pod")
	if ok {
		for _, key := range []string{useSpecs, instanceType, imageCache, snapshot, spotStrategy, spotLimit} {
			if _, own := s.Annotations[key]; own {
				c.Errorf("input pod: the annotation %s has an input of its own", key)
			}
		}
	}
	specs, known := work.Arg[[]string](c, "specs")
	if c.Given("specs") && c.Given("instance_type") {
		c.Errorf("both Specs and InstanceType are set; a pod says one or the other")
	}
	if ok && s.GPUs > 0 && !c.Given("specs") && !c.Given("instance_type") {
		c.Errorf("%d GPUs and no instance type that has them; set Specs", s.GPUs)
	}
	if known && ok && s.GPUs > 0 && slices.ContainsFunc(specs, sizes.MatchString) {
		c.Errorf("input specs: a size such as 4-8Gi has no GPU; name instance types")
	}
	for _, spec := range specs {
		if !ecsType.MatchString(spec) && !sizes.MatchString(spec) {
			c.Errorf("input specs: %q is neither an instance type, such as ecs.gn6i-c4g1.xlarge, nor a size, such as 4-8Gi", spec)
		}
	}
	if t, ok := work.Arg[string](c, "instance_type"); ok && c.Given("instance_type") && !ecsType.MatchString(t) {
		c.Errorf("input instance_type: %q is not of the form ecs.gn6i-c4g1.xlarge", t)
	}
	if auto, _ := work.Arg[bool](c, "auto_cache"); auto && c.Given("snapshot") {
		c.Errorf("both Snapshot and AutoCache are set; a pod starts from one cache")
	}
	work.OneOf(c, "restart", "Never", "OnFailure")
	c.Containers("pod", "main")
	checkSpot(c)
}

func checkSpot(c *work.Call) {
	strategy, known := work.Arg[SpotStrategy](c, "spot_strategy")
	if known {
		work.OneOf(c, "spot_strategy", SpotAsPriceGo, SpotWithPriceLimit)
	}
	limited := c.Given("spot_price_limit")
	switch {
	case limited && (!c.Given("spot_strategy") || known && strategy != SpotWithPriceLimit):
		c.Errorf("input spot_price_limit: only the strategy SpotWithPriceLimit has a limit; set SpotStrategy")
	case !limited && strategy == SpotWithPriceLimit:
		c.Errorf("input spot_strategy: SpotWithPriceLimit has no limit; set SpotPriceLimit")
	}
	if price, ok := work.Arg[float64](c, "spot_price_limit"); ok && limited && (price <= 0 || price != math.Round(price*1000)/1000) {
		c.Errorf("input spot_price_limit is %v; a price per hour is above 0 and has three decimals at most", price)
	}
}

// NAS mounts a folder of a NAS file system through Alibaba's CSI driver.
func NAS(server, folder, path string) pod.Mount {
	return pod.Mount{Path: path, Volume: m{"csi": m{"driver": "nasplugin.csi.alibabacloud.com", "volumeAttributes": m{"server": server, "path": folder, "vers": "3"}}}}
}

// FlexNAS mounts a folder of a NAS file system through FlexVolume, on clusters
// that are older than the CSI driver.
func FlexNAS(server, folder, path string) pod.Mount {
	return pod.Mount{Path: path, Volume: m{"flexVolume": m{"driver": "alicloud/nas", "fsType": "nfs", "options": m{"server": server, "path": folder, "vers": "3"}}}}
}
