package gateway

import "testing"

// FuzzExplain reads any answer that is an error.
func FuzzExplain(f *testing.F) {
	f.Add(404, "application/json", []byte(`{"error": "Run 1 not found", "code": 5, "message": "Run 1 not found", "details": []}`))
	f.Add(403, "application/json", []byte(`{"error": {"code": 7, "message": "not yours", "status": "PERMISSION_DENIED"}}`))
	f.Add(502, "text/html", []byte("<html>bad gateway</html>"))
	f.Fuzz(func(t *testing.T, status int, kind string, body []byte) {
		if code, _, _ := explain(status, kind, body); code == "" {
			t.Errorf("%d %s %q has no code", status, kind, body)
		}
	})
}
