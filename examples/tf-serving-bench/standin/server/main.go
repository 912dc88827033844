// Command server is the stand-in for TensorFlow Serving as a program.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/standin"
)

func main() {
	c := standin.Config{}
	addr := flag.String("addr", "127.0.0.1:8501", "the `address` to listen on")
	flag.StringVar(&c.Model, "model", "classifier", "`name` of the model")
	flag.IntVar(&c.CPUs, "cpus", 1, "`number` of images that are worked on at once")
	flag.BoolVar(&c.Batching, "batching", false, "put requests together")
	flag.Parse()
	s := &http.Server{Addr: *addr, Handler: standin.Handler(context.Background(), c), ReadHeaderTimeout: 10 * time.Second}
	fmt.Printf("http://%s/v1/models/%s: %s\n", *addr, c.Model, standin.What)
	fmt.Fprintln(os.Stderr, "server:", s.ListenAndServe())
	os.Exit(1)
}
