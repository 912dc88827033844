package lower

import "github.com/kfpgo/kfpgo/internal/model/graph"

// A caching says whether results of earlier runs are used.
type caching int

const (
	cached   caching = iota
	uncached         // dsl.NoCache, on the task or on a pipeline around it
	ifSaid           // only where a task says so itself
)

// cachingOf returns the caching of a task: what its own options say, the last one
// first, or else what holds around it. What is there for what it does runs each
// time unless it says otherwise. From the cache, the second alert of an exit handler
// never comes, and the second run mounts a claim that the first one has deleted.
func (p *pipelineLowering) cachingOf(gt *graph.Task, exit bool) caching {
	of := p.caching
	if kind := p.g.Component(gt.Component).Kind; of == cached && (exit || kind == graph.Resource || kind == graph.Suspend) {
		of = ifSaid
	}
	for _, o := range gt.Options {
		switch {
		case o.Name == "no-cache":
			of = uncached
		case o.Name == "cache", o.Name == "cache-key" && of == ifSaid:
			of = cached
		}
	}
	return of
}
