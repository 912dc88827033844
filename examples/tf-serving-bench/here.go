package tfservingbench

import (
	"context"
	_ "embed" // the server
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/standin"
)

//go:embed server.py
var serverPy string

// A local is a server on this machine, for as long as it is measured.
type local struct {
	ctx       context.Context // ends with the server, which is its cause
	url, what string
	stop      func()
}

// startHere serves the SavedModel with KServe's model server, or where there is no
// Python starts the stand-in.
func startHere(ctx context.Context, in MeasureIn, model string) (*local, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancelCause(ctx)
	here := &local{ctx: ctx, url: "http://" + l.Addr().String(), what: standin.What}
	cpus := cpusOf(in.Variant.Get())
	if in.Python.Get() == "" {
		s := &http.Server{Handler: standin.Handler(ctx, standin.Config{Model: model, CPUs: cpus, Batching: in.Batching.Get()}), ReadHeaderTimeout: 10 * time.Second}
		go s.Serve(l)
		here.stop = func() { s.Close(); end(nil) }
		return here, nil
	}
	here.what = "KServe's model server with TensorFlow 2.16.1, in place of TensorFlow Serving"
	port := l.Addr().(*net.TCPAddr).Port
	l.Close() // KServe opens it by its number
	c := exec.CommandContext(ctx, in.Python.Get(), "-c", serverPy)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second // after which it is killed
	c.Env = append(os.Environ(), "TF_CPP_MIN_LOG_LEVEL=2", "MODEL_FOLDER="+in.Model.Path(), "MODEL_NAME="+model,
		"PORT="+strconv.Itoa(port), "CPUS="+strconv.Itoa(cpus), "BATCHING="+strconv.FormatBool(in.Batching.Get()))
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Start(); err != nil {
		end(nil)
		return nil, fmt.Errorf("the model server: %w", err)
	}
	done := make(chan struct{})
	go func() {
		end(fmt.Errorf("the model server has ended: %v; its log is above", c.Wait()))
		close(done)
	}()
	here.stop = func() { end(nil); <-done }
	return here, nil
}
