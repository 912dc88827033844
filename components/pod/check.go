package pod

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/text/near"
)

// sources are Kubernetes' volume sources.
var sources = []string{
	"awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "fc",
	"flexVolume", "flocker", "gcePersistentDisk", "gitRepo", "glusterfs", "hostPath", "image", "iscsi", "nfs", "persistentVolumeClaim",
	"photonPersistentDisk", "portworxVolume", "projected", "quobyte", "rbd", "scaleIO", "secret", "storageos", "vsphereVolume",
}

// fields are those of a PodSpec.
var fields = []string{
	"activeDeadlineSeconds", "affinity", "automountServiceAccountToken", "containers", "dnsConfig", "dnsPolicy", "enableServiceLinks",
	"ephemeralContainers", "hostAliases", "hostIPC", "hostNetwork", "hostPID", "hostUsers", "hostname", "hostnameOverride", "imagePullSecrets",
	"initContainers", "nodeName", "nodeSelector", "os", "overhead", "preemptionPolicy", "priority", "priorityClassName", "readinessGates",
	"resourceClaims", "resources", "restartPolicy", "runtimeClassName", "schedulerName", "schedulingGates", "securityContext", "serviceAccount",
	"serviceAccountName", "setHostnameAsFQDN", "shareProcessNamespace", "subdomain", "terminationGracePeriodSeconds", "tolerations",
	"topologySpreadConstraints", "volumes",
}

// into returns functions that add a message to a list: any one, and one about a field,
// unless it is empty.
func into(msgs *[]string) (bad func(format string, args ...any), say func(field, msg string)) {
	bad = func(format string, args ...any) { *msgs = append(*msgs, fmt.Sprintf(format, args...)) }
	return bad, func(field, msg string) {
		if msg != "" {
			bad("%s: %s", field, msg)
		}
	}
}

// Check returns the errors in a spec.
func (s Spec) Check() (msgs []string) {
	bad, say := into(&msgs)
	if s.Image == "" {
		bad("no image; set Image")
	} else {
		say("Image", BadImage(s.Image))
	}
	msgs = append(msgs, s.placement().Check()...)
	if s.Shm != "" {
		say("Shm", check(record.SizeLimit, s.Shm))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		say("Env", BadEnv(name))
	}
	if s.WorkDir != "" && s.WorkDir[0] != '/' {
		bad("WorkDir: %q is not an absolute path", s.WorkDir)
	}
	if s.PullPolicy != "" && !slices.Contains([]string{"Always", "IfNotPresent", "Never"}, s.PullPolicy) {
		bad("PullPolicy is %q; there are Always, IfNotPresent and Never", s.PullPolicy)
	}
	for _, of := range []struct {
		field string
		of    map[string]string
	}{{"Labels", s.Labels}, {"Annotations", s.Annotations}} {
		for _, key := range slices.Sorted(maps.Keys(of.of)) {
			say(of.field, check(labelKey, key))
			if of.field != "Annotations" {
				say(of.field, check(labelValue, of.of[key]))
			}
		}
	}
	if s.ServiceAccount != "" {
		say("ServiceAccount", BadName(s.ServiceAccount))
	}
	for _, name := range s.PullSecrets {
		say("PullSecrets", BadName(name))
	}
	msgs = append(msgs, s.badMounts()...)
	msgs = append(msgs, badPorts(s.Ports)...)
	return append(msgs, badPatch(s.Patch)...)
}

// Check returns the problems of a placement.
func (p Placement) Check() (msgs []string) {
	bad, say := into(&msgs)
	if p.CPU != "" {
		say("CPU", check(record.Resource("cpu"), p.CPU))
	}
	if p.Memory != "" {
		say("Memory", check(record.Resource("memory"), p.Memory))
	}
	if p.GPUs < 0 {
		bad("%d GPUs", p.GPUs)
	}
	if p.GPU != "" {
		say("GPU", check(device, p.GPU))
		if p.GPUs == 0 {
			bad("GPU is %s, and GPUs is 0; set how many", p.GPU)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.NodeSelector)) {
		say("NodeSelector", check(labelKey, key))
		say("NodeSelector", check(labelValue, p.NodeSelector[key]))
	}
	for _, key := range p.Tolerate {
		say("Tolerate", check(labelKey, key))
	}
	for _, key := range slices.Sorted(maps.Keys(p.Affinity)) {
		if !slices.Contains(affinities, key) {
			bad("Affinity: there is no field %s%s", key, near.Hint(key, affinities))
		} else if _, ok := p.Affinity[key].(map[string]any); !ok {
			bad("Affinity: %s is not an object", key)
		}
	}
	return msgs
}

// affinities are the fields of an Affinity.
var affinities = []string{"nodeAffinity", "podAffinity", "podAntiAffinity"}

// Check returns the problems of a role.
func (r Role) Check() []string {
	msgs := r.Placement.Check()
	if _, say := into(&msgs); r.Image != "" {
		say("Image", BadImage(r.Image))
	}
	return slices.Concat(msgs, badPorts(r.Ports), badPatch(r.Patch))
}

func badPorts(ports map[string]int) (msgs []string) {
	bad, say := into(&msgs)
	for _, name := range slices.Sorted(maps.Keys(ports)) {
		say("Ports", check(portName, name))
		if n := ports[name]; n < 1 || n > 65535 {
			bad("Ports: %s is %d; a port is from 1 to 65535", name, n)
		}
	}
	return msgs
}

func badPatch(patch map[string]any) (msgs []string) {
	bad, _ := into(&msgs)
	for _, key := range slices.Sorted(maps.Keys(patch)) {
		if !slices.Contains(fields, key) {
			bad("Patch: a pod's spec has no field %s%s", key, near.Hint(key, fields))
		}
		for _, e := range elements(patch[key]) {
			if by := keys[key]; by != "" && of(e, by) == "" {
				bad("Patch: %s are distinguished by %s, and one has none", key, by)
			}
		}
	}
	return msgs
}

func (s Spec) badMounts() (msgs []string) {
	bad, say := into(&msgs)
	paths := map[string]bool{}
	for _, m := range s.Mounts {
		switch {
		case m.Path == "" || m.Path[0] != '/':
			bad("a mount at %q, which is not an absolute path", m.Path)
		case strings.Contains(m.Path, ":"):
			bad("a mount at %q; a path with a colon can't be mounted", m.Path)
		case paths[m.Path]:
			bad("two mounts at %s", m.Path)
		case len(m.Volume) != 1:
			bad("the mount at %s: Volume is one of Kubernetes' volume sources; use pod.Claim, HostPath, NFS or Secret", m.Path)
		}
		if strings.HasPrefix(m.SubPath, "/") || slices.Contains(strings.Split(m.SubPath, "/"), "..") {
			bad("the mount at %s: SubPath %q is not a path below the volume", m.Path, m.SubPath)
		}
		for _, kind := range slices.Sorted(maps.Keys(m.Volume)) {
			if !slices.Contains(sources, kind) {
				bad("the mount at %s: there is no volume source %s%s", m.Path, kind, near.Hint(kind, sources))
			}
			v, _ := m.Volume[kind].(map[string]any)
			for _, field := range []string{"claimName", "secretName"} {
				if n, ok := v[field].(string); ok {
					say("the mount at "+m.Path, BadName(n))
				}
			}
		}
		paths[m.Path] = true
	}
	if s.Shm != "" && paths["/dev/shm"] {
		bad("two mounts at /dev/shm; leave Shm empty")
	}
	return msgs
}

var (
	objectName = record.Rule{
		What: "the name of an object", Max: 253, Form: lazyregexp.New(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`),
		Hint: "lower case letters, digits, - and dots, with a letter or digit at both ends",
	}
	labelKey = record.Rule{
		What: "the key of a label", Max: 253 + 1 + 63, Form: lazyregexp.New(`^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`),
		Hint: "at most 63 letters, digits, -, _ and dots, after a domain and a slash or without",
	}
	labelValue = record.Rule{
		What: "the value of a label", Max: 63, Form: lazyregexp.New(`^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$`),
		Hint: "letters, digits, -, _ and dots, with a letter or digit at both ends",
	}
	device = record.Rule{
		What: "a device resource", Form: lazyregexp.New(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`),
		Hint: "a domain, a slash and a name, such as nvidia.com/gpu",
	}
	portName = record.Rule{
		What: "the name of a port", Max: 15, Form: lazyregexp.New(`^([a-z0-9]+-)*[a-z0-9]*[a-z][a-z0-9]*(-[a-z0-9]+)*$`),
		Hint: "lower case letters, digits and single -, with a letter",
	}
	image = record.Rule{
		What: "an image", Form: graph.ImageForm, Hint: graph.ImageHint,
	}
)

func check(r record.Rule, text string) string {
	if err := r.Check(text); err != nil {
		return err.Error()
	}
	return ""
}

// BadName says why a string is not a valid name of an object, or "".
func BadName(s string) string { return check(objectName, s) }

// BadImage says why a string is not a valid reference of an image, or "".
func BadImage(s string) string { return check(image, s) }

// BadResource says why a string is not a valid request or limit of a resource, such as memory, or "".
func BadResource(name, s string) string { return check(record.Resource(name), s) }

// BadSize says why a string is not a valid size of a volume, or "".
func BadSize(s string) string { return check(record.Size, s) }

// BadEnv says why a string is not a valid name of a variable, or "".
func BadEnv(s string) string { return check(record.EnvName, s) }

// BadLabel says why a key and a value are not a valid label, or "".
func BadLabel(key, value string) string {
	if msg := check(labelKey, key); msg != "" {
		return msg
	}
	return check(labelValue, value)
}
