package pyrun_test

import (
	"os/exec"
	"testing"

	"github.com/kfpgo/kfpgo/internal/target/pyrun"
)

// BenchmarkStart runs a step that does nothing, beside a Python that does
// nothing: the difference is what the runtime takes.
func BenchmarkStart(b *testing.B) {
	c := component("f", "n:NUMBER_INTEGER")
	c.Exec.Python.Source = "from kfp import dsl\n\ndef f() -> int:\n    return 3\n"
	step := append(pyrun.Command(), pyrun.Args(c, `{"outputs":{}}`, true)...)
	for name, argv := range map[string][]string{"python": {"python3", "-c", "pass"}, "step": step} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
			}
		})
	}
}
