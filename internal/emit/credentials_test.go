package emit

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// TestCredentials: no YAML is written with a password in the address of a package.
func TestCredentials(t *testing.T) {
	for name, py := range map[string]program.Python{
		"package":       {Packages: []string{"six", "x @ https://me:s3cret@host/x.whl"}},
		"local package": {LocalPackages: []string{"x @ git+https://s3cret@host/x"}},
		"index":         {Packages: []string{"x"}, IndexURLs: []string{"https://host/simple", "https://me:s3cret@host/simple"}},
	} {
		err := noCredentials(&program.Program{Components: []*program.Component{{Name: "train", Exec: &program.Executor{Python: &py}}}})
		if err == nil || strings.Contains(err.Error(), "s3cret") || !strings.Contains(err.Error(), "component train: ") || !strings.Contains(err.Error(), "netrc") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
