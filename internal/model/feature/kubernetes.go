package feature

import "github.com/kfpgo/kfpgo/internal/model/program"

const (
	oneNode      = "there is one node"
	noPod        = "there is no pod"
	ofAttempt    = "an empty folder of the attempt"
	fromHere     = "taken from this machine's environment, under the variable's name, or else from the file KEY of the folder secrets/NAME or config-maps/NAME of KFPGO_HOME"
	fewFields    = "its IR holds some fields of pods only; use the options of package k8s"
	constantOnly = "its pod metadata is constant; use a constant"
)

// kubernetes are the features of package k8s.
var kubernetes = []Row{
	row("node-selector", "k8s.NodeSelector", yes, yes, but(oneNode)),
	row("node-selector.reference", "k8s.NodeSelector of a reference", no("its label selector is constant; use a constant, or k8s.NodeSelectorJSON"), yes, but(oneNode)),
	row("node-selector.json", "k8s.NodeSelectorJSON", since(5, ""), yes, but(oneNode)),
	row("node-affinity", "k8s.NodeAffinity", since(2, ""), yes, but(oneNode)),
	row("node-affinity.json", "k8s.NodeAffinityJSON", since(14, ""), but("of a run alone, not with k8s.NodeAffinity beside it"), but(oneNode)),
	row("pod-affinity", "k8s.PodAffinity, PodAntiAffinity", since(2, "but its servers up to 2.17 do nothing about it"), yes, but(oneNode)),
	row("toleration", "k8s.Tolerate", since(2, ""), yes, but(oneNode)),
	row("toleration.json", "k8s.TolerationJSON", since(5, ""), yes, but(oneNode)),

	row("mount-pvc", "k8s.MountPVC", yes, yes, yes),
	row("mount-pvc.sub-path", "k8s.SubPath", since(16, ""), yes, yes),
	row("ephemeral-volume", "k8s.EphemeralVolume", since(2, ""), yes, but(ofAttempt)),
	row("empty-dir", "k8s.EmptyDir", since(3, ""), yes, but(ofAttempt)),
	row("shared-memory", "k8s.SharedMemory", since(3, "but its servers up to 2.17 do nothing about it; there, mount k8s.EmptyDir(\"shm\", \"/dev/shm\", k8s.InMemory())"), yes, but("containers have it; other steps have all of this machine's")),

	row("secret-env", "k8s.SecretEnv", yes, yes, but(fromHere)),
	row("secret-volume", "k8s.SecretVolume", yes, yes, but("the folder secrets/NAME of KFPGO_HOME, with a file for each key")),
	row("config-map-env", "k8s.ConfigMapEnv", since(2, ""), yes, but(fromHere)),
	row("config-map-volume", "k8s.ConfigMapVolume", since(2, ""), yes, but("the folder config-maps/NAME of KFPGO_HOME, with a file for each key")),
	row("source.reference", "the name of a secret or config map of a reference", since(5, "a whole parameter"), yes, yes),
	row("claim.reference", "the name of a claim of a reference", but("a whole parameter"), yes, yes),
	row("source.optional", "k8s.Optional of a volume", since(2, ""), yes, yes),
	row("source.optional.env", "k8s.Optional of a variable", since(15, ""), yes, yes),
	row("field-env", "k8s.FieldEnv", since(2, ""), yes, but("taken from this machine's environment, under the variable's name")),

	row("label", "k8s.Label", since(1, "several since 2.14"), yes, but(noPod)),
	row("label.reference", "k8s.Label of a reference", no(constantOnly), but("a string that is not valid as the value of a label fails the task"), but(noPod)),
	row("annotation", "k8s.Annotation", since(1, "several since 2.14"), yes, but(noPod)),
	row("annotation.reference", "k8s.Annotation of a reference", no(constantOnly), but("a string with {{ in it fails the task"), but(noPod)),
	row("pull-secret", "k8s.PullSecret", since(2, ""), yes, but("podman and docker have logins of their own")),
	row("pull-policy", "k8s.Pull", since(2, ""), yes, but("of containers; others have no image")),
	row("security-context", "k8s.RunAsUser, RunAsGroup, RunAsNonRoot", since(16, "the settings of an administrator override it"), yes, but("the user and group of containers; other steps run as whoever runs them")),
	row("init-container", "k8s.InitContainer, Sidecar", since(18, ""), yes, no("there is no pod to run it in; give the component an OnLocal function, which runs without it")),
	row("init-container.on-local", "k8s.InitContainer, Sidecar of a component with OnLocal", since(18, ""), yes, but("the OnLocal function runs without it")),
	row("pod-patch", "pod.Patch", no(fewFields), yes, but(noPod)),
	row("pod-patch.container", "pod.Patch of containers", no(fewFields), yes, no("there is no pod to patch; give the component an OnLocal function, which runs without it")),
	row("pod-patch.container.on-local", "pod.Patch of containers, of a component with OnLocal", no(fewFields), yes, but("the OnLocal function runs without it")),
}

// kubernetes adds the options that only Kubernetes knows.
func (u *user) kubernetes(k *program.Kubernetes, c *program.Component) {
	has := func(id string, set bool) {
		if set {
			u.add(id)
		}
	}
	object := func(id string, v program.Value, optional string) {
		u.add(id)
		u.value(v)
		has("source.reference", v.Kind != program.Const)
		has(optional, optional != "")
	}
	may := func(id string, optional bool) string {
		if optional {
			return id
		}
		return ""
	}
	for _, kv := range k.NodeSelector {
		u.knob("node-selector", kv.Value)
	}
	for _, kv := range k.Labels {
		u.knob("label", kv.Value)
	}
	for _, kv := range k.Annotations {
		u.knob("annotation", kv.Value)
	}
	has("node-selector.json", k.NodeSelectorJSON != nil)
	for _, t := range k.Tolerations {
		has("toleration", t.JSON == nil)
		has("toleration.json", t.JSON != nil)
	}
	for _, a := range k.NodeAffinity {
		has("node-affinity", a.JSON == nil)
		has("node-affinity.json", a.JSON != nil)
	}
	has("pod-affinity", len(k.PodAffinity) > 0)
	for _, m := range k.PVCMounts {
		u.add("mount-pvc")
		u.value(m.Claim)
		has("claim.reference", m.Claim.Kind != program.Const)
		has("mount-pvc.sub-path", m.SubPath != "")
	}
	has("ephemeral-volume", len(k.EphemeralVolumes) > 0)
	has("empty-dir", len(k.EmptyDirs) > 0)
	has("shared-memory", k.SharedMemory != nil)
	for _, e := range k.SecretEnv {
		object("secret-env", e.Object, may("source.optional.env", e.Optional))
	}
	for _, v := range k.SecretVolumes {
		object("secret-volume", v.Object, may("source.optional", v.Optional))
	}
	for _, e := range k.ConfigMapEnv {
		object("config-map-env", e.Object, may("source.optional.env", e.Optional))
	}
	for _, v := range k.ConfigMapVolumes {
		object("config-map-volume", v.Object, may("source.optional", v.Optional))
	}
	has("field-env", len(k.FieldEnv) > 0)
	for _, v := range k.PullSecrets {
		object("pull-secret", v, "")
	}
	has("pull-policy", k.PullPolicy != "")
	has("security-context", k.SecurityContext != nil)
	stand := c.Exec != nil && c.Exec.OnLocal
	if k.PodPatch != nil {
		patched := len(k.PatchedContainers()) > 0
		has("pod-patch", !patched)
		has("pod-patch.container", patched && !stand)
		has("pod-patch.container.on-local", patched && stand)
	}
	if len(k.InitContainers) > 0 {
		has("init-container", !stand)
		has("init-container.on-local", stand)
	}
}
