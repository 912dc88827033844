package main

import (
	"io"
	"log"
	"net/http/httptest"
	"strings"

	"github.com/google/go-containerregistry/pkg/crane"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/rogpeppe/go-internal/testscript"
)

// startRegistry is "registry", which starts a registry of images at $REGISTRY, and
// "registry config REF", which prints the configuration of an image.
func startRegistry(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) == 0 {
		s := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
		ts.Defer(s.Close)
		ts.Setenv("REGISTRY", strings.TrimPrefix(s.URL, "http://"))
		return
	}
	c, err := crane.Config(args[1])
	ts.Check(err)
	_, err = io.WriteString(ts.Stdout(), string(c)+"\n")
	ts.Check(err)
}
