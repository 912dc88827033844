package web_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// clients are all places of the product that make an HTTP client, or send requests
// without one, with how each keeps credentials at their server and answers small. A new
// place is a new line here, after the question what its redirects and answers may do.
var clients = map[string]string{
	"client/argo/cluster.go HTTPClientFor":                "Stay: client-go puts the token into each request; web.Read, web.Decode; the watch by newDecoded",
	"client/internal/gateway/transport.go RoundTrip":      "no redirects: an answer of 3xx is an error; web.Read, web.Object",
	"client/internal/kubeapi/kubeapi.go HTTPClientFor":    "Stay; web.Read, web.Decode, lines of logs by web.Line",
	"client/internal/objects/gcs.go Client":               "Redirect, without a credential; content is a stream",
	"client/internal/objects/gcs.go NewClient":            "Stay: oauth2 puts the token into each request; web.Read, web.Decode",
	"client/internal/objects/s3.go Client":                "Redirect: asks Amazon's machines for a credential",
	"client/internal/objects/s3.go RoundTrip":             "the library follows no redirect; listings end by paging.Trail",
	"client/internal/objects/web.go Client":               "Redirect, without a credential; content is a stream",
	"client/internal/portforward/portforward.go Client{}": "Stay; the answer is a connection",
	"client/kfp/client.go Client{}":                       "its transport is that of gateway, and CheckRedirect refuses all",
	"client/kfp/dex.go Client":                            "Redirect, and dex.expected before the password is sent; 1 MB",
	"client/kfp/iap.go RoundTrip":                         "no redirects; 1 MB",
	"client/kfp/kube.go TransportFor":                     "below gateway",
	"cmd/kfpgo/internal/doctor/cluster.go HTTPClientFor":  "Stay; web.Read, web.Decode",
	"components/fetch/bucket.go Client":                   "Stay: the token of the machine; 1 MB",
	"components/fetch/fetch.go Client":                    "Redirect: another server gets no credential; content is a file",
	"components/fetch/oci.go Client":                      "Redirect: stores of layers get no credential; manifests 8 MB, layers as long as the manifest says",
	"components/notify/notify.go Client":                  "Redirect, and a POST that became a GET is an error; 300 bytes",
	"components/query/query.go Client":                    "Redirect; web.Read",
	"components/source.go Client":                         "Redirect, without a credential; kfpread.MaxSize",
	"internal/build/image/remote.go WithTransport":        "Encrypted: no http where the registry is https; the library sends credentials to the registry's host alone",
	"internal/kube/kubeop/client.go Client":               "Stay; web.Read, web.Object",
	"internal/kube/kubeop/follow.go Client":               "Stay; lines by web.Line",
	"internal/kube/kubeop/kubeconfig.go Client":           "Stay",
	"internal/net/scrub/scrub.go RoundTrip":               "hands on what others send",
	"internal/net/web/client.go Client{}":                 "what all others call",
	"internal/net/web/client.go RoundTrip":                "hands on what others send",
	"internal/testing/faults/faults.go RoundTrip":         "of tests",
}

// made are the names that make a client or send a request, by package.
var made = map[string][]string{
	"http":   {"Get", "Post", "PostForm", "Head", "DefaultClient"},
	"web":    {"Client"},
	"rest":   {"HTTPClientFor", "TransportFor"},
	"oauth2": {"NewClient"},
	"remote": {"WithTransport"},
}

// TestClients: no HTTP client is made in a place that isn't in the table, and none in
// the table is gone.
func TestClients(t *testing.T) {
	found := map[string]bool{}
	for _, dir := range []string{"client", "cmd", "compiler", "components", "dsl", "internal", "local"} {
		err := filepath.WalkDir(filepath.Join("../../..", dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() && e.Name() == "testdata" {
				return filepath.SkipDir
			}
			if e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel("../../..", path)
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					if s, ok := n.Type.(*ast.SelectorExpr); ok && fmt.Sprint(s.X) == "http" && s.Sel.Name == "Client" {
						found[rel+" Client{}"] = true
					}
				case *ast.CallExpr:
					if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "RoundTrip" {
						found[rel+" RoundTrip"] = true
					}
				case *ast.SelectorExpr:
					if slices.Contains(made[fmt.Sprint(n.X)], n.Sel.Name) {
						found[rel+" "+n.Sel.Name] = true
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(found)) {
		if clients[at] == "" {
			t.Errorf("%s isn't in the table of clients: say there what its redirects may do, and how much of an answer is read", at)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(clients)) {
		if !found[at] {
			t.Errorf("%s is in the table of clients, and isn't there any more", at)
		}
	}
}
