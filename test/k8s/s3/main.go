// Command s3 is a store for artifacts in memory, with the bucket artifacts.
package main

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: s3 HOST:PORT")
	}
	backend := s3mem.New()
	if err := backend.CreateBucket("artifacts"); err != nil {
		log.Fatal(err)
	}
	store := gofakes3.New(backend).Server()
	log.Fatal(http.ListenAndServe(os.Args[1], http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The store wants to know the length of what it is sent, which clients don't
		// say of an empty file.
		if r.Method == http.MethodPut && r.Header.Get("Content-Length") == "" {
			b, err := io.ReadAll(r.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
			r.Header.Set("Content-Length", strconv.Itoa(len(b)))
		}
		store.ServeHTTP(w, r)
	})))
}
