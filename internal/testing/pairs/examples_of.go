package pairs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ExampleFile returns the path of a row's example, in a checkout at root: the file
// of a function of the tests of a package, or a folder of examples.
func ExampleFile(root, example string) (string, error) {
	pkg, function, ok := strings.Cut(example, ".")
	if !ok {
		_, err := os.Stat(filepath.Join(root, example))
		return example, err
	}
	dir := map[string]string{"dsl": "dsl", "argo": "dsl/argo", "k8s": "dsl/k8s", "compiler": "compiler", "components": "components"}[pkg]
	files, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil || dir == "" {
		return "", fmt.Errorf("example %s: no such package", example)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		if strings.Contains(string(b), "\nfunc "+function+"() {") {
			return dir + "/" + filepath.Base(f), nil
		}
	}
	return "", fmt.Errorf("example %s: no such function in the tests of %s", example, dir)
}
