package recommender

import (
	_ "embed"

	"github.com/kfpgo/kfpgo/dsl"
)

// image is what the Python steps run in. They need its standard library only.
const image = "python:3.12"

type PrepareIn struct {
	Ratings dsl.Dataset
	Books   dsl.Dataset
}

type PrepareOut struct {
	Train      dsl.Dataset
	Validation dsl.Dataset
	Test       dsl.Dataset
	Metrics    dsl.Metrics
	Kept       dsl.Param[int]
	Dropped    dsl.Param[int]
}

//go:embed prepare.py
var preparePy string

// Prepare drops what is broken, and sets ratings aside to measure models with.
var Prepare = dsl.Python[PrepareIn, PrepareOut]("prepare", dsl.PythonSource{
	Source: preparePy, Function: "prepare", Image: image,
})

type FeaturesIn struct {
	Train   dsl.Dataset
	Books   dsl.Dataset
	Damping dsl.Param[float64] `default:"5.0" doc:"how many ratings it takes to believe half of an effect"`
}

type FeaturesOut struct {
	Features dsl.Dataset `doc:"JSON: how good books are, how strict readers, which genres they like"`
}

//go:embed features.ipynb
var featuresNotebook string

// Features is a notebook that finds how good books are, how strict readers are
// and what genres each of them likes.
var Features = dsl.Notebook[FeaturesIn, FeaturesOut]("features", featuresNotebook, dsl.PythonSource{Image: image})

type RecommendIn struct {
	Books    dsl.Dataset
	Train    dsl.Dataset
	Features dsl.Dataset
	Model    dsl.Model
	Count    dsl.Param[int] `default:"3" doc:"books for each reader"`
}

type RecommendOut struct {
	Recommendations dsl.Dataset  `doc:"CSV: reader, book, stars that are expected"`
	Page            dsl.Markdown `doc:"the first readers' books, to look at"`
}

//go:embed recommend.py
var recommendPy string

// Recommend lists for each reader the unread books that they should like best.
var Recommend = dsl.Python[RecommendIn, RecommendOut]("recommend", dsl.PythonSource{
	Source: recommendPy, Function: "recommend", Image: image,
})
