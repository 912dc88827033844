package recommender

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"

	"github.com/kfpgo/kfpgo/dsl"
)

// A rating is what a reader thinks of a book.
type rating struct {
	reader, book string
	stars        float64
}

// readRatings reads what [Prepare] wrote.
func readRatings(d dsl.Dataset) ([]rating, error) {
	f, err := os.Open(d.Path())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) < 2 {
		return nil, errors.New("there are no ratings")
	}
	var all []rating
	for _, row := range rows[1:] {
		stars, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			return nil, fmt.Errorf("the rating of %s by %s: %w", row[1], row[0], err)
		}
		all = append(all, rating{row[0], row[1], stars})
	}
	return all, nil
}

// features are what [Features] made.
type features struct {
	Mean    float64                       `json:"mean"`
	Genres  map[string]string             `json:"genres"`
	Books   map[string]float64            `json:"books"`
	Readers map[string]float64            `json:"readers"`
	Likings map[string]map[string]float64 `json:"likings"`
}

// A model has a few numbers for each reader and each book. Their product is what
// the features don't explain.
type model struct {
	Factors int                  `json:"factors"`
	Readers map[string][]float64 `json:"readers"`
	Books   map[string][]float64 `json:"books"`
}

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// baseline guesses by how good the book and how strict the reader is.
func (f *features) baseline(r rating) float64 {
	return f.Mean + f.Readers[r.reader] + f.Books[r.book]
}

// known is all that the features say about a rating.
func (f *features) known(r rating) float64 {
	return f.baseline(r) + f.Likings[r.reader][f.Genres[r.book]]
}

// predict is the rating that the model expects. Who or what it has never seen is
// left to the features.
func (m *model) predict(f *features, r rating) float64 {
	stars := f.known(r)
	if p, q := m.Readers[r.reader], m.Books[r.book]; p != nil && q != nil {
		for k := range p {
			stars += p[k] * q[k]
		}
	}
	return stars
}

// rmse is the root of the mean squared error of guesses, in stars.
func rmse(ratings []rating, guess func(rating) float64) float64 {
	sum := 0.0
	for _, r := range ratings {
		d := min(max(guess(r), 1), 5) - r.stars
		sum += d * d
	}
	return math.Sqrt(sum / float64(len(ratings)))
}
