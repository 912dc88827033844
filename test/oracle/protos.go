package oracle

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kubeflow/pipelines/api/v2alpha1/go/pipelinespec"
	"github.com/kubeflow/pipelines/kubernetes_platform/go/kubernetesplatform"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// Newer are the fields and enum values of KFP 2.17 that the newest published Go
// protos lack: api of January 2025 and kubernetes_platform of July 2024.
var Newer = []string{
	"cacheKey", "TASK_CONFIG", "taskConfigPassthroughs", "literals", "downloadToWorkspace", "customPath",
	"resourceTtlOnCompletion", "resourceTtlOnSuccess", "resourceTtlOnFailure", "activeDeadlineSeconds", "workspace",
	"securityContext", "initContainers", "secretNameParameter", "configMapNameParameter", "optional", "pvcNameParameter", "subPath",
	"dataSource", "nodeSelectorJson", "tolerationJson", "nodeAffinityJson",
}

// Strict decodes IR with the published protos, refusing what they don't know, at
// every level: executors too, which the protos keep as bare structures. It returns
// the newer fields that it had to take out.
func Strict(ir []byte) (newer []string, err error) {
	docs, err := jsonDocs(ir)
	if err != nil {
		return nil, err
	}
	try := func(doc any, into proto.Message) error {
		found, err := strict(doc, into)
		newer = append(newer, found...)
		return err
	}
	var spec map[string]any
	if err := json.Unmarshal(docs[0], &spec); err != nil {
		return nil, err
	}
	if err := try(spec, &pipelinespec.PipelineSpec{}); err != nil {
		return newer, fmt.Errorf("pipeline spec: %w", err)
	}
	if d, ok := spec["deploymentSpec"]; ok {
		if err := try(d, &pipelinespec.PipelineDeploymentConfig{}); err != nil {
			return newer, fmt.Errorf("deployment spec: %w", err)
		}
	}
	if len(docs) > 1 {
		var platform map[string]any
		if err := json.Unmarshal(docs[1], &platform); err != nil {
			return newer, err
		}
		if err := try(platform, &pipelinespec.PlatformSpec{}); err != nil {
			return newer, fmt.Errorf("platform spec: %w", err)
		}
		for name, e := range object(platform, "platforms", "kubernetes", "deploymentSpec", "executors") {
			if err := try(e, &kubernetesplatform.KubernetesExecutorConfig{}); err != nil {
				return newer, fmt.Errorf("platform spec of %s: %w", name, err)
			}
		}
	}
	slices.Sort(newer)
	return slices.Compact(newer), nil
}

var (
	unknownField = regexp.MustCompile(`unknown field "([^"]+)"`)
	unknownValue = regexp.MustCompile(`invalid value for enum field [^:]*: "?([A-Z_]+)`)
)

// strict decodes a document, and takes out newer fields until it can.
func strict(doc any, into proto.Message) (newer []string, err error) {
	for range 100 {
		j, err := json.Marshal(doc)
		if err != nil {
			return newer, err
		}
		err = protojson.Unmarshal(j, into)
		if err == nil {
			return newer, nil
		}
		text := strings.ReplaceAll(err.Error(), "\u00a0", " ") // protobuf varies its spaces
		m := unknownField.FindStringSubmatch(text)
		if m == nil {
			m = unknownValue.FindStringSubmatch(text)
		}
		if m == nil || !slices.Contains(Newer, m[1]) {
			return newer, err
		}
		newer = append(newer, m[1])
		doc = without(doc, m[1])
	}
	return newer, errors.New("there is no end of newer fields")
}

// without returns a copy of a document without a field or an enum value.
func without(v any, name string) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			if k != name && e != any(name) {
				out[k] = without(e, name)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = without(e, name)
		}
		return out
	}
	return v
}

// object returns the mapping at a path of keys, or nil.
func object(v any, path ...string) map[string]any {
	for _, k := range path {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	m, _ := v.(map[string]any)
	return m
}
