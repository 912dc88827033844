package k8s

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

var (
	objectName = record.Rule{
		What: "the name of an object", Max: 253,
		Form: lazyregexp.New(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`),
		Hint: "lower case letters, digits, - and dots, with a letter or digit at both ends",
	}
	hostName   = record.Rule{What: "the name of a host", Max: 253, Form: objectName.Form, Hint: objectName.Hint}
	nameSuffix = record.Rule{
		What: "the end of a name", Max: 200,
		Form: lazyregexp.New(`^[-a-z0-9.]*[a-z0-9]$`),
		Hint: "lower case letters, digits, - and dots, with a letter or digit at the end",
	}
	labelKey = record.Rule{
		What: "the key of a label", Max: 253 + 1 + 63,
		Form: lazyregexp.New(`^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`),
		Hint: "at most 63 letters, digits, -, _ and dots, after a domain and a slash or without",
	}
	labelValue = record.Rule{
		What: "the value of a label", Max: 63,
		Form: lazyregexp.New(`^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$`),
		Hint: "letters, digits, -, _ and dots, with a letter or digit at both ends",
	}
	dataKey = record.Rule{
		What: "a key of a secret or config map", Max: 253,
		Form: lazyregexp.New(`^[-._a-zA-Z0-9]+$`),
		Hint: "letters, digits, -, _ and dots",
	}
	volumeName = record.Rule{
		What: "the name of a volume or container", Max: 63,
		Form: lazyregexp.New(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`),
		Hint: "at most 63 lower case letters, digits and -, with a letter or digit at both ends",
	}
	mediumName = record.Rule{
		What: "a medium", Form: lazyregexp.New(`^(Memory|HugePages(-[0-9]+[KMG]i)?)$`),
		Hint: "Memory, HugePages or HugePages-2Mi",
	}
	number = record.Rule{
		What: "a number", Form: lazyregexp.New(`^-?[0-9]+$`), Hint: "digits",
	}
	podField = record.Rule{
		What: "a field of the pod that a variable can hold",
		Form: lazyregexp.New(`^(metadata\.(name|namespace|uid|(labels|annotations)\['[^']+'\])|spec\.(nodeName|serviceAccountName)|status\.(hostIPs?|podIPs?))$`),
		Hint: "metadata.name, metadata.namespace, metadata.uid, metadata.labels['KEY'], metadata.annotations['KEY'], spec.nodeName, spec.serviceAccountName, status.hostIP, status.hostIPs, status.podIP or status.podIPs",
	}
)

// checkText reports a string that breaks a rule. What isn't a string is a
// reference, and known at run time.
func checkText(t *record.Task, what string, text any, rule record.Rule) {
	s, ok := text.(string)
	if !ok {
		return
	}
	if err := rule.Check(s); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// checkArg does the same for an argument.
func checkArg(t *record.Task, input string, rule record.Rule) {
	var s string
	if constantArg(t, input, &s) {
		checkText(t, "input "+input, s, rule)
	}
}

// constantArg reports whether an argument is a constant, and reads it.
func constantArg(t *record.Task, input string, into any) bool {
	v := t.Args[input]
	return v != nil && v.Kind == graph.Const && json.Unmarshal(v.Const, into) == nil
}

func localFolder(folder string) bool {
	c := path.Clean(folder)
	return c != "." && c != ".." && !strings.HasPrefix(c, "../")
}
