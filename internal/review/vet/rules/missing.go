package rules

import (
	"fmt"

	"github.com/kfpgo/kfpgo/dsl"
)

func init() { add("missing", MissingFound, MissingFixed) }

const waitYAML = `apiVersion: v1
kind: Pod
metadata: {generateName: train-}
spec:
  restartPolicy: Never
  containers: [{name: train, image: "ghcr.io/acme/train:3", volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: "%v"}}]
`

// Found:

var MissingFound = dsl.Pipeline("missing", func(s *dsl.Scope, _ dsl.None) dsl.None {
	dsl.Resource("train", func(dsl.None, dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Create, Manifest: fmt.Sprintf(waitYAML, "training-data"), Success: "status.phase == Succeeded"}
	}).Call(s, dsl.None{})
	return dsl.None{}
})

// Fixed:

type TrainIn struct{ Claim dsl.Param[string] }

var MissingFixed = dsl.Pipeline("missing-fixed", func(s *dsl.Scope, in TrainIn) dsl.None {
	dsl.Resource("train-on", func(in TrainIn, _ dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Create, Manifest: fmt.Sprintf(waitYAML, in.Claim), Success: "status.phase == Succeeded"}
	}).Call(s, in)
	return dsl.None{}
})
