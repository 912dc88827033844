package web

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Limits of one response, in bytes after decompression.
const (
	MaxAnswer = 64 << 20
	MaxError  = 1 << 20 // of an answer with a status of 300 and above
)

// MaxLine is how much of a line of a stream is kept together, in bytes.
const MaxLine = 256 << 10

// A TooLarge is an answer that has more than is read of one.
type TooLarge struct {
	What  string // such as: the answer of HOST
	Limit int64  // bytes
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("%s has more than %d MB, which is the most that is read of one", e.What, e.Limit>>20)
}

// IsTooLarge reports whether an error is that an answer has too much.
func IsTooLarge(err error) bool { return errors.As(err, new(*TooLarge)) }

// Read reads an answer whole. More than [MaxAnswer] is a [*TooLarge]. Of one that is an
// error it reads the beginning, up to [MaxError].
func Read(res *http.Response) ([]byte, error) {
	if res.StatusCode >= 300 {
		return io.ReadAll(io.LimitReader(res.Body, MaxError))
	}
	return read(res, MaxAnswer)
}

func read(res *http.Response, limit int64) ([]byte, error) {
	large := &TooLarge{Limit: limit, What: "the answer"}
	if res.Request != nil {
		large.What += " of " + res.Request.URL.Host
	}
	if res.ContentLength > limit {
		return nil, large
	}
	b, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if int64(len(b)) > limit {
		return nil, large
	}
	return b, err
}

// Line reads a line with its end. One of more than [MaxLine] comes in several parts. The
// bytes are good until the next call; r comes from [Lines].
func Line(r *bufio.Reader) ([]byte, error) {
	b, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		err = nil
	}
	return b, err
}

// Lines returns a reader for [Line].
func Lines(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, MaxLine) }

// RetryAfter returns how long a server asks to wait: at most a minute, and zero if it
// says nothing that can be read.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	if s, err := strconv.ParseInt(text, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(max(s, 0), 60)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(at.Sub(now), 0), time.Minute)
	}
	return 0
}
