package image_test

import "net/http"

// refuse answers as a registry that wants credentials: what a real one that was
// set up for a test would say too, without its passwords.
func refuse(code int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="registry"`)
		http.Error(w, `{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`, code)
	})
}
