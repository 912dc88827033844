// Package argo has the components, options and URIs that only Argo Workflows supports. A
// pipeline that uses one compiles for Argo and runs on this machine, with the limits that
// the table of features lists. The compiler refuses it for KFP, with the name of the feature.
//
//	argo.Suspend[In, Out]("approve", ...) a step that waits for a person
//	argo.Mutex("warehouse")               one step at a time, of all runs in the namespace
//	argo.Semaphore("limits", "licenses")  as many steps at a time as the config map says
//	argo.From(argo.S3{Endpoint: "..."})   the store and the credentials of an imported artifact
//	argo.Raw("level: debug")              the URI of an artifact with this content
//	argo.DebugPause()                     the pod stays, to look into it; on KFP too
//
// [Config] has Argo's settings of a whole pipeline, and package pod any field of a
// pod. Both mean nothing elsewhere.
package argo
