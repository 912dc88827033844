// Package graphviz lays out graphs with Graphviz, which is compiled to
// WebAssembly: graphviz.wasm.gz is the module of github.com/goccy/go-graphviz,
// see README.md.
//
// go-graphviz' own package starts Graphviz when a program is initialized, some 20
// ms that every command would pay. Here it starts with the first layout.
package graphviz

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

//go:embed graphviz.wasm.gz
var packed []byte

// lock guards Graphviz, which has one memory for all.
var lock sync.Mutex

// running is Graphviz since the first layout.
var running *module

// Layout has dot place a graph in Graphviz' language, and returns its json0 form.
//
// It gives up on a graph that is nested more than some hundred deep.
func Layout(ctx context.Context, dot string) (_ []byte, err error) {
	lock.Lock()
	defer lock.Unlock()
	if running == nil {
		if running, err = instantiate(context.Background()); err != nil {
			return nil, fmt.Errorf("graphviz: %w", err)
		}
	}
	c := &calls{m: running, ctx: ctx}
	out := c.layout(dot)
	if c.trapped { // the state of its memory is unknown; the next layout starts anew
		running.Close(ctx)
		running = nil
		return nil, fmt.Errorf("graphviz gave up: %w", c.err)
	}
	c.free()
	if c.err != nil {
		return nil, fmt.Errorf("graphviz: %w", c.err)
	}
	return out, nil
}

// A module is Graphviz, with its C functions as they are.
type module struct {
	api.Module
}

func instantiate(ctx context.Context) (*module, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	wasm, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	r := wazero.NewRuntimeWithConfig(ctx, config())
	compiled, err := r.CompileModule(ctx, wasm)
	if err != nil {
		return nil, err
	}
	// go-graphviz lets C call plugins that are written in Go. There are none here.
	env := r.NewHostModuleBuilder("env")
	for _, f := range compiled.ImportedFunctions() {
		if from, name, _ := f.Import(); from == "env" {
			none := api.GoFunc(func(_ context.Context, stack []uint64) { clear(stack) })
			env.NewFunctionBuilder().WithGoFunction(none, f.ParamTypes(), f.ResultTypes()).Export(name)
		}
	}
	if _, err := env.Instantiate(ctx); err != nil {
		return nil, err
	}
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return nil, err
	}
	m, err := r.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("graphviz"))
	if err != nil {
		return nil, err
	}
	return &module{m}, nil
}

// config keeps the native code of the module in the user's cache: compiling it
// takes a second. Without a cache, or if it can't be written to, that is paid.
func config() wazero.RuntimeConfig {
	c := wazero.NewRuntimeConfig()
	dir, err := os.UserCacheDir()
	if err != nil {
		return c
	}
	dir = filepath.Join(dir, "kfpgo", "graphviz")
	if os.MkdirAll(dir, 0o700) != nil {
		return c
	}
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return c
	}
	return c.WithCompilationCache(cache)
}

// Calls are the calls of C functions for one layout. After the first error the
// others do nothing.
type calls struct {
	m     *module
	ctx   context.Context
	err   error
	after []func()

	trapped bool // Graphviz ended where it should not
}

// call calls a C function.
func (c *calls) call(name string, args ...uint64) uint32 {
	if c.err != nil {
		return 0
	}
	f := c.m.ExportedFunction(name)
	if f == nil {
		c.err = fmt.Errorf("the module has no function %s", name)
		return 0
	}
	out, err := f.Call(c.ctx, args...)
	if err != nil {
		words, _, _ := strings.Cut(err.Error(), "\n") // the rest is WebAssembly's stack
		c.err, c.trapped = fmt.Errorf("%s: %s", name, words), true
		return 0
	}
	if len(out) == 0 {
		return 0
	}
	return uint32(out[0])
}

// alloc returns memory that is freed at the end, with what it holds.
func (c *calls) alloc(content []byte) uint64 {
	at := c.call("malloc", uint64(len(content)))
	if c.err == nil && (at == 0 || !c.m.Memory().Write(at, content)) {
		c.err = errors.New("out of memory")
	}
	c.after = append(c.after, func() { c.call("free", uint64(at)) })
	return uint64(at)
}

func (c *calls) text(s string) uint64 { return c.alloc(append([]byte(s), 0)) }

// word reads a pointer or a number.
func (c *calls) word(at uint64) uint32 {
	if c.err != nil {
		return 0
	}
	v, ok := c.m.Memory().ReadUint32Le(uint32(at))
	if !ok {
		c.err = fmt.Errorf("there is nothing at %#x", at)
	}
	return v
}

// free frees the allocated memory in reverse order, after errors too.
func (c *calls) free() {
	err := c.err
	c.err = nil
	defer func() { c.err = errors.Join(err, c.err) }()
	for i := len(c.after) - 1; i >= 0; i-- {
		c.after[i]()
	}
}

// quiet is the level at which Graphviz prints no messages, C's AGMAX.
const quiet = 3

func (c *calls) layout(dot string) (out []byte) {
	c.call("agseterr", quiet)
	gvc := uint64(c.call("gvContextPlugins", c.plugins(), 0))
	c.after = append(c.after, func() { c.call("gvFreeContext", gvc) })
	g := uint64(c.call("agmemread", c.text(dot)))
	if c.err == nil && g == 0 {
		c.err = errors.New("the graph can't be read")
		return nil
	}
	c.after = append(c.after, func() { c.call("agclose", g) })
	if c.call("gvLayout", gvc, g, c.text("dot")) != 0 && c.err == nil {
		c.err = errors.New("the graph can't be laid out")
	}
	c.after = append(c.after, func() { c.call("gvFreeLayout", gvc, g) })
	result := c.alloc(make([]byte, 8)) // a pointer to the text, and its length
	if c.call("gvRenderData", gvc, g, c.text("json0"), result, result+4) != 0 && c.err == nil {
		c.err = errors.New("the layout can't be written")
	}
	at, n := c.word(result), c.word(result+4)
	if c.err != nil {
		return nil
	}
	b, ok := c.m.Memory().Read(at, n)
	if !ok {
		c.err = fmt.Errorf("there is no string of %d bytes at %#x", n, at)
		return nil
	}
	out = bytes.Clone(b)
	c.call("gvFreeRenderData", uint64(at))
	return out
}

// plugins returns the list of the plugins that are linked in: a name and an
// address for each, and zeros at the end.
func (c *calls) plugins() uint64 {
	list := c.m.ExportedGlobal("lt_preloaded_symbols")
	if list == nil {
		c.err = errors.New("the module has no plugins")
		return 0
	}
	b, ok := c.m.Memory().Read(uint32(list.Get()), 3*8)
	if !ok {
		c.err = errors.New("the list of plugins is out of memory")
		return 0
	}
	return c.alloc(append(bytes.Clone(b), make([]byte, 8)...))
}
