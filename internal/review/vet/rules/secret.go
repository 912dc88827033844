package rules

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

func init() { add("secret", SecretFound, SecretFixed) }

// Found:

var SecretFound = dsl.Pipeline("secret", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, in, dsl.Env("DB_PASSWORD", "correct horse"))
	return dsl.None{}
})

// Fixed:

var SecretFixed = dsl.Pipeline("secret-kept", func(s *dsl.Scope, in RunIn) dsl.None {
	Job.Call(s, in, k8s.SecretEnv("DB_PASSWORD", "database", "password"))
	return dsl.None{}
})
