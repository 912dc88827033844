// Package argo has the task options and calls that only Argo Workflows knows. A
// pipeline that uses one is compiled for Argo and runs on this machine, as far as
// the reference of features says; for KFP it is refused, by the name of what it uses.
//
//	argo.Mutex("warehouse")              one step at a time, of all runs in the namespace
//	argo.Semaphore("limits", "licenses") as many steps at a time as the config map says
//	argo.From(argo.S3{Endpoint: "..."})  how Argo gets at an artifact that is imported
//	argo.Raw("text")                     the URI of an artifact that is a text
//
// What Argo does for a whole pipeline is said by dsl.ArgoConfig, and any field of a
// pod by package pod.
package argo
