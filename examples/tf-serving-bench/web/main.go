// Command web is a page to compare model servers with: an image is uploaded, and
// posted to each server in many sizes and formats. It listens on this machine only, unless
// it is given a token to ask for.
//
//	go run ./examples/tf-serving-bench/web -server cpu1=http://127.0.0.1:8501
//
// Without a server it starts the stand-in in Go. Package page runs it on a cluster.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/bench"
	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/standin"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "web:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("web", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8080", "the `address` to listen on; without -token-file one of this machine")
	tokenFile := flags.String("token-file", "", "`file` with a token, which browsers and programs are then asked for")
	model := flags.String("model", "classifier", "`name` of the model on servers whose URL doesn't end in /v1/models/NAME")
	var targets []target
	flags.Func("server", "`NAME=URL` of a server: cpu1, cpu8, gpu1, or one of them with -batching or -standard; may be repeated", func(s string) error {
		t, err := parseTarget(s, *model)
		targets = append(targets, t)
		return err
	})
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("%q is no flag", flags.Arg(0))
	}
	token := ""
	if *tokenFile != "" {
		var err error
		if token, err = readToken(*tokenFile); err != nil {
			return err
		}
	}
	l, err := listen(*addr, token != "")
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		var stop func()
		if targets, stop, err = standIns(ctx, *model); err != nil {
			return err
		}
		defer stop()
	}
	fmt.Printf("http://%s\n", l.Addr())
	return serve(ctx, l, newSite(complete(targets), token))
}

// listen refuses addresses that others can reach, unless they are asked for a token.
func listen(addr string, asked bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); !asked && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("-addr %s: without -token-file only addresses of this machine are listened on, such as 127.0.0.1:8080; others can reach it by ssh -L", addr)
	}
	return net.Listen("tcp", addr)
}

func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	defer context.AfterFunc(ctx, func() {
		end, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		s.Shutdown(end)
	})()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// A target is a server to measure; one without a URL is missing.
type target struct {
	bench.Server
	bench.Client
}

func parseTarget(s, model string) (target, error) {
	label, url, ok := strings.Cut(s, "=")
	name, standard := strings.CutSuffix(label, "-standard")
	name, batching := strings.CutSuffix(name, "-batching")
	if !ok || !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") {
		return target{}, fmt.Errorf("%q is not NAME=URL, such as cpu1=http://127.0.0.1:8501", s)
	}
	if base, own, ok := strings.Cut(url, "/v1/models/"); ok {
		url, model = base, own
	}
	for _, n := range names {
		if n == name {
			return target{bench.Server{Name: name, Batching: batching, Standard: standard, What: url}, bench.Client{URL: url, Model: model}}, nil
		}
	}
	return target{}, fmt.Errorf("%q: there are %s, and each with -batching or -standard", label, strings.Join(names, ", "))
}

var names = []string{"cpu1", "cpu8", "gpu1"}

// complete adds the servers that nobody named, as missing. Those of standard images are
// there if they are named.
func complete(given []target) (all []target) {
	for _, name := range names {
		for _, batching := range []bool{false, true} {
			t := target{Server: bench.Server{Name: name, Batching: batching, Missing: "no server was named"}}
			for _, g := range given {
				if g.Name == name && g.Batching == batching && !g.Standard {
					t = g
				}
			}
			all = append(all, t)
		}
	}
	for _, g := range given {
		if g.Standard {
			all = append(all, g)
		}
	}
	return all
}

// standIns starts a stand-in with one CPU, one with eight if there are so many, and
// both with batching.
func standIns(ctx context.Context, model string) (list []target, stop func(), err error) {
	ctx, end := context.WithCancel(ctx)
	var servers []*http.Server
	stop = func() {
		end()
		for _, s := range servers {
			s.Close()
		}
	}
	for _, n := range []int{1, 8} {
		for _, batching := range []bool{false, true} {
			t := target{Server: bench.Server{Name: fmt.Sprintf("cpu%d", n), Batching: batching, What: standin.What}}
			if cpus := runtime.NumCPU(); cpus < n {
				t.Missing = fmt.Sprintf("this machine has %d CPUs", cpus)
				list = append(list, t)
				continue
			}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				stop()
				return nil, nil, err
			}
			s := &http.Server{Handler: standin.Handler(ctx, standin.Config{Model: model, CPUs: n, Batching: batching}), ReadHeaderTimeout: 10 * time.Second}
			servers = append(servers, s)
			go s.Serve(l)
			t.Client = bench.Client{URL: "http://" + l.Addr().String(), Model: model}
			list = append(list, t)
		}
	}
	return list, stop, nil
}
