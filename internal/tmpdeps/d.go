package tmpdeps

import (
	_ "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	_ "github.com/expr-lang/expr"
	_ "github.com/goccy/go-graphviz"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "golang.org/x/term"
	_ "gonum.org/v1/gonum/mat"
	_ "gopkg.in/yaml.v3"
	_ "k8s.io/api/core/v1"
	_ "k8s.io/apimachinery/pkg/apis/meta/v1"
)
