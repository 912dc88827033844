package program

import (
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// Forms are the kinds of change that say nothing new: other SDKs, and older ones,
// write the same thing in another way. A * stands for one key, and a name that
// starts with one for a key that ends so.
var forms = []struct{ path, why string }{
	{"*/inputDefinitions/parameters/*/isOptional", "a default alone made an input optional in KFP 2.0"},
	{"deploymentSpec/executors/*/container/resources/*", "KFP before 2.4 had numbers only for resources"},
	{"deploymentSpec/executors/*/container/resources/accelerator/*", "KFP before 2.4 had one form of devices"},
	{"platforms/kubernetes/deploymentSpec/executors/*/*/*/*Parameter", "KFP before 2.4 had plain strings for names of objects"},
	{"platforms/kubernetes/deploymentSpec/executors/*/*/*/optional", "secrets and config maps had no optional before KFP 2.4"},
	{"*/cachingOptions", "without options of caching there is none"},
	{"*/dependentTasks", "a task follows what it reads, said or not"},
	{"*/parameterIterator/items/raw", "JSON in other words"},
	{"pipelineInfo/name", "a name that Kubernetes wouldn't take"},
	{"components/*", "a component that no task calls"},
	{"deploymentSpec/executors/*", "an executor that no component has"},
	{"platforms/kubernetes/deploymentSpec/executors/*", "settings of an executor that no component has"},
	{"sdkVersion", "the file doesn't name its SDK"},
}

// firstSchema are the forms of schema 2.0.0, KFP 1.8's.
var firstSchema = []string{
	"*/parameters/*/parameterType", "*/parameters/*/type", "*/runtimeValue/constant", "*/runtimeValue/constantValue",
	"*/artifactUri/constant", "*/artifactUri/constantValue", "schemaVersion",
}

// firstOperand is a parameter in a condition of that schema.
var firstOperand = lazyregexp.New(`inputs\.parameters\['[^']*'\]\.(?:string|int|double)_value`)

// alphaConstant is a constant as alphas of KFP 2 had it.
var alphaConstant = lazyregexp.New(`^\{"(?:string|int|double)Value":[^{}]*\}$`)

// Form returns why a change of IR makes no difference, or "" if it may make one.
func (c Change) Form() string {
	if matches(strings.Split("*/runtimeValue/constant", "/"), c.Path) && alphaConstant.Match(c.Set) {
		return "alphas of KFP 2 said the type of a constant with it"
	}
	for _, path := range firstSchema {
		if old := c.Set == nil || strings.HasSuffix(path, "/type") || strings.HasSuffix(path, "Value") || path == "schemaVersion"; old && matches(strings.Split(path, "/"), c.Path) {
			return "schema 2.0.0 had other names for types and constants"
		}
	}
	if matches([]string{"*", "triggerPolicy", "condition"}, c.Path) && firstOperand.Match(c.Set) {
		return "schema 2.0.0 said the type of a parameter in a condition"
	}
	if matches([]string{"*", "triggerPolicy", "condition"}, c.Path) && strings.Contains(string(c.Set), "double(") {
		return "KFP's SDK casts a number where the other one is of another type"
	}
	for _, f := range forms {
		// Older forms have less: removing a value makes no difference, unlike setting one.
		set := slices.ContainsFunc([]string{"raw", "dependentTasks", "pipelineInfo/name", "components/*", "executors/*"}, func(end string) bool { return strings.HasSuffix(f.path, end) })
		if (c.Set == nil || set) && matches(strings.Split(f.path, "/"), c.Path) {
			return f.why
		}
	}
	return ""
}

// matches compares a path with a pattern. One that starts with * fits the end of a path.
func matches(pattern, path []string) bool {
	if pattern[0] == "*" {
		pattern = pattern[1:]
		if len(path) < len(pattern) {
			return false
		}
		path = path[len(path)-len(pattern):]
	}
	return slices.EqualFunc(pattern, path, func(p, k string) bool {
		return p == k || p != "" && p[0] == '*' && strings.HasSuffix(k, p[1:])
	})
}
