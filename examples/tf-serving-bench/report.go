package tfservingbench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/tf-serving-bench/bench"
)

// ReportIn is all that was measured.
type ReportIn struct {
	Pictures dsl.Dataset
	Builds   dsl.Param[[]bench.Build]
	Measured dsl.List[dsl.Dataset]
	Requests dsl.Param[int]
	Parallel dsl.Param[int]
}

// ReportOut is the report, for people and for programs.
type ReportOut struct {
	Page    dsl.HTML
	JSON    dsl.Dataset `kfp:"json"`
	CSV     dsl.Dataset `kfp:"csv"`
	Metrics dsl.Metrics
}

// Report puts together what was measured.
var Report = dsl.Func("report", func(_ context.Context, in ReportIn, out *ReportOut) error {
	i, err := readPictures(in.Pictures.Path())
	if err != nil {
		return err
	}
	var servers []bench.Server
	for _, m := range in.Measured.All() {
		b, err := os.ReadFile(m.Path())
		if err != nil {
			return err
		}
		var s bench.Server
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		servers = append(servers, s)
	}
	slices.SortStableFunc(servers, func(a, b bench.Server) int { return cmp.Compare(a.Label(), b.Label()) })
	builds := in.Builds.Get()
	slices.SortStableFunc(builds, func(a, b bench.Build) int { return cmp.Compare(a.Name, b.Name) })
	r := bench.New(i.Original, bench.Load{Requests: in.Requests.Get(), Parallel: in.Parallel.Get()}, i.Pictures, builds, servers)
	for _, s := range servers {
		if s.Missing == "" {
			dsl.LogMetric(out.Metrics, s.Label()+" requests_per_second", s.PerSec)
		}
	}
	return errors.Join(
		write(out.Page.Create, r.HTML),
		write(out.JSON.Create, r.JSON),
		write(out.CSV.Create, r.CSV),
	)
})

func write(create func() (*os.File, error), to func(io.Writer) error) error {
	f, err := create()
	if err != nil {
		return err
	}
	return errors.Join(to(f), f.Close())
}
