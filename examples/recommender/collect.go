package recommender

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"github.com/kfpgo/kfpgo/dsl"
)

//go:embed books.csv
var booksCSV []byte

type CollectIn struct {
	Readers dsl.Param[int]
	Seed    dsl.Param[int]
}

type CollectOut struct {
	Ratings dsl.Dataset `doc:"CSV: reader, book, stars from 1 to 5, day"`
	Books   dsl.Dataset `doc:"CSV: book, title, author, year, genre"`
}

// Collect stands for a web shop: its readers rate books that anybody may copy.
// They like some genres better than others, and tastes differ within a genre
// too. As in life, some of what comes in is broken, or said twice.
var Collect = dsl.Func("collect", func(_ context.Context, in CollectIn, out *CollectOut) error {
	if in.Readers.Get() < 1 || in.Readers.Get() > 100000 {
		return fmt.Errorf("%d readers; 1 to 100000 will do", in.Readers.Get())
	}
	books, err := csv.NewReader(bytes.NewReader(booksCSV)).ReadAll()
	if err != nil {
		return err
	}
	rows := ratings(books[1:], in.Readers.Get(), uint64(in.Seed.Get()))
	fmt.Printf("%d ratings of %d books by %d readers\n", len(rows), len(books)-1, in.Readers.Get())
	f, err := out.Ratings.Create()
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	err = errors.Join(w.Write([]string{"reader", "book", "stars", "day"}), w.WriteAll(rows), f.Close())
	return errors.Join(err, os.WriteFile(out.Books.Path(), booksCSV, 0o644))
})

// tastes is the number of things that the readers look for in a book, besides
// its genre.
const tastes = 2

// ratings makes up ratings, all by the seed.
func ratings(books [][]string, readers int, seed uint64) (rows [][]string) {
	r := rand.New(rand.NewPCG(seed, 0))
	normal := func(n int, width float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = r.NormFloat64() * width
		}
		return v
	}
	genres := map[string]int{}
	for _, b := range books {
		if _, ok := genres[b[4]]; !ok {
			genres[b[4]] = len(genres)
		}
	}
	good, kinds := normal(len(books), 0.4), make([][]float64, len(books))
	for i := range books {
		kinds[i] = normal(tastes, 1)
	}
	for reader := range readers {
		strict, likes, taste := r.NormFloat64()*0.4, normal(len(genres), 0.6), normal(tastes, 0.6)
		for _, i := range r.Perm(len(books))[:15+r.IntN(15)] {
			stars := 3.5 - strict + good[i] + likes[genres[books[i][4]]] + r.NormFloat64()*0.4
			for k := range taste {
				stars += taste[k] * kinds[i][k]
			}
			row := []string{fmt.Sprintf("r%03d", reader), books[i][0], fmt.Sprint(min(max(math.Round(stars), 1), 5)), fmt.Sprint(r.IntN(365))}
			switch r.IntN(50) {
			case 0:
				rows = append(rows, []string{row[0], row[1], fmt.Sprint(1 + r.IntN(5)), "-1"}) // changed their mind
			case 1:
				row[2] = "" // no stars
			case 2:
				row[2] = "6"
			case 3:
				row[1] = "b99" // no such book
			}
			rows = append(rows, row)
		}
	}
	return rows
}
