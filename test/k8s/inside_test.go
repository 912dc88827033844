package k8s

import (
	"io"
	"net"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// inside returns an address here that leads to one in the network namespace of the
// cluster.
func inside(t *testing.T, address string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	no(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				to, err := dial(address)
				if err != nil {
					return
				}
				go func() { io.Copy(to, c); to.Close() }()
				io.Copy(c, to)
				to.Close()
			}()
		}
	}()
	return l.Addr().String()
}

// dial connects to an address in the cluster's namespace. A socket belongs to the one
// of the thread that makes it; the thread ends with its goroutine.
func dial(address string) (net.Conn, error) {
	type result struct {
		c   net.Conn
		err error
	}
	got := make(chan result)
	go func() {
		runtime.LockOSThread()
		ns, err := os.Open("/run/netns/kfpgo-e2e")
		if err == nil {
			defer ns.Close()
			err = unix.Setns(int(ns.Fd()), unix.CLONE_NEWNET)
		}
		if err != nil {
			got <- result{nil, err}
			return
		}
		c, err := net.Dial("tcp", address)
		got <- result{c, err}
	}()
	r := <-got
	return r.c, r.err
}
