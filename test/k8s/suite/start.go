package suite

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/kfpgo/kfpgo/dsl"
)

type StartOut struct {
	Millis dsl.Param[float64]
}

// start returns the time from the start of its process to its first instruction.
var start = dsl.Func("start", func(_ context.Context, _ dsl.None, out *StartOut) error {
	const bootTime = 7 // CLOCK_BOOTTIME, which the kernel counts starts of processes by
	var now syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, bootTime, uintptr(unsafe.Pointer(&now)), 0); errno != 0 {
		return errno
	}
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	ticks, err := strconv.ParseInt(strings.Fields(rest)[19], 10, 64) // of 10 ms
	if err != nil {
		return fmt.Errorf("/proc/self/stat: %w", err)
	}
	since := time.Duration(now.Nano()) - time.Duration(ticks)*10*time.Millisecond
	out.Millis.Set(float64(since.Microseconds()) / 1000)
	return nil
})

type StartsOut struct{ Millis dsl.Param[[]float64] }

// Starts measures how long steps take to start, one after the other.
var Starts = dsl.Pipeline("starts", func(s *dsl.Scope, _ dsl.None) StartsOut {
	each := dsl.ParallelFor(s, dsl.Const([]int{1, 2, 3, 4, 5}), func(s *dsl.Scope, _ dsl.Param[int]) StartOut { return start.Call(s, dsl.None{}).Out }, dsl.Parallelism(1))
	return StartsOut{dsl.Collected(each.Each.Millis)}
})

// Slow waits for a given time.
var Slow = dsl.Func("slow", func(ctx context.Context, in Int, out *Int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(in.N.Get()) * time.Second):
		out.N.Set(in.N.Get())
		return nil
	}
})

// Slowly has three steps, of which the second takes its time.
var Slowly = dsl.Pipeline("slowly", func(s *dsl.Scope, in Int) Int {
	first := Add1.Call(s, Int{dsl.Const(0)})
	second := Slow.Call(s, in, dsl.After(first))
	return Add1.Call(s, second.Out).Out
})

// SlowlyAgain is Slowly with a second try.
var SlowlyAgain = dsl.Pipeline("slowly-again", func(s *dsl.Scope, in Int) Int {
	second := Slow.Call(s, in, dsl.Retry(1))
	return Add1.Call(s, second.Out).Out
})

// Dies is killed in the middle of its step.
var Dies = dsl.Pipeline("dies", func(s *dsl.Scope, _ dsl.None) Text {
	return die.Call(s, Text{dsl.Const("x")}).Out
})

var die = dsl.Func("die", func(ctx context.Context, _ Text, _ *Text) error {
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGKILL); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
})

// Eats takes more memory than it may have.
var Eats = dsl.Pipeline("eats", func(s *dsl.Scope, in Int) Int {
	return eat.Call(s, in, dsl.Memory("48Mi"), dsl.MemoryRequest("16Mi")).Out
})

// eat takes a number of MiB, and writes to each page of them.
var eat = dsl.Func("eat", func(_ context.Context, in Int, out *Int) error {
	b := make([]byte, in.N.Get()<<20)
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
	out.N.Set(len(b) >> 20)
	return nil
})

// NoImage names an image that isn't there.
var NoImage = dsl.Pipeline("no-image", func(s *dsl.Scope, _ dsl.None) Text {
	return Echo.Call(s, Text{dsl.Const("x")}, dsl.Image("registry.local/no-such:1")).Out
}, dsl.Config{Deadline: 25 * time.Second})

// NoImageEver is NoImage without a deadline.
var NoImageEver = dsl.Pipeline("no-image-ever", func(s *dsl.Scope, _ dsl.None) Text {
	return Echo.Call(s, Text{dsl.Const("x")}, dsl.Image("registry.local/no-such:1")).Out
})
