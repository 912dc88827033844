package feature

var soon = no("no option sets it yet")

// kubernetes are the features of package k8s.
var kubernetes = []Row{
	row("node-selector", "k8s.NodeSelector", yes, yes, but("there is one node")),
	row("node-selector.reference", "k8s.NodeSelector of a reference", no("its label selector is constant; use a constant"), yes, but("there is one node")),
	row("toleration", "k8s.Tolerate", yes, yes, but("there is one node")),
	row("mount-pvc", "k8s.MountPVC", yes, yes, yes),
	row("secret-env", "k8s.SecretEnv", yes, yes, but("taken from this machine's environment, under the variable's name")),
	row("label", "k8s.Label", yes, yes, but("there is no pod")),
	row("label.reference", "k8s.Label of a reference", no("its pod metadata is constant; use a constant"), no("a label must be known to be valid; use a constant"), but("there is no pod")),
	row("annotation", "k8s.Annotation", yes, yes, but("there is no pod")),
	row("annotation.reference", "k8s.Annotation of a reference", no("its pod metadata is constant; use a constant"), no("Argo would replace {{ in it; use a constant"), but("there is no pod")),

	row("node-selector.json", "k8s.NodeSelectorJSON", soon, soon, soon),
	row("node-affinity", "k8s.NodeAffinity", soon, soon, soon),
	row("pod-affinity", "k8s.PodAffinity", soon, soon, soon),
	row("ephemeral-volume", "k8s.EphemeralVolume", soon, soon, soon),
	row("empty-dir", "k8s.EmptyDir", soon, soon, soon),
	row("shared-memory", "k8s.SharedMemory", soon, soon, soon),
	row("secret-volume", "k8s.SecretVolume", soon, soon, soon),
	row("config-map-env", "k8s.ConfigMapEnv", soon, soon, soon),
	row("config-map-volume", "k8s.ConfigMapVolume", soon, soon, soon),
	row("field-env", "k8s.FieldEnv", soon, soon, soon),
	row("pull-secret", "k8s.PullSecret", soon, soon, soon),
	row("pull-policy", "k8s.PullPolicy", soon, soon, soon),
	row("security-context", "k8s.SecurityContext", soon, soon, soon),
	row("init-container", "k8s.InitContainer", soon, soon, soon),
}
