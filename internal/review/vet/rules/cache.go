package rules

import "github.com/kfpgo/kfpgo/dsl"

func init() { add("cache", CacheFound, CacheFixed) }

// Found:

type ImagesOut struct{ Data dsl.Dataset }

var Newest = dsl.Container("newest", func(_ dsl.None, out ImagesOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image:   "docker.io/curlimages/curl:8.8.0",
		Command: []string{"curl", "-fLo", out.Data.Path(), "https://data.example.com/newest.csv"},
	}
})

var CacheFound = dsl.Pipeline("cache", func(s *dsl.Scope, _ dsl.None) dsl.None {
	Newest.Call(s, dsl.None{})
	return dsl.None{}
})

// Fixed:

var CacheFixed = dsl.Pipeline("not-cached", func(s *dsl.Scope, _ dsl.None) dsl.None {
	Newest.Call(s, dsl.None{}, dsl.NoCache())
	return dsl.None{}
})
