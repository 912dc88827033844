package feature

import (
	"net/url"
	"strings"
)

// Data begins the URI of an artifact that is the text behind it.
const Data = "data:,"

// ImportScheme says why Argo can't fetch an artifact from a URI, and what to do;
// empty if it can. A string without a scheme is a key of the cluster's own repository.
func ImportScheme(uri string) string {
	scheme, rest, ok := strings.Cut(uri, "://")
	_, query, _ := strings.Cut(rest, "?")
	with, _ := url.ParseQuery(query)
	switch {
	case strings.HasPrefix(uri, "git@"):
		return ""
	case strings.HasPrefix(uri, Data):
		if _, err := url.PathUnescape(strings.TrimPrefix(uri, Data)); err != nil {
			return "a character of its text isn't escaped; use argo.Raw"
		}
		return ""
	case uri == "" || strings.HasPrefix(uri, "/"):
		return "it is not a URI; put the file where the cluster finds it, such as s3://bucket/key"
	case !ok:
		return ""
	}
	bucket, key, _ := strings.Cut(strings.TrimSuffix(rest, "?"+query), "/")
	if named := bucket != "" && key != ""; !named && (scheme == "s3" || scheme == "gs" || scheme == "oss" || scheme == "minio") {
		return "it names no object; write " + scheme + "://bucket/key"
	}
	switch scheme {
	case "s3", "gs", "http", "https", "git", "ssh", "git+https", "git+http", "git+ssh":
		return ""
	case "oss", "minio":
		if with.Get("endpoint") != "" {
			return ""
		}
		return "add its endpoint, as in " + scheme + "://bucket/key?endpoint=HOST"
	}
	return "it fetches from s3, gs, http, https, git, oss and minio; download the artifact in a step"
}
