// Package k8s has the task options and components that only Kubernetes knows:
// volumes, secrets, scheduling, the metadata of pods, and objects that a
// pipeline makes, changes and deletes.
//
//	k8s.RunVolume(s, k8s.CreatePVCIn{Size: dsl.Const("10Gi")}, func(s *dsl.Scope, claim dsl.Param[string]) {
//		Train.Call(s, args,
//			k8s.MountPVC(claim, "/cache"),
//			dsl.GPU(1),
//			k8s.NodeSelector("cloud.google.com/gke-accelerator", "nvidia-l4"),
//			k8s.Tolerate(k8s.Toleration{Key: "nvidia.com/gpu", Operator: k8s.Exists}),
//			k8s.SecretEnv("HF_TOKEN", "tokens", "hugging-face"),
//		)
//	})
//
// # Coming from KFP
//
//	add_node_selector, add_node_selector_constraint  NodeSelector
//	add_node_selector_json                           NodeSelectorJSON
//	add_node_affinity, add_node_affinity_json        NodeAffinity, NodeAffinityJSON
//	add_toleration, add_toleration_json              Tolerate, TolerationJSON
//	set_gpu_limit, set_accelerator_type              dsl.GPU, dsl.Accelerator
//	mount_pvc, add_pvolumes, PipelineVolume          MountPVC
//	empty_dir_mount, add_ephemeral_volume            EmptyDir, EphemeralVolume
//	use_secret_as_env, use_secret_as_volume          SecretEnv, SecretVolume
//	use_config_map_as_env, use_config_map_as_volume  ConfigMapEnv, ConfigMapVolume
//	use_field_path_as_env                            FieldEnv
//	add_pod_label, add_pod_annotation                Label, Annotation
//	set_image_pull_secrets, set_image_pull_policy    PullSecret, Pull
//	set_security_context                             RunAsUser, RunAsGroup, RunAsNonRoot
//	add_init_container, Sidecar, UserContainer       InitContainer, Sidecar
//	set_timeout                                      dsl.Timeout
//	kubernetes.CreatePVC, VolumeOp                   CreatePVC, RunVolume
//	kubernetes.DeletePVC, VolumeOp.delete            DeletePVC
//	VolumeSnapshotOp                                 CreateSnapshot
//	ResourceOp                                       Apply, Create, Patch, Delete, dsl.Resource
//
// Any other field of a pod is set by Patch of package pod, on Argo.
//
// # Where the operations run
//
// On Argo an operation on an object is a resource template. On KFP claims are
// made and deleted by KFP itself, and the other operations by the program in a
// container of its own, with the service account of the pod, which needs the
// right to. On this machine a claim is a folder, and the others are what their
// Component.OnLocal says.
package k8s
