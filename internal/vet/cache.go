package vet

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/program"
)

// Texts that read what the inputs of a step don't say.
var (
	shellReads  = lazyregexp.New(`\b(?:curl|wget)\s+[^|;&\n]*(?:https?://|\{\{|\$)|\bgit\s+(?:clone|pull|fetch)\b|\bgsutil\s+(?:cp|rsync)\s+gs://|\baws\s+s3\s+(?:cp|sync)\s+s3://|\$\(date\b|` + "`date\\b" + `|\$RANDOM\b|/dev/u?random\b`)
	pythonReads = lazyregexp.New(`\b(?:datetime\.(?:datetime\.)?(?:now|utcnow|today)|date\.today|time\.time(?:_ns)?|requests\.get|httpx\.get|urllib\.request\.(?:urlopen|urlretrieve)|urlopen|uuid\.uuid[14]|os\.urandom|secrets\.token_\w+)\(`)
)

// caches finds steps that read the clock or the network and are taken from the cache.
func (v *vetter) caches(t *program.Task, c *program.Component, path string) {
	s := &t.Settings
	if c.Exec == nil || s.NoCache || s.CacheKey != "" || t.Exit {
		return
	}
	if v.o.Argo && (v.p.Config == nil || v.p.Config.Argo == nil || v.p.Config.Argo.CacheFor == 0) {
		return
	}
	reads := ""
	switch x := c.Exec; {
	case x.Container != nil:
		reads = shellReads.FindString(strings.Join(x.Container.Command, " ") + " " + strings.Join(x.Container.Args, " "))
	case x.Python != nil:
		reads = strings.TrimSuffix(pythonReads.FindString(x.Python.Source), "(")
	case x.Go != nil:
		reads = v.source().reads(c)
	}
	if reads != "" {
		v.find(Warning, "cache", path, t.Pos, "it has %s, which its inputs don't say, and a later run with the same inputs gets the old result from the cache; add dsl.NoCache, or dsl.CacheKey with what it depends on", strings.Join(strings.Fields(reads), " "))
	}
}
