package gateway

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/kfpgo/kfpgo/client"
)

// Codes are those of gRPC, which the server's answers hold.
var Codes = map[int]client.Code{
	3: client.Invalid, 4: client.Timeout, 5: client.NotFound, 6: client.Exists, 7: client.Denied, 8: client.Busy,
	9: client.Precondition, 10: client.Precondition, 11: client.Invalid, 12: client.Unsupported, 13: client.Internal,
	14: client.Unavailable, 16: client.Unauthenticated,
}

// explain reads an answer that is an error. It reports whether the server may have
// done what it was asked for nevertheless.
func explain(status int, kind string, body []byte) (code client.Code, msg string, sent bool) {
	var b struct {
		Error        any    `json:"error"`
		Code         int    `json:"code"`
		Message      string `json:"message"`
		ErrorMessage string `json:"error_message"` // of uploads
		ErrorDetails string `json:"error_details"`
	}
	err := json.Unmarshal(body, &b)
	known := err == nil || errors.As(err, new(*json.UnmarshalTypeError)) // such as a code by name
	if inner, ok := b.Error.(map[string]any); ok && b.Message == "" {    // google.rpc.Status as Google's own APIs wrap it
		b.Message, _ = inner["message"].(string)
		n, _ := inner["code"].(float64)
		b.Code = int(n)
	}
	msg = b.Message
	if msg == "" {
		msg = b.ErrorMessage
		if text, ok := b.Error.(string); ok && msg == "" {
			msg = text
		}
	}
	msg = untraced(msg)
	own := known && msg != "" // the server's, not of something between
	if msg == "" && kind != "text/html" {
		msg = strings.TrimSpace(string(body[:min(len(body), 300)]))
	}
	if msg == "" {
		msg = http.StatusText(status)
	}
	if c := Codes[b.Code]; own && c != "" && c != client.Internal {
		return c, msg, c == client.Unavailable || c == client.Timeout
	}
	switch {
	case status == 401:
		return client.Unauthenticated, msg, false
	case status == 403:
		return client.Denied, msg, false
	case status == 404:
		return client.NotFound, msg, false
	case status == 409:
		return client.Exists, msg, false
	case status == 429:
		return client.Busy, msg, false
	case status == 502 || status == 503 || status == 504 || status == 408:
		return client.Unavailable, msg, true
	case own && strings.Contains(msg, "Already exist"): // uploads have no codes
		return client.Exists, msg, false
	case own && strings.Contains(msg, "authoriz"):
		return client.Denied, msg, false
	case status < 500:
		return client.Invalid, msg, false
	case own:
		return client.Internal, msg, false
	}
	return client.Unavailable, msg, true // of something between
}

// untraced takes the stack traces of Go out of a message: servers of 2.0 send one for
// each function that an error came through.
func untraced(msg string) string {
	lines := strings.Split(msg, "\n")
	var kept []string
	for i, l := range lines {
		if strings.HasPrefix(l, "\t") || i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\t") {
			continue
		}
		if l = strings.TrimSpace(l); l != "" {
			kept = append(kept, l)
		}
	}
	if len(kept) < len(lines) {
		return strings.Join(kept, "; ")
	}
	return msg
}

// Lost reports whether an error leaves open if the server did what it was asked for.
func Lost(err error) bool {
	var f *Failure
	return errors.As(err, &f) && f.Sent
}

// Slow reports whether an error is one of a server that took too long.
func Slow(err error) bool {
	var f *Failure
	return errors.As(err, &f) && (f.Code == client.Timeout || f.Status == http.StatusGatewayTimeout)
}
