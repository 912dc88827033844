//go:build unix

package compiler_test

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

// BenchmarkScale compares the processor time of 10,000 tasks to that of 1,000: it
// should be at most 12 times as much. Processor time, with that of the garbage
// collector, hardly depends on what else the machine does. What fails if compiling
// stops being linear is TestScale, which counts allocations.
func BenchmarkScale(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			small, big := time.Duration(1<<62), time.Duration(1<<62)
			for b.Loop() {
				for range 3 {
					small = min(small, processor(b, func() {
						for range 3 {
							compile(b, s.make(1000), s.target)
						}
					})/3)
					big = min(big, processor(b, func() { compile(b, s.make(10000), s.target) }))
				}
			}
			b.ReportMetric(float64(big)/float64(small), "times")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func processor(b *testing.B, f func()) time.Duration {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	runtime.GC()
	before := used()
	f()
	return used() - before
}
