// Package k8s runs pipelines on a real Kubernetes with Argo Workflows, and compares
// what they come to with runs on this machine and with what was written by hand.
// make e2e starts the cluster, in about a minute when its programs are built, and
// takes it down again.
package k8s
