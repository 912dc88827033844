package vet

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// Code that reads values that aren't inputs of a step.
var (
	shellReads  = lazyregexp.New(`\b(?:curl|wget)\s+[^|;&\n]*(?:https?://|\{\{|\$)|\bgit\s+(?:clone|pull|fetch)\b|\bgsutil\s+(?:cp|rsync)\s+gs://|\baws\s+s3\s+(?:cp|sync)\s+s3://|\$\(date\b|` + "`date\\b" + `|\$RANDOM\b|/dev/u?random\b`)
	pythonReads = lazyregexp.New(`\b(?:datetime\.(?:datetime\.)?(?:now|utcnow|today)|date\.today|time\.time(?:_ns)?|requests\.get|httpx\.get|urllib\.request\.(?:urlopen|urlretrieve)|urlopen|uuid\.uuid[14]|os\.urandom|secrets\.token_\w+)\(`)
)

// constants returns the names of the variables whose values are known.
func constants(env []program.Env) (names []string) {
	for _, e := range env {
		if _, ok := e.Value.Constant(); ok {
			names = append(names, "the variable "+e.Name)
		}
	}
	return names
}

// caches finds steps that read the clock or the network and are taken from the cache.
func (v *vetter) caches(t *program.Task, c *program.Component, path string) {
	s := &t.Settings
	if c.Exec == nil || s.NoCache || s.CacheKey != "" {
		return
	}
	if v.cachedExits[t] {
		if !v.o.Argo && c.Exec.Importer == nil {
			v.find(Warning, "cache", path, t.Pos, "it belongs to an exit handler, and KFP takes it from its cache in a later run whose inputs are equal: what it does isn't done then; set enableCache of its cachingOptions to false in the file, or compile the file again with --no-cache, which concerns all tasks")
		}
		return
	}
	if names := constants(s.Env); len(names) > 0 && !v.o.Argo && !c.RunsOurs() {
		v.find(Warning, "cache", path, t.Pos, "KFP's servers up to 2.%d don't look at %s when they look for a cached result, so that a run with another value gets the old one; pass it as an input, or add dsl.CacheKey with the value", feature.Newest, strings.Join(names, ", "))
	}
	if v.o.Argo && (v.p.Config == nil || v.p.Config.Argo == nil || v.p.Config.Argo.CacheFor == 0) {
		return
	}
	reads := ""
	switch x := c.Exec; {
	case x.Container != nil:
		reads = shellReads.FindString(strings.Join(x.Container.Command, " ") + " " + strings.Join(x.Container.Args, " "))
		reads, _, _ = strings.Cut(reads, "{{") // a match may end within a placeholder
	case x.Python != nil:
		reads = strings.TrimSuffix(pythonReads.FindString(x.Python.Source), "(")
	case x.Go != nil:
		reads = v.source().reads(c)
	}
	if reads != "" {
		v.find(Warning, "cache", path, t.Pos, "it has %s, which isn't one of its inputs, and a later run with the same inputs gets the old result from the cache; add dsl.NoCache, or dsl.CacheKey with what it depends on", strings.Join(strings.Fields(reads), " "))
	}
}
