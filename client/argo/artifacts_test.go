package argo

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/lineage"
)

// nodes are what Argo leaves of a run: a step that is retried and writes, an import
// of what it has written, a step that was memoized, one that gets a list, a container whose
// artifact is an archive, and what was skipped.
const nodes = `{
 "w1": {"id": "w1", "name": "w1", "displayName": "w1", "type": "DAG", "phase": "Succeeded"},
 "w1-1": {"id": "w1-1", "displayName": "load", "type": "Retry", "boundaryID": "w1", "phase": "Succeeded", "startedAt": "2026-03-14T15:00:00Z", "finishedAt": "2026-03-14T15:00:05Z", "children": ["w1-2", "w1-3"],
  "outputs": {"parameters": [{"name": "data-meta", "value": "{\"rows\":3}"}, {"name": "data-key", "value": "load/data"}, {"name": "n", "value": "7"}],
   "artifacts": [{"name": "data", "archive": {"none": {}}, "s3": {"key": "w1/load/data"}}, {"name": "main-logs", "s3": {"key": "w1/logs"}}]}},
 "w1-2": {"id": "w1-2", "displayName": "load(0)", "type": "Pod", "boundaryID": "w1", "phase": "Failed"},
 "w1-3": {"id": "w1-3", "displayName": "load(1)", "type": "Pod", "boundaryID": "w1", "phase": "Succeeded", "inputs": {"parameters": [{"name": "kfpgo-path", "value": "load"}],
  "artifacts": [{"name": "kfpgo-input", "raw": {"data": "{\"outputs\": {\"artifacts\": {\"data\": {\"artifacts\": [{\"type\": {\"schemaTitle\": \"system.Dataset\"}}]}}}}"}}]}},
 "w1-4": {"id": "w1-4", "displayName": "importer", "type": "DAG", "boundaryID": "w1", "phase": "Succeeded", "startedAt": "2026-03-14T15:01:00Z",
  "inputs": {"parameters": [{"name": "uri", "value": "\"s3://bkt/w1/load/data\""}], "artifacts": [{"name": "kfpgo-key", "s3": {"key": "w1/load/data"}}, {"name": "kfpgo-http", "http": {"url": "s3://bkt/w1/load/data"}}]},
  "outputs": {"parameters": [{"name": "artifact-meta", "value": "{}"}, {"name": "artifact-uri", "value": "\"s3://bkt/w1/load/data\""}], "artifacts": [{"name": "artifact", "s3": {"key": "w1/load/data"}}]}},
 "w1-5": {"id": "w1-5", "displayName": "kfpgo-nothing", "type": "Skipped", "boundaryID": "w1-4", "phase": "Omitted"},
 "w1-6": {"id": "w1-6", "displayName": "join", "type": "Pod", "boundaryID": "w1", "phase": "Succeeded", "startedAt": "2026-03-14T15:02:00Z",
  "inputs": {"parameters": [{"name": "all-key", "value": "[\"load/data\",\"each/data/p2\"]"}, {"name": "all-meta", "value": "[\"{\\\"rows\\\":3}\",\"{}\"]"}, {"name": "all-dir", "value": "x/"}, {"name": "why", "value": "\"so\""}],
   "artifacts": [{"name": "all", "optional": true, "s3": {"key": "w1/x/"}}, {"name": "none", "optional": true, "s3": {"key": "w1/kfpgo-none"}}]},
  "outputs": {"artifacts": [{"name": "packed", "s3": {"key": "w1/join/packed.tgz"}}]}},
 "w1-7": {"id": "w1-7", "displayName": "again", "type": "Pod", "boundaryID": "w1", "phase": "Succeeded", "startedAt": "2026-03-14T15:03:00Z", "memoizationStatus": {"hit": true, "key": "k", "cacheName": "c"},
  "outputs": {"artifacts": [{"name": "data", "archive": {"none": {}}, "s3": {"key": "w1/load/data"}}]}},
 "w1-8": {"id": "w1-8", "displayName": "not", "type": "Skipped", "boundaryID": "w1", "phase": "Skipped", "inputs": {"artifacts": [{"name": "data", "s3": {"key": "w1/load/data"}}]}},
 "w1-9": {"id": "w1-9", "displayName": "evil", "type": "Pod", "boundaryID": "w1", "phase": "Succeeded", "outputs": {"artifacts": [{"name": "bad", "s3": {"key": "w1/evil/bad.tgz"}}, {"name": "page", "http": {"url": "HTTP/page"}}, {"name": "far", "oss": {"bucket": "g", "key": "far"}}]}}
}`

func packed(name string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	_ = w.WriteHeader(&tar.Header{Name: name, Size: 4, Typeflag: tar.TypeReg, Mode: 0o644})
	_, _ = io.WriteString(w, "text")
	_ = w.Close()
	_ = z.Close()
	return b.String()
}

// stored serves Workflow w1, with its nodes compressed or not, and the store.
func stored(t *testing.T, compressed bool) *Client {
	t.Helper()
	objects := map[string]string{"w1/load/data": "1 2 3", "w1/join/packed.tgz": packed("packed"), "w1/evil/bad.tgz": packed("../evil")}
	var srv *httptest.Server
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		own := strings.ReplaceAll(nodes, "HTTP", srv.URL)
		status := `"nodes": ` + own
		if compressed {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			_, _ = io.WriteString(z, own)
			_ = z.Close()
			status = `"compressedNodes": "` + base64.StdEncoding.EncodeToString(b.Bytes()) + `"`
		}
		flow := `{"metadata": {"name": "w1", "labels": {"kfpgo/pipeline": "p"}}, "status": {"phase": "Succeeded", ` + status + `, "artifactRepositoryRef": {"artifactRepository": {"s3": {"bucket": "bkt", "endpoint": "` +
			strings.TrimPrefix(srv.URL, "http://") + `", "insecure": true, "accessKeySecret": {"name": "s3", "key": "a"}, "secretKeySecret": {"name": "s3", "key": "b"}}}}}}`
		switch path := r.URL.Path; {
		case strings.HasSuffix(path, "/workflows"):
			fmt.Fprintf(w, `{"items": [%s]}`, flow)
		case strings.HasSuffix(path, "/workflows/w1"):
			fmt.Fprint(w, flow)
		case path == "/api/v1/namespaces/ml/secrets/s3":
			fmt.Fprint(w, `{"data": {"a": "a2V5", "b": "c2VjcmV0"}}`)
		case path == "/page":
			fmt.Fprint(w, "page")
		case objects[strings.TrimPrefix(path, "/bkt/")] != "" && strings.Contains(r.Header.Get("Authorization"), "Credential=key/"):
			text := objects[strings.TrimPrefix(path, "/bkt/")]
			w.Header().Set("Last-Modified", "Sat, 14 Mar 2026 15:09:26 GMT")
			w.Header().Set("ETag", `"x"`)
			w.Header().Set("Content-Length", fmt.Sprint(len(text)))
			if r.Method == http.MethodGet {
				fmt.Fprint(w, text)
			}
		default:
			w.WriteHeader(404)
			fmt.Fprint(w, `{"message": "there is no `+path+`"}`)
		}
	}))
	t.Cleanup(srv.Close)
	return connected(t, srv.URL, 10*time.Second)
}

func TestLineage(t *testing.T) {
	for _, compressed := range []bool{false, true} {
		c := stored(t, compressed)
		tr, err := c.Lineage(t.Context(), "w1/load/data")
		if err != nil {
			t.Fatal(err)
		}
		id := lineage.URIID
		want := `data (system.Dataset) ` + id("s3://bkt/w1/load/data") + `
├─ made by w1/load, SUCCEEDED
├─ imported by w1/importer, SUCCEEDED
├─ taken from the cache by w1/again, CACHED
└─ read by w1/join, SUCCEEDED
   └─ into packed ` + id("s3://bkt/w1/join/packed.tgz") + "\n"
		if got := tr.Tree(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		e, _ := json.Marshal(tr.Up.Execution("w1/load").Outputs)
		in, _ := json.Marshal(tr.Down.Execution("w1/join").Inputs)
		if fmt.Sprint(tr.Artifact.Metadata) != "map[rows:3]" || string(e) != `{"n":7}` || string(in) != `{"why":"so"}` {
			t.Errorf("metadata %v, outputs %s, inputs %s", tr.Artifact.Metadata, e, in)
		}
		g, err := c.Artifacts(t.Context(), lineage.Query{Run: "w1", Type: "system.Dataset"})
		if err != nil || len(g.Artifacts) != 1 {
			t.Errorf("%+v, %v", g, err)
		}
	}
}

// TestMissing: Workflows that are gone, or that can't be read, are told; the others are
// shown.
func TestMissing(t *testing.T) {
	const mine = `{"metadata": {"name": "w2"}, "status": {"phase": "Succeeded", "artifactRepositoryRef": {"artifactRepository": {"s3": {"bucket": "bkt", "endpoint": "s3"}}}, "nodes": {
	"w2": {"id": "w2", "name": "w2", "type": "DAG", "phase": "Succeeded"},
	"w2-1": {"id": "w2-1", "name": "w2.use", "displayName": "use", "type": "Pod", "boundaryID": "w2", "phase": "Succeeded",
		"inputs": {"artifacts": [{"name": "in", "s3": {"key": "gone/load/data"}}]}, "outputs": {"artifacts": [{"name": "out", "s3": {"key": "w2/use/out"}}]}}}}}`
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"items": [{"metadata": {"name": "torn"}, "status": {"compressedNodes": "bm8="}}, {"metadata": {"name": "large"}, "status": {"offloadNodeStatusVersion": "fnv:1"}}, %s]}`, mine)
	}))
	t.Cleanup(srv.Close)
	c := connected(t, srv.URL, 10*time.Second)
	g, err := c.Artifacts(t.Context(), lineage.Query{})
	if err != nil || len(g.Artifacts) != 2 {
		t.Fatalf("%+v %v", g, err)
	}
	tr, err := c.Lineage(t.Context(), "s3://bkt/w2/use/out")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"the nodes of Workflow torn: ", "Workflow large: its nodes are in the database", "has made or imported in " + lineage.URIID("s3://bkt/gone/load/data") + " at s3://bkt/gone/load/data: the run was deleted or archived"} {
		if len(tr.Missing) != 3 || !strings.Contains(tr.Missing[i], want) {
			t.Errorf("got %q, want %s", tr.Missing, want)
		}
	}
	if _, err := c.Lineage(t.Context(), "torn/load/data"); client.CodeOf(err) != client.NotFound || !strings.Contains(err.Error(), "left out: the nodes of Workflow torn") {
		t.Errorf("got %v", err)
	}
}

func TestFiles(t *testing.T) {
	c := stored(t, false)
	get := func(ref string) (string, error) {
		tr, err := c.Lineage(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "deep", "out")
		err = lineage.Save(t.Context(), c.Files(t.Context(), tr.Artifact), to)
		if list, _ := os.ReadDir(filepath.Dir(filepath.Dir(to))); len(list) != 1 {
			t.Errorf("%s: there is %v", ref, list)
		}
		b, _ := os.ReadFile(to)
		return string(b), err
	}
	for ref, want := range map[string]string{"w1/load/data": "1 2 3", "w1/join/packed": "text", "w1/evil/page": "page"} {
		if got, err := get(ref); got != want || err != nil {
			t.Errorf("%s: got %q, %v", ref, got, err)
		}
	}
	for ref, want := range map[string]string{"w1/evil/bad": `holds "../evil", which would be outside of it`, "w1/evil/far": "this one is at oss://g/far"} {
		if _, err := get(ref); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", ref, err)
		}
	}
	_, err := c.Lineage(t.Context(), "w1/load/nope")
	if client.CodeOf(err) != client.NotFound {
		t.Errorf("got %v", err)
	}
	if _, err := c.Artifacts(t.Context(), lineage.Query{Run: "w2"}); client.CodeOf(err) != client.NotFound {
		t.Errorf("got %v", err)
	}
}
