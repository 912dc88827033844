package volcano_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

// TestRole: the role that kfpgo prints lets the step make the job and the queue, which
// is in no namespace, and tell what became of them.
func TestRole(t *testing.T) { tried.Role(t, pipeline) }
