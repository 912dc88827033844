package oracle

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/atelier"
)

// notBound are the components of the list that kfpgo gen can't write Go for,
// each with the reason.
var notBound = map[string]string{
	"components/contrib/XGBoost/Cross_validation_for_regression/from_CSV/component.yaml":        graphOfURLs,
	"components/contrib/XGBoost/Train_and_cross-validate_regression/from_CSV/component.yaml":    graphOfURLs,
	"components/contrib/XGBoost/Train_regression_and_calculate_metrics/from_CSV/component.yaml": graphOfURLs,
}

const graphOfURLs = "an implementation.graph of components at addresses of the web, which KFP's SDK 2 doesn't take either"

// noImage are the components whose file leaves the image to who uses it.
var noImage = map[string]bool{
	"components/PyTorch/pytorch-kfp-components/templates/ax_train_component.yaml": true,
	"components/azure/azuredevops/queue-pipeline/component.yaml":                  true,
	"components/azure/azureml/aml-deploy-model/component.yaml":                    true,
	"components/azure/azureml/aml-register-model/component.yaml":                  true,
	"components/azure/azuresynapse/runsparkjob/component.yaml":                    true,
}

// TestComponentLibrary: kfpgo gen over the components in KFP's Go module that
// testdata/components.txt lists. All bindings are built as one program of many
// packages, and each compiles to the IR of its file.
func TestComponentLibrary(t *testing.T) {
	list, err := os.ReadFile("testdata/components.txt")
	if err != nil {
		t.Fatal(err)
	}
	module := moduleDir(t, kfpModule)
	a := newAtelier(t)
	wrong, files := map[string][]string{}, strings.Fields(string(list))
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(module, name))
		if err != nil {
			t.Fatal(err)
		}
		o := kfpread.Options{ByUse: true}
		if noImage[name] {
			o.Image = "example.org/set-by-the-user:1" // kfpgo gen --image
		}
		p, err := kfpread.ReadWith(name, data, o)
		var ir []byte
		if err == nil {
			ir, err = kfp.Write(p, kfp.Options{Image: atelier.Image})
		}
		if err == nil {
			err = a.AddBinding(name, p, ir)
		}
		if err != nil {
			wrong[name] = []string{err.Error()}
		}
	}
	compare(t, a, wrong)
	for _, name := range files {
		why, known := notBound[name]
		lines, bad := wrong[name]
		if bad && !known {
			for _, l := range lines {
				t.Errorf("%s: %s", name, l)
			}
		} else if known && !bad {
			t.Errorf("%s has a binding; take it off the list", name)
		}
		exception := ""
		if known {
			exception = name + ": " + why
		}
		tally("components bound by kfpgo gen, built and equal", !bad, exception)
	}
	if 50*len(wrong) > len(files) {
		t.Errorf("%d of %d components fail, more than 2%%", len(wrong), len(files))
	}
}
