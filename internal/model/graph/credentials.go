package graph

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// userinfo is what stands before the host of an address.
var userinfo = lazyregexp.New(`[A-Za-z][A-Za-z0-9+.-]*://[^/?#\s]*@`)

// reference is a variable that pip puts in.
var reference = lazyregexp.New(`^(\$\{[A-Z0-9_]+\}:?)+$`)

// credentialsIn reports whether an address with a user in front of its host has a
// password or a token there. The user git of ssh and https is neither.
func credentialsIn(address string) bool {
	scheme, rest, _ := strings.Cut(address, "://")
	user, password, _ := strings.Cut(strings.TrimSuffix(rest, "@"), ":")
	switch {
	case user+password == "" || reference.MatchString(strings.TrimSuffix(rest, "@")):
		return false
	case password != "":
		return true
	}
	return user != "git" && !strings.HasSuffix(strings.ToLower(scheme), "ssh")
}

// HoldsCredentials reports whether a string, such as a package as pip takes it or the
// address of an index, holds a password or a token in an address.
func HoldsCredentials(text string) bool {
	for _, address := range userinfo.FindAllString(text, -1) {
		if credentialsIn(address) {
			return true
		}
	}
	return false
}

// WithoutCredentials returns a string without the credentials of its addresses, for people.
func WithoutCredentials(text string) string {
	return userinfo.ReplaceAllStringFunc(text, func(address string) string {
		if !credentialsIn(address) {
			return address
		}
		scheme, _, _ := strings.Cut(address, "://")
		return scheme + "://[secret]@"
	})
}

// CredentialsAdvice says how a package index is given credentials that stand in no file.
const CredentialsAdvice = "it holds credentials, which everybody who sees the pipeline, its runs or an image would see; leave them out, and give them to pip where it runs: a netrc file, a keyring, pip's own configuration, or PIP_INDEX_URL from a secret"
