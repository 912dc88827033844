// Command crossvet is go vet for another system, which GOOS and GOARCH name: it type-checks the
// sources of all packages, where go vet would first compile those that the checked ones import.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/suite/vet"
)

func main() { multichecker.Main(vet.Suite...) }
