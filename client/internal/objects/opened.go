package objects

import (
	"iter"

	"github.com/kfpgo/kfpgo/client/lineage"
)

// Opened returns files that are opened when they are iterated over, and closed
// after that.
func Opened(open func() (files iter.Seq2[*lineage.File, error], end func(), err error)) iter.Seq2[*lineage.File, error] {
	return func(yield func(*lineage.File, error) bool) {
		files, end, err := open()
		if err != nil {
			yield(nil, err)
			return
		}
		defer end()
		files(yield)
	}
}
