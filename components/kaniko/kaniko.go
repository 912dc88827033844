// Package kaniko builds images in the cluster, without a Docker daemon.
//
//	image := kaniko.Build.Call(s, kaniko.In{Context: code.Out.Source, Destination: dsl.Const("ghcr.io/acme/train:4")},
//		k8s.SecretVolume("registry", "/kaniko/.docker"))
//
// The secret is one of the type kubernetes.io/dockerconfigjson with the key
// config.json. The option pod.Placement{...}.Option() says where the image is built, and
// with how much memory. The program's own image needs none of this: kfpgo build makes it.
package kaniko

import (
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
)

// Image is what runs. It is pinned, since the project has ended: set another one
// with dsl.Image.
const Image = "gcr.io/kaniko-project/executor:v1.24.0"

// In is what to build.
type In struct {
	Context     dsl.Any           `doc:"the folder with the Dockerfile"`
	Destination dsl.Param[string] `doc:"where the image is pushed to, with a tag"`
	Dockerfile  dsl.Param[string] `default:"Dockerfile" doc:"its path in the context"`
	Target      dsl.Param[string] `kfp:",optional" doc:"the stage to build"`
	Cache       dsl.Param[string] `kfp:",optional" doc:"a repository for layers, which later builds use"`
	BuildArg    dsl.Param[string] `kfp:",optional" doc:"NAME=VALUE"`

	// More of them: the number of arguments of a container is fixed when it is compiled.
	BuildArg2 dsl.Param[string] `kfp:"build_arg_2,optional" doc:"NAME=VALUE"`
	BuildArg3 dsl.Param[string] `kfp:"build_arg_3,optional" doc:"NAME=VALUE"`
	BuildArg4 dsl.Param[string] `kfp:"build_arg_4,optional" doc:"NAME=VALUE"`
}

// Out is the image.
type Out struct {
	Digest dsl.Param[string] `doc:"sha256: and 64 digits, of the pushed image"`
}

// Build builds and pushes an image, the same for the same context.
var Build = New("kaniko-build")

// New returns Build under another name, for a pipeline that gives it a stand-in
// for runs on this machine with OnLocal:
//
//	var build = kaniko.New("build-server").OnLocal(buildHere)
func New(name string) *dsl.Component[In, Out] {
	return work.Check(dsl.Container(name, func(in In, out Out) dsl.ContainerSpec {
		return dsl.ContainerSpec{
			Image:   Image,
			Command: []string{"/kaniko/executor"},
			Args: dsl.Args(
				dsl.Concat("--context=dir://", in.Context.Path()),
				dsl.Concat("--dockerfile=", in.Context.Path(), "/", in.Dockerfile),
				dsl.Concat("--destination=", in.Destination),
				dsl.Concat("--digest-file=", out.Digest.Path()),
				"--reproducible",
				dsl.IfPresent(in.Target, dsl.Concat("--target=", in.Target)),
				dsl.IfPresent(in.Cache, "--cache=true", dsl.Concat("--cache-repo=", in.Cache)),
				dsl.IfPresent(in.BuildArg, dsl.Concat("--build-arg=", in.BuildArg)),
				dsl.IfPresent(in.BuildArg2, dsl.Concat("--build-arg=", in.BuildArg2)),
				dsl.IfPresent(in.BuildArg3, dsl.Concat("--build-arg=", in.BuildArg3)),
				dsl.IfPresent(in.BuildArg4, dsl.Concat("--build-arg=", in.BuildArg4)),
			),
		}
	}), func(c *work.Call) {
		if d, ok := work.Arg[string](c, "destination"); ok {
			if msg := pod.BadImage(d); msg != "" {
				c.Errorf("input destination: %s", msg)
			} else if !strings.ContainsAny(d[strings.LastIndex(d, "/")+1:], ":@") {
				c.Errorf("input destination: %q has no tag, and would be pushed as latest; write %s:TAG", d, d)
			}
		}
		for _, in := range []string{"dockerfile", "target"} {
			if s, ok := work.Arg[string](c, in); ok && c.Given(in) && (s == "" || strings.HasPrefix(s, "/") || slices.Contains(strings.Split(s, "/"), "..")) {
				c.Errorf("input %s: %q is not in the context", in, s)
			}
		}
		if r, ok := work.Arg[string](c, "cache"); ok && c.Given("cache") && (pod.BadImage(r) != "" || strings.ContainsAny(r[strings.LastIndex(r, "/")+1:], ":@")) {
			c.Errorf("input cache: %q is not a repository; write REGISTRY/NAME, without a tag", r)
		}
		set := map[string]string{} // input by name of the argument
		for _, in := range []string{"build_arg", "build_arg_2", "build_arg_3", "build_arg_4"} {
			a, ok := work.Arg[string](c, in)
			if !ok || !c.Given(in) {
				continue
			}
			name, _, ok := strings.Cut(a, "=")
			switch {
			case !ok || pod.BadEnv(name) != "":
				c.Errorf("input %s: %q is not of the form NAME=VALUE", in, a)
			case set[name] != "":
				c.Errorf("input %s: %s is set by input %s already", in, name, set[name])
			default:
				set[name] = in
			}
		}
	})
}
