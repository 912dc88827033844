// Package suite is small pipelines, each of which shows a construct of the language
// by its outputs: the same on this machine, on Argo, and as the test has them.
package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

// Text is an In and Out of one text.
type Text struct{ Text dsl.Param[string] }

// Int is an In and Out of one number.
type Int struct{ N dsl.Param[int] }

// Echo returns its text.
var Echo = dsl.Func("echo", func(_ context.Context, in Text, out *Text) error {
	out.Text.Set(in.Text.Get())
	return nil
})

// Add1 adds one.
var Add1 = dsl.Func("add1", func(_ context.Context, in Int, out *Int) error {
	out.N.Set(in.N.Get() + 1)
	return nil
})

type JoinIn struct{ Texts dsl.Param[[]string] }

// Join joins strings with commas.
var Join = dsl.Func("join", func(_ context.Context, in JoinIn, out *Text) error {
	out.Text.Set(strings.Join(in.Texts.Get(), ","))
	return nil
})

type SumIn struct{ Ns dsl.Param[[]int] }

// Sum adds numbers.
var Sum = dsl.Func("sum", func(_ context.Context, in SumIn, out *Int) error {
	sum := 0
	for _, n := range in.Ns.Get() {
		sum += n
	}
	out.N.Set(sum)
	return nil
})

type ListOut struct{ Texts dsl.Param[[]string] }

// Split splits a string at its commas; an empty one has no parts.
var Split = dsl.Func("split", func(_ context.Context, in Text, out *ListOut) error {
	parts := []string{}
	if in.Text.Get() != "" {
		parts = strings.Split(in.Text.Get(), ",")
	}
	out.Texts.Set(parts)
	return nil
})

type MaybeIn struct {
	Text dsl.Param[string] `kfp:",optional"`
}

// Maybe says whether it was given a string.
var Maybe = dsl.Func("maybe", func(_ context.Context, in MaybeIn, out *Text) error {
	text, ok := in.Text.Lookup()
	out.Text.Set(fmt.Sprintf("%t %q", ok, text))
	return nil
})

// Fail fails.
var Fail = dsl.Func("fail", func(context.Context, Text, *Text) error { return errors.New("it was told to fail") })

// Sleep waits for a minute.
var Sleep = dsl.Func("sleep", func(ctx context.Context, _ dsl.None, _ *dsl.None) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Minute):
		return nil
	}
})

type WriteOut struct{ Data dsl.Dataset }

// Write writes a string to a file, with metadata.
var Write = dsl.Func("write", func(_ context.Context, in Text, out *WriteOut) error {
	out.Data.SetMetadata("length", len(in.Text.Get()))
	return os.WriteFile(out.Data.Path(), []byte(in.Text.Get()), 0o644)
})

// WriteDir writes a folder with two files.
var WriteDir = dsl.Func("write-dir", func(_ context.Context, in Text, out *WriteOut) error {
	dir := filepath.Join(out.Data.Path(), "sub")
	return errors.Join(os.MkdirAll(dir, 0o755),
		os.WriteFile(filepath.Join(out.Data.Path(), "a"), []byte(in.Text.Get()), 0o644),
		os.WriteFile(filepath.Join(dir, "b"), []byte("b"), 0o644))
})

type ReadIn struct {
	Data dsl.Dataset `kfp:",optional"`
}

// Read returns what is in a file or folder.
var Read = dsl.Func("read", func(_ context.Context, in ReadIn, out *Text) error {
	if !in.Data.Given() {
		out.Text.Set("nothing")
		return nil
	}
	text := ""
	err := filepath.WalkDir(in.Data.Path(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(in.Data.Path(), path)
		text += fmt.Sprintf("%s=%s;", rel, b)
		return err
	})
	out.Text.Set(text + fmt.Sprint(in.Data.Metadata("length")))
	return err
})

type ReadAllIn struct{ All dsl.List[dsl.Dataset] }

// ReadAll joins what is in files.
var ReadAll = dsl.Func("read-all", func(_ context.Context, in ReadAllIn, out *Text) error {
	var texts []string
	for _, d := range in.All.All() {
		b, err := os.ReadFile(d.Path())
		if err != nil {
			return err
		}
		texts = append(texts, string(b))
	}
	out.Text.Set(strings.Join(texts, ","))
	return nil
})

type StatusIn struct {
	Status dsl.Param[dsl.FinalStatus]
	Name   dsl.Param[string]
}

// Report prints a final status, and fails unless it is as expected: an exit
// handler has no other way to show what it was given.
var Report = dsl.Func("report", func(_ context.Context, in StatusIn, _ *dsl.None) error {
	b, err := json.Marshal(in.Status.Get())
	fmt.Println("status", string(b))
	if in.Status.Get().State != in.Name.Get() {
		return fmt.Errorf("state %s, want %s", in.Status.Get().State, in.Name.Get())
	}
	return err
})
