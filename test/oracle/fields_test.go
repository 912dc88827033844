package oracle

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestFields: the list of fields that package kfpread answers for is that of KFP's SDK. A new field
// fails it until the list has it, and then TestProtos there until somebody says what becomes of it.
func TestFields(t *testing.T) {
	const list = "../../internal/read/kfpread/testdata/protos.txt"
	out, err := exec.Command(python(t), "testdata/fields.py").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	theirs, ours := strings.Split(strings.TrimSpace(string(out)), "\n"), strings.Split(strings.TrimSpace(string(want)), "\n")
	for _, line := range theirs {
		if !slices.Contains(ours, line) {
			t.Errorf("%s lacks %s", list, line)
		}
	}
	for _, line := range ours {
		if !slices.Contains(theirs, line) {
			t.Errorf("%s has %s, and the SDK doesn't", list, line)
		}
	}
}
