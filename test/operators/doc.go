// Package operators runs ready-made components on a real Kubernetes beside the
// systems that they are for: Kubeflow's training operator and Trainer, KServe, and
// where no controller is to be had (Volcano's, Seldon's, Alibaba's) one of its own,
// which makes what that system's documentation says. `make e2e-systems` starts it all.
package operators
