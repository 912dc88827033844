package k8s

import "github.com/kfpgo/kfpgo/internal/model/record"

// A ConfigField is a setting of a task that goes to its dsl.TaskConfig rather than to the
// pod of the step, with the method Passthroughs of a component. With the method
// ApplyToTask it goes to both. KFP calls it TaskConfigField.
type ConfigField = record.ConfigField

// The fields of a dsl.TaskConfig.
var (
	ConfigResources    = record.NewConfigField("RESOURCES")
	ConfigEnv          = record.NewConfigField("ENV")
	ConfigAffinity     = record.NewConfigField("KUBERNETES_AFFINITY")
	ConfigTolerations  = record.NewConfigField("KUBERNETES_TOLERATIONS")
	ConfigNodeSelector = record.NewConfigField("KUBERNETES_NODE_SELECTOR")
	ConfigVolumes      = record.NewConfigField("KUBERNETES_VOLUMES")
)
