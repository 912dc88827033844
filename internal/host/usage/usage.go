// Package usage measures the CPUs, memory and GPUs that a process uses while it runs, with all
// processes that it has started.
package usage

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/child"
)

// ErrSystem says that a system has no way to measure that is known here.
var ErrSystem = errors.New("the usage of steps is measured on Linux only")

// Samples are the usage of a process, in equal intervals.
type Samples struct {
	Interval  float64   `json:"interval"`            // seconds
	CPUs      []float64 `json:"cpus"`                // that were busy, on average
	Memory    []int64   `json:"memory"`              // bytes, at most
	GPU       []float64 `json:"gpu,omitempty"`       // how busy the GPUs were, from 0 to 1, on average
	GPUMemory []int64   `json:"gpuMemory,omitempty"` // bytes on all of them, at most
}

// The interval is doubled when there are as many samples as are kept, so that steps of
// a second and of a day have curves of the same detail.
const (
	first = 100 * time.Millisecond
	kept  = 240
)

// asked is how often GPUs are asked at most: that takes a program.
const asked = time.Second

// Measure measures a process until the context ends. It returns nil for a process that ends
// before the first sample.
func Measure(ctx context.Context, pid int, gpus []int) *Samples {
	m := &meter{pid: pid, gpus: gpus, used: map[int]float64{}, now: time.Now}
	for {
		select {
		case <-ctx.Done():
			return m.samples
		case <-time.After(m.interval()):
			m.take(ctx)
		}
	}
}

// A meter is a process that is measured.
type meter struct {
	pid     int
	gpus    []int
	now     func() time.Time
	samples *Samples
	taken   time.Time       // when the last sample was
	used    map[int]float64 // CPU seconds of each process until then

	gpuAsked  time.Time
	gpuBusy   float64
	gpuMemory int64
}

func (m *meter) interval() time.Duration {
	if m.samples == nil {
		return first
	}
	return time.Duration(m.samples.Interval * float64(time.Second))
}

// take adds a sample. The first look has only the usage before it, and adds none.
func (m *meter) take(ctx context.Context) {
	now := m.now()
	all, err := processes(m.pid)
	if err != nil || len(all) == 0 {
		return // it has ended
	}
	busy, memory, used := 0.0, int64(0), map[int]float64{}
	for _, p := range all {
		used[p.pid] = p.seconds
		memory += p.memory
		busy += max(0, p.seconds-m.used[p.pid])
	}
	began := m.taken
	m.used, m.taken = used, now
	if began.IsZero() {
		return
	}
	if m.samples == nil {
		m.samples = &Samples{Interval: first.Seconds()}
	}
	s := m.samples
	s.CPUs, s.Memory = append(s.CPUs, busy/max(now.Sub(began).Seconds(), 1e-3)), append(s.Memory, memory)
	if m.askGPUs(ctx, now) {
		s.GPU, s.GPUMemory = append(s.GPU, m.gpuBusy), append(s.GPUMemory, m.gpuMemory)
	}
	if len(s.CPUs) >= kept {
		s.halve()
	}
}

// halve makes one sample of each two.
func (s *Samples) halve() {
	s.Interval *= 2
	s.CPUs, s.GPU = pairs(s.CPUs, mean), pairs(s.GPU, mean)
	s.Memory, s.GPUMemory = pairs(s.Memory, largest), pairs(s.GPUMemory, largest)
}

func mean(a, b float64) float64 { return (a + b) / 2 }

func largest(a, b int64) int64 { return max(a, b) }

func pairs[T any](list []T, of func(a, b T) T) []T {
	n := len(list) / 2
	for i := range n {
		list[i] = of(list[2*i], list[2*i+1])
	}
	return list[:n]
}

// askGPUs asks nvidia-smi about the GPUs of the process, if it has any.
func (m *meter) askGPUs(ctx context.Context, now time.Time) bool {
	if len(m.gpus) == 0 {
		return false
	}
	if now.Sub(m.gpuAsked) < asked {
		return true
	}
	m.gpuAsked = now
	ids := make([]string, len(m.gpus))
	for i, id := range m.gpus {
		ids[i] = strconv.Itoa(id)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := child.Output(child.Command(ctx, "nvidia-smi", "-i", strings.Join(ids, ","), "--query-gpu=utilization.gpu,memory.used", "--format=csv,noheader,nounits"))
	if err == nil {
		m.gpuBusy, m.gpuMemory = readGPUs(string(out))
	}
	return true
}

// readGPUs reads lines of percent and MiB. A GPU that doesn't say one of them, as one
// that is shared, counts as idle.
func readGPUs(out string) (busy float64, memory int64) {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range lines {
		percent, mib, _ := strings.Cut(line, ",")
		p, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
		if err == nil && p >= 0 && p <= 100 {
			busy += p / 100 / float64(len(lines))
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(mib), 10, 32); err == nil && n >= 0 {
			memory += n << 20
		}
	}
	return busy, memory
}

// A process is one of those that are measured.
type process struct {
	pid     int
	seconds float64 // of CPUs, since it started
	memory  int64   // bytes that it has in memory; those that it shares with others count in each
}
