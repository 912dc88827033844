package recommender

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/kfpgo/kfpgo/dsl"
)

type TrainIn struct {
	Train      dsl.Dataset
	Validation dsl.Dataset
	Features   dsl.Dataset
	Factors    dsl.Param[int]
	Seed       dsl.Param[int] `default:"1"`
}

type TrainOut struct {
	Model   dsl.Model
	Metrics dsl.Metrics
	RMSE    dsl.Param[float64] `doc:"mean error on the validation's ratings, in stars"`
}

const (
	rounds  = 12  // of the training
	damping = 8.0 // holds the factors of who has rated little near 0
)

// Train factorizes the matrix of what the features don't explain, by alternating
// least squares: with the books' factors held, the best ones of each reader are
// the solution of a small linear system, and the other way round.
var Train = dsl.Func("train", func(ctx context.Context, in TrainIn, out *TrainOut) error {
	if n := in.Factors.Get(); n < 1 || n > 100 {
		return fmt.Errorf("%d factors; 1 to 100 will do", n)
	}
	var f features
	if err := readJSON(in.Features.Path(), &f); err != nil {
		return err
	}
	train, err := readRatings(in.Train)
	if err != nil {
		return err
	}
	validation, err := readRatings(in.Validation)
	if err != nil {
		return err
	}
	m, err := factorize(ctx, train, &f, in.Factors.Get(), uint64(in.Seed.Get()))
	if err != nil {
		return err
	}
	out.RMSE.Set(rmse(validation, func(r rating) float64 { return m.predict(&f, r) }))
	fmt.Printf("%d factors: RMSE %.4f on %d ratings\n", m.Factors, out.RMSE.Get(), len(validation))
	dsl.LogMetric(out.Metrics, "rmse", out.RMSE.Get())
	w, err := out.Model.Create()
	if err != nil {
		return err
	}
	out.Model.SetMetadata("factors", m.Factors)
	return errors.Join(json.NewEncoder(w).Encode(m), w.Close())
})

func factorize(ctx context.Context, train []rating, f *features, factors int, seed uint64) (*model, error) {
	m := &model{Factors: factors, Readers: map[string][]float64{}, Books: map[string][]float64{}}
	byReader, byBook := map[string][]rating{}, map[string][]rating{}
	for _, r := range train {
		byReader[r.reader] = append(byReader[r.reader], r)
		byBook[r.book] = append(byBook[r.book], r)
	}
	random := rand.New(rand.NewPCG(seed, 1))
	for _, book := range slices.Sorted(maps.Keys(byBook)) {
		m.Books[book] = make([]float64, factors)
		for k := range factors {
			m.Books[book][k] = random.NormFloat64() * 0.5
		}
	}
	for range rounds {
		for reader, rated := range byReader {
			var err error
			if m.Readers[reader], err = solve(rated, f, factors, func(r rating) []float64 { return m.Books[r.book] }); err != nil {
				return nil, err
			}
		}
		for book, rated := range byBook {
			var err error
			if m.Books[book], err = solve(rated, f, factors, func(r rating) []float64 { return m.Readers[r.reader] }); err != nil {
				return nil, err
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// solve returns the factors with which the ratings are explained best.
func solve(rated []rating, f *features, factors int, other func(rating) []float64) ([]float64, error) {
	a, b := mat.NewSymDense(factors, nil), mat.NewVecDense(factors, nil)
	for k := range factors {
		a.SetSym(k, k, damping)
	}
	for _, r := range rated {
		v := mat.NewVecDense(factors, other(r))
		a.SymRankOne(a, 1, v)
		b.AddScaledVec(b, r.stars-f.known(r), v)
	}
	var chol mat.Cholesky
	var x mat.VecDense
	if !chol.Factorize(a) {
		return nil, errors.New("the factors of a reader or a book have no solution")
	}
	if err := chol.SolveVecTo(&x, b); err != nil {
		return nil, err
	}
	return x.RawVector().Data, nil
}

type PickIn struct {
	Models dsl.List[dsl.Model]
	RMSEs  dsl.Param[[]float64]
}

type PickOut struct {
	Model dsl.Model
}

// Pick keeps the model with the least error.
var Pick = dsl.Func("pick", func(_ context.Context, in PickIn, out *PickOut) error {
	models, errs := in.Models.All(), in.RMSEs.Get()
	if len(models) == 0 || len(models) != len(errs) {
		return fmt.Errorf("%d models and %d errors to pick from", len(models), len(errs))
	}
	best := slices.Index(errs, slices.Min(errs))
	fmt.Printf("model %d of %v\n", best+1, errs)
	b, err := os.ReadFile(models[best].Path())
	if err != nil {
		return err
	}
	out.Model.SetMetadata("factors", models[best].Metadata("factors"))
	return os.WriteFile(out.Model.Path(), b, 0o644)
})
