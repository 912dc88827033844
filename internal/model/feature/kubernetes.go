package feature

const (
	oneNode      = "there is one node"
	noPod        = "there is no pod"
	ofAttempt    = "an empty folder of the attempt"
	fromHere     = "taken from this machine's environment, under the variable's name, or else from the file KEY of the folder secrets/NAME or config-maps/NAME of KFPGO_HOME"
	fewFields    = "its IR holds some fields of pods only; use the options of package k8s"
	noAliases    = "its IR has no field for the names of a pod's hosts; write the address in place of the name, or pass it as an input"
	constantOnly = "its pod metadata is constant; use a constant"
)

// kubernetes are the features of package k8s.
var kubernetes = []Row{
	option("node-selector", yes, yes, but(oneNode)),
	optionWith("node-selector.reference", "of a reference", no("its label selector is constant; use a constant, or k8s.NodeSelectorJSON"), yes, but(oneNode)),
	option("node-selector.json", since(5, ""), yes, but(oneNode)),
	option("node-affinity", since(2, ""), yes, but(oneNode)),
	option("node-affinity.json", since(14, ""), but("of a run alone, not with k8s.NodeAffinity beside it"), but(oneNode)),
	option("pod-affinity", since(2, "but its servers up to 2.17 do nothing about it"), yes, but(oneNode)),
	option("toleration", since(2, ""), yes, but(oneNode)),
	option("toleration.json", since(5, ""), yes, but(oneNode)),

	option("mount-pvc", yes, yes, yes),
	row("mount-pvc.sub-path", "k8s.SubPath", since(16, ""), yes, yes),
	option("ephemeral-volume", since(2, ""), yes, but(ofAttempt)),
	option("empty-dir", since(3, ""), yes, but(ofAttempt)),
	option("shared-memory", since(3, "but its servers up to 2.17 do nothing about it; there, mount k8s.EmptyDir(\"shm\", \"/dev/shm\", k8s.InMemory())"), yes, but("containers have it; other steps have all of this machine's")),

	option("secret-env", yes, yes, but(fromHere)),
	option("secret-volume", yes, yes, but("the folder secrets/NAME of KFPGO_HOME, with a file for each key")),
	option("config-map-env", since(2, ""), yes, but(fromHere)),
	option("config-map-volume", since(2, ""), yes, but("the folder config-maps/NAME of KFPGO_HOME, with a file for each key")),
	row("source.reference", "the name of a secret or config map of a reference", since(5, "a whole parameter"), yes, yes),
	row("claim.reference", "the name of a claim of a reference", but("a whole parameter"), yes, yes),
	row("source.optional", "k8s.Optional of a volume", since(2, ""), yes, yes),
	row("source.optional.env", "k8s.Optional of a variable", since(15, ""), yes, yes),
	option("field-env", since(2, ""), yes, but("taken from this machine's environment, under the variable's name")),

	option("label", since(1, "several since 2.14"), yes, but(noPod)),
	optionWith("label.reference", "of a reference", no(constantOnly), but("a string that is not valid as the value of a label fails the task"), but(noPod)),
	option("annotation", since(1, "several since 2.14"), yes, but(noPod)),
	optionWith("annotation.reference", "of a reference", no(constantOnly), but("a string with {{ in it fails the task"), but(noPod)),
	option("pull-secret", since(2, ""), yes, but("podman and docker have logins of their own")),
	option("pull-policy", since(2, ""), yes, but("of containers; others have no image")),
	option("security-context", since(16, "the settings of an administrator override it"), yes, but("the user and group of containers; other steps run as whoever runs them")),
	option("init-container", since(18, ""), yes, no("there is no pod to run it in; give the component an OnLocal function, which runs without it")),
	optionWith("init-container.on-local", "of a component with OnLocal", since(18, ""), yes, but("the OnLocal function runs without it")),
	option("host-aliases", no(noAliases), yes, no("there is no pod with names of its own; give the component an OnLocal function, which runs without them")),
	optionWith("host-aliases.on-local", "of a component with OnLocal", no(noAliases), yes, but("the OnLocal function runs without them")),
	option("pod-patch", no(fewFields), yes, but(noPod)),
	optionWith("pod-patch.container", "of containers", no(fewFields), yes, no("there is no pod to patch; give the component an OnLocal function, which runs without it")),
	optionWith("pod-patch.container.on-local", "of containers, of a component with OnLocal", no(fewFields), yes, but("the OnLocal function runs without it")),
}
