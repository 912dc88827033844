// Command smi answers as nvidia-smi does on a machine with one Tesla T4, with what
// was recorded: the container runtime of a node with a GPU puts the real one into
// each container that asks for it, and this node has none.
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	if strings.HasPrefix(strings.Join(os.Args[1:], " "), "--query-gpu=") {
		fmt.Println("0, Tesla T4, GPU-5f2d1c1e-5b8e-4b0c-9a43-8e8b0d6d3f10, 545.23.08, 15360, 105, 0, 41, 7.5")
		return
	}
	fmt.Println("+---------------------------------------------------------------------------------------+\n" +
		"| NVIDIA-SMI 545.23.08              Driver Version: 545.23.08    CUDA Version: 12.3     |\n" +
		"|-----------------------------------------+----------------------+----------------------+")
}
