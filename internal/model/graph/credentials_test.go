package graph_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
)

func TestCredentials(t *testing.T) {
	for text, want := range map[string]string{ // "": it has none
		"numpy==2.0":                                    "",
		"x @ https://host/x.whl":                        "",
		"x @ https://user:pw@host/x.whl":                "x @ https://[secret]@host/x.whl",
		"https://host/simple":                           "",
		"https://user:p@ss@host/simple":                 "https://[secret]@host/simple",
		"https://token@host/simple":                     "https://[secret]@host/simple",
		"HTTPS://:pw@host/simple":                       "HTTPS://[secret]@host/simple",
		"https://user:@host/":                           "https://[secret]@host/",
		"git+https://u:t@github.com/a/b@v1":             "git+https://[secret]@github.com/a/b@v1",
		"git+https://oauth2@github.com/a/b":             "git+https://[secret]@github.com/a/b",
		"git+https://git@github.com/a/b":                "",
		"git+ssh://git@github.com/a/b@v1":               "",
		"git+ssh://git:pw@github.com/a/b":               "git+ssh://[secret]@github.com/a/b",
		"x @ https://${USER}:${TOKEN}@host/x.whl":       "",
		"x @ https://${USER}:pw@host/x.whl":             "x @ https://[secret]@host/x.whl",
		"https://host/a@b":                              "",
		"https://host/?mail=a@b":                        "",
		"https://a/ https://u:p@b/ and http://c:d@e":    "https://a/ https://[secret]@b/ and http://[secret]@e",
		"x==1 --hash=sha256:ab --index=ftp://u:p@h/idx": "x==1 --hash=sha256:ab --index=ftp://[secret]@h/idx",
	} {
		if got := graph.HoldsCredentials(text); got != (want != "") {
			t.Errorf("%s: %v", text, got)
		}
		if want == "" {
			want = text
		}
		if got := graph.WithoutCredentials(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
