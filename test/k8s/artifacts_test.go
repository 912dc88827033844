package k8s

// Artifacts from elsewhere, in lists and in branches, arguments that vanish, and a DAG
// that is wider than Argo takes.
var artifacts = []pipeline{
	{name: "Imported", params: map[string]string{"text": "hello"}, want: map[string]string{
		"file": quote(".=hello;<nil>"), "folder": quote("a=hello;sub/b=b;<nil>"), "label": quote(`it's "hello" {{x}} $(A)`),
	}},
	{name: "Gathered", want: map[string]string{"all": `"a,b,c"`, "each": `[".=a;1",".=b;1",".=c;1"]`, "empty": `""`}},
	{name: "Presents", want: map[string]string{"text": quote("[$(HOME) $$ {{x}}][--no-n][last]")}},
	{name: "Presents", params: map[string]string{"text": awkward, "n": "0"}, want: map[string]string{
		"text": quote("[$(HOME) $$ {{x}}][--text][<" + awkward + ">][-n][0][last]"),
	}},
	{name: "Broad", params: map[string]string{"n": "4"}, want: map[string]string{"n": `5`}},
	{name: "Joined", params: map[string]string{"n": "1"}, want: map[string]string{"text": `"one"`}},
	{name: "Joined", params: map[string]string{"n": "2"}, want: map[string]string{"text": `""`}},
	{name: "Joined", params: map[string]string{"n": "3"}, want: map[string]string{"text": `"other"`}},
	{name: "Tells", params: map[string]string{"text": "it's {x} #1"}, want: map[string]string{"text": quote("it's {x} #1")}},
}
