package kubeop

import (
	"testing"
	"time"
)

// TestPullOf: the kubelet's words of several versions.
func TestPullOf(t *testing.T) {
	for message, want := range map[string]Pull{
		`Successfully pulled image "tensorflow/serving:2.16.1" in 15.981s (15.981s including waiting). Image size: 129338587 bytes.`: {15981 * time.Millisecond, 129338587},
		`Successfully pulled image "r.example.com/serving@sha256:aa" in 1m2.5s (1m3s including waiting)`:                             {62500 * time.Millisecond, 0},
		`Successfully pulled image "a:1" in 312.5µs`:                                                                                 {312500 * time.Nanosecond, 0},
		`Container image "a:1" already present on machine`:                                                                           {},
		`Container image "a:1" already present on machine. Image size: 12 bytes.`:                                                    {},
		`Successfully pulled image "a:1" in 99999999999999999999h (x). Image size`:                                                   {},
	} {
		if got := pullOf(message); got != want {
			t.Errorf("%s: %v, want %v", message, got, want)
		}
	}
}
