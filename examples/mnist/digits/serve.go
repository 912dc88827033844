package digits

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/dsl"
)

// modelPath is where Publish and the server mount the volume with the model,
// which outlives the run.
const modelPath, modelFile = "/models", "mnist.json"

// noCluster is what the stand-ins say.
const noCluster = "there is no cluster here, and so nothing to deploy; the next steps go on without it"

//go:embed claim.yaml
var claimYAML string

//go:embed deployment.yaml
var deploymentYAML string

//go:embed service.yaml
var serviceYAML string

type ModelClaimIn struct {
	Name dsl.Param[string]
}

type ModelClaimOut struct {
	Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
}

// ModelClaim makes the volume for the model, where there is none yet.
var ModelClaim = dsl.Resource("model-claim", func(in ModelClaimIn, _ ModelClaimOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Apply, Manifest: fmt.Sprintf(claimYAML, in.Name)}
}).OnLocal(func(_ context.Context, in ModelClaimIn, out *ModelClaimOut) error {
	fmt.Println(noCluster)
	out.Name.Set(in.Name.Get())
	return nil
})

type PublishIn struct {
	Model dsl.Model
}

type PublishOut struct {
	Version dsl.Param[string]
}

// Publish puts the model where the server reads it.
var Publish = dsl.Func("publish", func(_ context.Context, in PublishIn, out *PublishOut) error {
	m, err := readModel(in.Model.Path())
	if err != nil {
		return err
	}
	out.Version.Set(m.version)
	b, err := os.ReadFile(in.Model.Path())
	if err != nil {
		return err
	}
	file := filepath.Join(dsl.MountPath(modelPath), modelFile)
	if err := os.WriteFile(file+".part", b, 0o644); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}, dsl.NoCache())

type ServeIn struct {
	Name    dsl.Param[string]
	Claim   dsl.Param[string]
	Version dsl.Param[string] `doc:"of the model; another one restarts the server"`
}

type ServeOut struct {
	Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
}

// Serve deploys this program as a server for the model.
var Serve = dsl.Resource("serve", func(in ServeIn, _ ServeOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{
		Action:   dsl.Apply,
		Manifest: fmt.Sprintf(deploymentYAML, in.Name, in.Claim, in.Version, dsl.ProgramImage),
		Success:  "status.availableReplicas > 0",
	}
}).OnLocal(func(_ context.Context, in ServeIn, out *ServeOut) error {
	fmt.Println(noCluster)
	out.Name.Set(in.Name.Get())
	return nil
})

type ExposeIn struct {
	Name dsl.Param[string] `doc:"of the Deployment"`
}

type ExposeOut struct {
	Host dsl.Param[string] `jsonpath:"{.metadata.name}" doc:"name of the server in the cluster; empty where there is no cluster"`
}

// Expose makes the server reachable, at a port of every node.
var Expose = dsl.Resource("expose", func(in ExposeIn, _ ExposeOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Apply, Manifest: fmt.Sprintf(serviceYAML, in.Name)}
}).OnLocal(func(_ context.Context, in ExposeIn, out *ExposeOut) error {
	fmt.Println(noCluster)
	out.Host.Set("") // Query serves the model itself
	return nil
})
