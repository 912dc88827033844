package oracle

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/review/picture"
	"github.com/kfpgo/kfpgo/internal/review/vet"
)

// TestLookCorpus has the files of KFPGO_CORPUS checked and drawn.
func TestLookCorpus(t *testing.T) {
	for _, s := range sources(t, corpus(t, "corpus")) {
		look(t, "corpus", s)
	}
}

// notImported are the files of KFP's module that can't be said in Go, with a part
// of what kfpgo import says of each, which is the reason.
var notImported = map[string]string{
	"backend/src/apiserver/server/test/pipeline_with_volume.yaml":                 "k8s.CreatePVC has no input storage_class", // an alpha's, which servers don't read
	"backend/src/apiserver/template/testdata/pipeline_with_volume.yaml":           "k8s.CreatePVC has no input storage_class",
	forecasting + "learn_to_learn_forecasting_pipeline.yaml":                      "the language has constants for defaults",
	forecasting + "sequence_to_sequence_forecasting_pipeline.yaml":                "the language has constants for defaults",
	forecasting + "temporal_fusion_transformer_forecasting_pipeline.yaml":         "the language has constants for defaults",
	forecasting + "time_series_dense_encoder_forecasting_pipeline.yaml":           "the language has constants for defaults",
	"sdk/python/test_data/pipelines/pipeline_with_dynamic_importer_metadata.yaml": "which KFP's servers keep as it is",
	// It returns the artifact of a task in a loop as one artifact.
	"sdk/python/test_data/pipelines/pipeline_with_metrics_outputs.yaml": "is one artifact and is given those of all rounds of a loop",
}

const forecasting = "components/google-cloud/google_cloud_pipeline_components/preview/automl/forecasting/"

// TestImportModule has the pipelines in the sources of KFP's Go module checked and
// drawn, and makes Go of them: all are built as one program, and each compiles to
// IR that is equal to its file. What isn't so is listed.
func TestImportModule(t *testing.T) {
	a := newAtelier(t)
	all := sources(t, moduleDir(t, kfpModule))
	wrong := map[string][]string{}
	for _, s := range all {
		p := look(t, "KFP's module", s)
		if p == nil {
			continue
		}
		if err := safely(func() error { return a.Add(s.name, p, s.ir) }); err != nil {
			wrong[s.name] = []string{err.Error()}
		}
	}
	compare(t, a, wrong)
	for _, s := range all {
		exception := ""
		if e, ok := butFor[path.Base(s.name)]; ok && slices.Equal(wrong[s.name], e.lines) {
			delete(wrong, s.name)
			tally("KFP's module imported to Go, built and equal", true, s.name+": "+e.why())
			continue
		}
		if lines := strings.Join(wrong[s.name], "\n"); lines != "" {
			exception = s.name + ": " + notImported[s.name]
			if why := notImported[s.name]; why == "" || !strings.Contains(lines, why) {
				t.Errorf("%s: %.500s", s.name, lines)
			}
		} else if notImported[s.name] != "" {
			t.Errorf("%s can be imported; take it off the list", s.name)
		}
		tally("KFP's module imported to Go, built and equal", exception == "", exception)
	}
}

// look has a file read, checked and drawn.
func look(t *testing.T, of string, s source) *program.Program {
	t.Helper()
	var p *program.Program
	if err := safely(func() (err error) { p, err = kfpread.Read(filepath.Base(s.name), s.ir); return err }); err != nil {
		t.Errorf("%s: %v", s.name, err)
		return nil
	}
	for what, do := range map[string]func() error{
		"vetted": func() error { vet.Program(p, vet.Options{}); return nil },
		"drawn":  func() error { _, err := picture.SVG(p, nil, picture.Right); return err },
	} {
		err := safely(do)
		if err != nil {
			t.Errorf("%s: %s: %v", s.name, what, err)
		}
		tally(of+" "+what, err == nil, "")
	}
	return p
}

// safely turns a panic into an error: no file may cause one.
func safely(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}
