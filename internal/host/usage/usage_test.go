package usage

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/child"
)

// TestProcesses: a process counts with what it has started, in its group and in one of its
// own, and the CPU time and memory of each are those that it has used.
func TestProcesses(t *testing.T) {
	if Supported() != nil {
		t.Skip(Supported())
	}
	cmd := child.Command(t.Context(), "sh", "-c", "setsid sleep 1000 & sleep 1000 & while :; do :; done")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Cancel()
	for {
		all, err := processes(cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		seconds, memory := 0.0, int64(0)
		for _, p := range all {
			seconds, memory = seconds+p.seconds, memory+p.memory
		}
		if len(all) == 3 && seconds >= 0.05 {
			if memory < 300<<10 || memory > 1<<30 {
				t.Errorf("3 programs have %d bytes", memory)
			}
			for _, p := range all {
				if p.pid != cmd.Process.Pid {
					if own, _ := os.FindProcess(p.pid); own != nil {
						own.Kill()
					}
				}
			}
			return
		}
	}
}

// TestTake: a sample has the usage since the one before, in CPUs.
func TestTake(t *testing.T) {
	if Supported() != nil {
		t.Skip(Supported())
	}
	at := time.Unix(0, 0)
	m := &meter{pid: os.Getpid(), used: map[int]float64{}, now: func() time.Time { return at }}
	m.take(t.Context())
	if m.samples != nil {
		t.Fatalf("the first look has no interval: %+v", m.samples)
	}
	seconds := func() float64 { return m.used[os.Getpid()] }
	before := seconds()
	for seconds() < before+0.05 { // of CPU time
		at = at.Add(time.Hour)
		m.take(t.Context())
	}
	sum := 0.0
	for _, c := range m.samples.CPUs {
		sum += c * m.samples.Interval / first.Seconds()
	}
	if got := sum * 3600; got < 0.049 || m.samples.Memory[0] < 1<<20 || m.samples.GPU != nil {
		t.Errorf("%v CPU seconds, %d bytes", got, m.samples.Memory[0])
	}
}

// TestHalve: a day has as many samples as a minute.
func TestHalve(t *testing.T) {
	s := &Samples{Interval: 0.1, CPUs: []float64{1, 3, 5, 5, 9}, Memory: []int64{1, 2, 4, 3, 9}, GPU: []float64{0, 1}, GPUMemory: []int64{7, 6}}
	s.halve()
	if s.Interval != 0.2 || !slices.Equal(s.CPUs, []float64{2, 5}) || !slices.Equal(s.Memory, []int64{2, 4}) || !slices.Equal(s.GPU, []float64{0.5}) || !slices.Equal(s.GPUMemory, []int64{7}) {
		t.Errorf("%+v", s)
	}
	m := &meter{samples: s}
	if m.interval() != 200*time.Millisecond || (&meter{}).interval() != first {
		t.Error(m.interval())
	}
}

// TestGPUs asks a program with the name and the words of nvidia-smi, once a second.
func TestGPUs(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\necho \"$@\" >>" + filepath.Join(dir, "asked") + "\necho '80, 1024'\necho '40, 2048'\n"
	if err := os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if _, err := exec.LookPath("nvidia-smi"); err != nil {
		t.Skip("no scripts on this system")
	}
	m := &meter{gpus: []int{0, 3}}
	at := time.Unix(100, 0)
	for range 3 {
		if !m.askGPUs(t.Context(), at) || math.Abs(m.gpuBusy-0.6) > 1e-9 || m.gpuMemory != 3072<<20 {
			t.Errorf("%v, %d", m.gpuBusy, m.gpuMemory)
		}
		at = at.Add(400 * time.Millisecond)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "asked")); strings.Count(string(b), "-i 0,3 --query-gpu=") != 1 {
		t.Errorf("asked %q", b)
	}
	if (&meter{}).askGPUs(t.Context(), at) {
		t.Error("a step without a GPU was measured on one")
	}
	if busy, memory := readGPUs("[N/A], [N/A]\n100, 5\n-1, -1\nx"); busy != 0.25 || memory != 5<<20 {
		t.Error(busy, memory)
	}
}
