package k8s

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A SourceOption changes how a secret or config map is used.
type SourceOption func(*source)

type source struct{ optional bool }

// Optional lets the secret, config map or key be missing: the variable isn't
// set, or the folder is empty. Without it the pod doesn't start.
func Optional() SourceOption { return func(s *source) { s.optional = true } }

func optional(opts []SourceOption) bool {
	var s source
	for _, o := range opts {
		if o != nil {
			o(&s)
		}
	}
	return s.optional
}

// SecretEnv sets an environment variable from a key of a secret
// (use_secret_as_env).
func SecretEnv[S dsl.Text](name string, secret S, key string, opts ...SourceOption) dsl.Option {
	return sourceEnv("SecretEnv", "secret-env", name, secret, key, opts)
}

// ConfigMapEnv sets an environment variable from a key of a config map
// (use_config_map_as_env).
func ConfigMapEnv[S dsl.Text](name string, configMap S, key string, opts ...SourceOption) dsl.Option {
	return sourceEnv("ConfigMapEnv", "config-map-env", name, configMap, key, opts)
}

func sourceEnv[S dsl.Text](what, option, name string, object S, key string, opts []SourceOption) dsl.Option {
	return record.At(func(t *record.Task) {
		checkText(t, what, name, record.EnvName)
		checkText(t, what+" "+name, object, objectName)
		checkText(t, what+" "+name, key, dataKey)
		operands := []any{name, object, key}
		if optional(opts) {
			operands = append(operands, true)
		}
		t.Set(option, operands...)
	})
}

// FieldEnv sets an environment variable from a field of the pod, such as
// metadata.name or status.podIP (use_field_path_as_env).
func FieldEnv(name, field string) dsl.Option {
	return record.At(func(t *record.Task) {
		checkText(t, "FieldEnv", name, record.EnvName)
		checkText(t, "FieldEnv "+name, field, podField)
		t.Set("field-env", name, field)
	})
}
