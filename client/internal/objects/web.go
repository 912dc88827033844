package objects

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// Web returns the file at a URL, which anyone may read.
func Web(ctx context.Context, address string) iter.Seq2[*lineage.File, error] {
	return func(yield func(*lineage.File, error) bool) {
		yield(&lineage.File{Size: -1, Open: func(ctx context.Context) (io.ReadCloser, error) {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
			if err != nil {
				return nil, err
			}
			res, err := web.Client(nil, 0).Do(req)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", address, web.Bare(err))
			}
			if res.StatusCode >= 300 {
				res.Body.Close()
				return nil, fmt.Errorf("%s: %s", address, res.Status)
			}
			return res.Body, nil
		}}, nil)
	}
}
