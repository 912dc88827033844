package kfp

import (
	"os"
	"testing"

	"github.com/kfpgo/kfpgo/client/internal/gateway"
)

// TestMain: the servers of these tests recover at once.
func TestMain(m *testing.M) {
	gateway.Speed = 20
	os.Exit(m.Run())
}
