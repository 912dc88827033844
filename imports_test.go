package kfpgo_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/depcheck"
)

const module = "github.com/kfpgo/kfpgo"

// in prefixes package patterns with the module's path.
func in(patterns ...string) []string {
	full := make([]string, len(patterns))
	for i, p := range patterns {
		full[i] = module + "/" + p
	}
	return full
}

// kubernetes is what only some packages may link. The types of Kubernetes and
// Argo are hundreds of packages.
var kubernetes = []string{"k8s.io/...", "sigs.k8s.io/...", "github.com/argoproj/...", "github.com/kubeflow/..."}

// importRules are the edges that the packages must not have. docs/architecture.md
// has the rooms, and which may use which.
var importRules = []depcheck.Rule{
	{
		Packages: in("dsl"), Only: in("internal/host/atomicfile", "internal/model/contract", "internal/model/cron", "internal/model/graph", "internal/text/jsontext", "internal/text/lazyregexp", "internal/model/kfptype", "internal/text/quantity", "internal/model/record", "internal/model/source"), Deep: true,
		Reason: "a pipeline's program links the language and the standard library only, so that images stay small and it tidies with no replace line",
	},
	{
		Packages: in("dsl/k8s"), Only: append(in("dsl", "internal/host/atomicfile", "internal/model/contract", "internal/model/cron", "internal/model/graph", "internal/text/jsontext", "internal/text/lazyregexp", "internal/model/kfptype", "internal/text/quantity", "internal/model/record", "internal/model/source", "internal/kube/kubeop", "internal/model/placeholder", "internal/net/web"), "gopkg.in/yaml.v3"), Deep: true,
		Reason: "on KFP a program does operations on objects by itself, which takes a YAML reader and no more",
	},
	{
		Packages: in("dsl/argo"), Only: in("dsl", "internal/host/atomicfile", "internal/model/contract", "internal/model/cron", "internal/model/graph", "internal/text/jsontext", "internal/text/lazyregexp", "internal/model/kfptype", "internal/text/quantity", "internal/model/record", "internal/model/source"), Deep: true,
		Reason: "a pipeline with options that only Argo has links no more than one without",
	},
	{
		Packages:  in("local/...", "internal/model/graph", "internal/model/program", "internal/lower", "internal/target/kfp", "internal/model/expr", "internal/model/feature", "internal/model/run"),
		Forbidden: kubernetes, Deep: true,
		Reason: "what is shared by the targets, and runs on this machine, reaches no Kubernetes code",
	},
	{
		Packages: in("dsl/k8s/pod"), Only: append(in("dsl", "internal/model/graph", "internal/text/jsontree", "internal/text/lazyregexp", "internal/model/record", "internal/model/source"), "k8s.io/...", "sigs.k8s.io/..."),
		Reason: "a patch of a pod takes the types of Kubernetes and nothing of the back ends",
	},
	{
		Packages: in("compiler"), Forbidden: kubernetes, Deep: true,
		Reason: "a program that compiles for KFP links no Kubernetes; package compiler/argo does",
	},
	{
		Packages: in("dsl", "compiler"), Deep: true,
		Forbidden: []string{"net", "net/http", "crypto/tls", "text/template", "html/template", "encoding/xml", "encoding/gob", "flag", "log/slog", "google.golang.org/...", "golang.org/..."},
		Reason:    "a step starts such a program in its pod, and all that it links is initialized each time",
	},
	{
		Packages: in("components/...", "local", "compiler/argo"), Deep: true,
		Forbidden: []string{"github.com/minio/...", "github.com/go-openapi/runtime/...", "github.com/go-openapi/strfmt", "github.com/yuin/...", "github.com/google/go-containerregistry/...", "modernc.org/...", "go.mongodb.org/..."},
		Reason:    "what the command alone needs is initialized in no program that has a ready-made component or runs here",
	},
	{
		Packages: []string{module, module + "/..."}, Except: in("internal/target/argo/...", "internal/testing/argosim", "internal/testing/tried", "dsl/k8s/pod", "client/kfp/...", "client/argo/...", "client/internal/...", "components/...", "cmd/..."), Forbidden: kubernetes,
		Reason: "only internal/target/argo and its simulation, dsl/k8s/pod, client, components and cmd import Argo's or Kubernetes' packages",
	},
	{
		Packages: in("client"), Forbidden: kubernetes, Deep: true,
		Reason: "the calls are the same for all servers; a program links the client of those that it talks to",
	},
	{
		Packages: []string{module, module + "/..."}, Except: in("client/kfp/...", "cmd/..."), Forbidden: []string{"github.com/kubeflow/pipelines/..."},
		Reason: "who imports KFP's module needs a replace line in go.mod; only client/kfp asks for that",
	},
	{
		Packages: in("internal/..."), Except: in("internal/testing/...", "internal/review/vet/rules", "internal/tool/...", "internal/lower/when"), Forbidden: in("dsl/...", "compiler/...", "local/...", "components/...", "cmd/...", "examples/..."), Deep: true,
		Reason: "imports go downwards: the back ends see programs, not the language that they were written in; pairs and the examples of rules are pipelines",
	},
	{
		Packages: in("internal/target/kfp/...", "internal/target/argo/..."), Forbidden: in("internal/lower/...", "internal/model/record/...", "internal/build/discover/..."),
		Reason: "back ends take programs only, so that a file and a package are the same to them",
	},
	{
		Packages: in("..."), Except: in("dsl/...", "local", "components/...", "internal/model/record", "internal/model/recorded", "internal/kube/kubeop", "internal/testing/lowered"), Forbidden: in("internal/model/record"),
		Reason: "only the language, its options and ready-made components write a recording, local runs steps in its own process, and tests plan them there; the rest reads the graph",
	},
	{
		Packages: in("compiler/...", "internal/target/kfp", "dsl/...", "client"), Forbidden: append(in("internal/read/kfpread"), "github.com/google/cel-go/..."), Deep: true,
		Reason: "who only compiles doesn't link the parser of conditions, which is for reading files",
	},
	{
		Packages: in("..."), Except: in("cmd/..."), Forbidden: []string{"github.com/spf13/..."},
		Reason: "a command line belongs to cmd",
	},
	{
		Packages: in("..."), Except: in("cmd/...", "internal/build/image"), Forbidden: []string{"github.com/google/go-containerregistry/..."},
		Reason: "images are made by the command; a program that compiles or runs links no registry client",
	},
	{
		Packages: in("..."), Except: in("examples/..."), Forbidden: []string{"gonum.org/..."},
		Reason: "numbers are an example's business",
	},
	{
		Packages: in("dsl/...", "compiler/...", "local/...", "client/...", "components/...", "cmd/..."), Except: in("dsl/dsltest", "internal/testing/tried"), Forbidden: append(in("internal/testing/want", "internal/testing/depcheck", "internal/testing/argosim", "internal/testing/pairs", "internal/review/vet/rules", "examples/..."), "testing"), Deep: true,
		Reason: "what users link holds no test code and no example",
	},
}

// packages lists the packages of the module once for all tests.
var packages = sync.OnceValues(func() (depcheck.Graph, error) { return depcheck.Load(".", "./...") })

func TestImports(t *testing.T) {
	g, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	for _, msg := range g.Check(importRules) {
		t.Error(strings.ReplaceAll(msg, module+"/", ""))
	}
}
