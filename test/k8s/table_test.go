package k8s

import "slices"

// pipelines are what runs here and there. Each row of the table of features that
// Argo can do has one that shows it, or a reason in rows_test.go.
var pipelines = slices.Concat(values, control, files, settings, examples, coins(), artifacts)

// objects are secrets and config maps, for runs here and for the cluster.
var objects = map[string]string{
	"secrets/suite-creds/user": "me", "secrets/suite-creds/pass.word": "s3cret {{x}}",
	"config-maps/suite-settings/level": "debug",
}

// imported stands for the path of a file, in params of runs here.
const imported = "(the path of a file with the text imported)"

var values = []pipeline{
	{name: "Values", want: map[string]string{
		"text": quote(awkward), "empty": `""`, "large": `9007199254740993`, "small": `2e-05`, "flag": `false`,
		"list": `[0.1,5,1e21]`, "map": `{"it's":-1}`, "item": `{"name":"a b","n":1152921504606846976,"rate":0.5}`,
	}},
	{name: "Typed", params: map[string]string{
		"text": "", "empty": "null", "large": "-9007199254740993", "small": "1e21", "flag": "true", "list": "[]", "map": `{"{{x}}": 3}`, "item": `{"name": "$(A)", "n": 1, "rate": 1}`,
	}, want: map[string]string{
		"text": `""`, "empty": `"null"`, "large": "-9007199254740993", "small": "1e21", "flag": "true", "list": "[]", "map": `{"{{x}}":3}`, "item": `{"name":"$(A)","n":1,"rate":1}`,
	}},
	{name: "Inputs", params: map[string]string{"text": awkward}, want: map[string]string{"text": quote(awkward)}},
	{name: "Inputs", params: map[string]string{"text": "true"}, want: map[string]string{"text": `"true"`}},
	{name: "Numbers", want: map[string]string{
		"least": "-9223372036854775808", "most": "9223372036854775807", "tiny": "5e-324", "huge": "1.7976931348623157e308", "day": `"2026-03-01T01:30:00.000000005Z"`,
	}},
	{name: "Long", want: map[string]string{"length": "190000"}},
	{
		name: "Defaults",
		want: map[string]string{
			"text":   `"a, b"`,
			"n":      `1`,
			"given":  quote(`true "a, b"`),
			"absent": quote(`false ""`),
		},
	},
	{
		name: "Defaults",
		params: map[string]string{
			"text": "",
			"n":    "-1",
			"flag": "x",
		},
		want: map[string]string{
			"text":   `""`,
			"n":      `0`,
			"given":  quote(`true ""`),
			"absent": quote(`true "x"`),
		},
	},
	{name: "Optionals", want: map[string]string{"text": quote(`absent absent absent absent absent absent absent "word"`)}},
	{name: "Optionals", params: map[string]string{
		"text": "null", "at": "2026-03-01T01:30:00Z", "n": "0", "rate": "0.5", "flag": "false", "list": "[]", "map": "{}", "word": "null",
	}, want: map[string]string{"text": quote(`"null" "2026-03-01T01:30:00Z" 0 0.5 false [] {} "null"`)}},
	{
		name: "Optionals",
		params: map[string]string{
			"text": `"hi"`,
			"list": `["{{x}}", "null"]`,
			"word": "",
		},
		want: map[string]string{"text": quote(`"\"hi\"" absent absent absent absent ["{{x}}","null"] absent ""`)},
	},
	{
		name:   "Optionals",
		params: map[string]string{"text": ""},
		want:   map[string]string{"text": quote(`"" absent absent absent absent absent absent "word"`)},
	},
	{
		name:   "Drafted",
		drafts: true,
		want: map[string]string{
			"loose":       quote("no file"),
			"strict":      quote("no file"),
			"container":   quote("no file"),
			"python":      quote("no file"),
			"from_python": quote("no file"),
			"nested":      quote("no file"),
		},
	},
	{
		name:   "Drafted",
		params: map[string]string{"write": "x"},
		want: map[string]string{
			"loose":       quote("file x"),
			"strict":      quote("file x"),
			"container":   quote("file x"),
			"python":      quote("file x"),
			"from_python": quote("file x"),
			"nested":      quote("file x"),
		},
	},
	{
		name:   "Drafted",
		params: map[string]string{"write": ""},
		want: map[string]string{
			"loose":       quote("file "),
			"strict":      quote("file "),
			"container":   quote("file "),
			"python":      quote("file "),
			"from_python": quote("file "),
			"nested":      quote("file "),
		},
	},
	{name: "Handed", want: map[string]string{"text": quote(`false ""`), "variable": quote("unset")}},
	{
		name:   "Handed",
		params: map[string]string{"text": ""},
		want: map[string]string{
			"text":     quote(`true ""`),
			"variable": quote(""),
		},
	},
	{name: "Absent", want: map[string]string{"text": quote(`true "null"`), "other": quote(`false ""`)}},
	{name: "Format", want: map[string]string{"text": quote(`42: {"a": 'b'} $(X){{`), "name": quote(`na"me`), "n": `"7"`}},
	{name: "Composed", want: map[string]string{
		"text": quote(`map[n:2 null:<nil> part:map[list:[it's "{{x}}" $(A) }}] n:2 name:it's "{{x}}" $(A)] text:<2>]`), "list": "[2,-1,2]",
	}},
	{name: "Fields", want: map[string]string{"sum": "7", "text": quote(`true {"a}}":5} 1e-7`)}},
	{
		name:   "Several",
		params: map[string]string{"text": told},
		want: map[string]string{
			"go":        quote("2|" + told + "|" + told + "|2"),
			"python":    quote("2|" + told + "|" + told + "|2"),
			"container": quote("2|" + told + "|" + told + "|2"),
		},
	},
	{name: "Dollars", want: map[string]string{"text": quote("a $$ $(A) $$(A) $$$ $(HOME) $b")}},
	{name: "Twins", want: map[string]string{"first": `"a"`, "second": `"b"`}},
	{name: "Braces", want: map[string]string{"text": quote("{{x}} {{ item }} {{.Name}} {{f} }}")}},
	{name: "Expressions", want: map[string]string{"text": quote("{{=1+1}} {{workflow.name}} {{ pod.name }}")}},
	{name: "Env", want: map[string]string{"text": quote("it's $$ 1|b $(A) c")}},
	{name: "Runs", want: map[string]string{"text": `"known "`}},
}

var control = []pipeline{
	{name: "Branch", params: map[string]string{"n": "-5"}, want: map[string]string{"text": `"negative"`}},
	{name: "Branch", params: map[string]string{"n": "0"}, want: map[string]string{"text": `"one"`}},
	{name: "Branch", params: map[string]string{"n": "6"}, want: map[string]string{"text": `"five or seven"`}},
	{name: "Branch", params: map[string]string{"n": "99"}, want: map[string]string{"text": `"other"`}},
	{
		name: "Truth",
		params: map[string]string{
			"a": "3",
			"b": "7",
			"s": "it's",
			"t": "it's {{",
			"x": "0.5",
			"y": "1",
			"f": "false",
		},
		want: map[string]string{"text": `"abdeg"`},
	},
	{
		name: "Truth",
		params: map[string]string{
			"a": "9007199254740993",
			"b": "-1",
			"s": "",
			"t": "null",
			"x": "1e21",
			"y": "-2.5",
			"f": "true",
		},
		want: map[string]string{"text": `"cdf"`},
	},
	{name: "Quoting", want: map[string]string{"text": `"equal"`}},
	{name: "Skipped", want: map[string]string{"text": `"went on"`}},
	{name: "Given", want: map[string]string{"text": `"neither"`}},
	{name: "Given", params: map[string]string{"text": ""}, want: map[string]string{"text": `"text"`}},
	{name: "Given", params: map[string]string{"n": "1"}, want: map[string]string{"text": `"positive"`}},
	{name: "GivenFile", want: map[string]string{"first": quote(".=abc;3"), "second": `"no file"`}},
	{name: "Nests", params: map[string]string{"n": "9"}, want: map[string]string{"first": `"large 10"`, "second": `"it was not"`}},
	{name: "Nests", params: map[string]string{"n": "1"}, want: map[string]string{"first": `"small"`, "second": `"it was small"`}},
	{name: "Perhaps", params: map[string]string{"n": "1"}, want: map[string]string{"second": quote(`false ""`)}},
	{
		name:   "Perhaps",
		params: map[string]string{"n": "9"},
		want: map[string]string{
			"first":  `"more"`,
			"second": quote(`true "more"`),
		},
	},
	{name: "Both", params: map[string]string{"n": "-1"}, want: map[string]string{"first": `"zero"`, "second": quote(".=zero\n;5")}},
	{name: "Loops", want: map[string]string{
		"each": quote(`<a b>,<c"d>,<{{x}}>`), "empty": `[]`,
		"outer": `["10a b,10c\"d,10{{x}}","20a b,20c\"d,20{{x}}"]`,
	}},
	{name: "Sweep", want: map[string]string{"text": `"x small,y large,z large"`}},
	{
		name: "Odds",
		want: map[string]string{
			"floats": "[0.1,1e21,-0.5]",
			"bools":  "[true,false]",
			"large":  "[9007199254740993,-9223372036854775808]",
		},
	},
	{
		name:   "Filter",
		params: map[string]string{"texts": `["abc", "", "{{", "$(X)y"]`},
		want:   map[string]string{"texts": `[":0","{{:2"]`},
	},
	{name: "Filter", params: map[string]string{"texts": `["abc", "", "ab"]`}, want: map[string]string{"texts": `[":0","ab:2"]`}},
	{name: "Filter", params: map[string]string{"texts": "[]", "limit": "9"}, want: map[string]string{"texts": "[]"}},
	{name: "Items", want: map[string]string{"ns": "[43,2,43]"}},
	{name: "Wide", want: map[string]string{"n": "35"}},
	{name: "Rows", want: map[string]string{"texts": `["[\"b\",\"a\"] of [a b] map[x:1]{{item}} \"$x\"","[] of [] map[]"]`}},
	{name: "Nothing", want: map[string]string{"parts": `[[],["a","b"]]`, "ns": "[0,2]"}},
	{name: "Nested", want: map[string]string{"rows": quote(`[["a" "b"] [] ["c"]]`), "sum": "0"}},
	{
		name: "Levels",
		want: map[string]string{
			"first":  quote("none|.={{top}}|.=x;1;13"),
			"second": quote(".=none|.={{top}}|.=x;1;13;23"),
		},
	},
	{
		name:   "Twice",
		params: map[string]string{"n": "1"},
		want:   map[string]string{"texts": "[" + quote("p|.=d;1") + "," + quote("q|.=d;1") + "]"},
	},
	{name: "Shadows", want: map[string]string{"text": `"1234"`}},
	{name: "Succeeds", ended: map[string]string{"report": "SUCCEEDED"}},
	{name: "Fails", state: "FAILED", ended: map[string]string{"report": "SUCCEEDED", "fail": "FAILED"}},
	{name: "Blames", state: "FAILED", ended: map[string]string{"blame": "SUCCEEDED", "fail": "FAILED"}},
	{name: "Kept", state: "FAILED", ended: map[string]string{"report": "SUCCEEDED", "fail": "FAILED", "echo": "SUCCEEDED"}},
	{name: "Cleaned", want: map[string]string{"text": `"after"`}},
	{name: "States", want: map[string]string{"first": `"SUCCEEDED"`, "second": `"<SUCCEEDED>"`}},
	{name: "Ignores", state: "FAILED", ended: map[string]string{"fail": "FAILED", "echo": "SUCCEEDED"}},
	{name: "TooLong", state: "FAILED"},
	{name: "Panics", state: "FAILED", ended: map[string]string{"expected": "SUCCEEDED", "panics-step": "FAILED"}},
	{name: "Unwritten", state: "FAILED", ended: map[string]string{"expected": "SUCCEEDED", "forgets": "FAILED"}},
	{name: "Metadata", want: map[string]string{"text": `"x"`}},
}

var files = []pipeline{
	{name: "Files", want: map[string]string{
		"file": quote(".=a\nb;3"), "folder": quote("a=a;sub/b=b;<nil>"), "absent": `"nothing"`, "chosen": quote(".=less;4"), "all": `"b,a,c"`,
	}},
	{name: "Copies", want: map[string]string{"text": quote(".=one;3,.=two;3")}},
	{name: "Grid", want: map[string]string{"text": `"a2,a1,b2,b1"`}},
	{
		name:   "Imports",
		root:   true,
		params: map[string]string{"uri": imported},
		there:  map[string]string{"uri": "s3://artifacts/imported/data"},
		want:   map[string]string{"first": quote(".=imported;7 or {{x}}"), "second": quote(".=imported;<nil>")}},
	{
		name:   "InputFile",
		params: map[string]string{"data": imported},
		there:  map[string]string{"data": "imported/data"},
		want:   map[string]string{"text": quote(".=imported;<nil>")},
	},
	{name: "Flagged", want: map[string]string{"text": quote("x\n--n=1\n--no-flag\n$(HOME) {{x}}\na-1")}},
	{
		name:   "Flagged",
		params: map[string]string{"text": "{{f}} g"},
		want:   map[string]string{"text": quote("x\n--n=1\n--flag\n{{f}} g\n$(HOME) {{x}}\na-1")},
	},
	{name: "Listed", want: map[string]string{"text": quote("[42,1,42]")}},
	{name: "Tools", want: map[string]string{
		"first":  quote(awkward + "\n--n=5\n--no-flag\n$(HOME) {{x}}\na-5"),
		"second": quote("\n--n=5\n--flag\nf g\n$(HOME) {{x}}\na-5"),
		"counts": "[5,6]",
	}},
	{
		name: "Converts",
		want: map[string]string{
			"upper":  quote(".=ABC\nü;<nil>"),
			"folder": quote("sub/x=abc\nü;<nil>"),
			"name":   `"data"`,
			"meta":   quote(`{"length":6}`),
		},
	},
	{name: "Variables", want: map[string]string{"text": quote("a $(B) $$|it's {{b}} $(A)")}},
	{name: "Chosen", want: map[string]string{"text": `"chosen|"`}},
	{name: "Breaks", state: "FAILED"},
	{
		name: "Pythons",
		want: map[string]string{
			"text":  quote(awkward + "|[0.5, None, '{{x}}']"),
			"model": quote(".=data!;4"),
			"sum":   "7.25",
		},
	},
	{
		name: "Notebooks",
		want: map[string]string{
			"first":  quote(".=tententen {{rate}};<nil>"),
			"second": quote("{{1}}it's {{words}} $(X)"),
		},
	},
	{name: "Raises", params: map[string]string{"text": "x"}, state: "FAILED"},
	{name: "Volume", root: true, role: true, want: map[string]string{"text": `"aab"`}},
	{name: "Retries", root: true, role: true, want: map[string]string{"text": `"zzz"`}},
	{name: "Claims", root: true, role: true, want: map[string]string{"texts": `["a","ab","c"]`}},
	{name: "Scratch", root: true, want: map[string]string{"text": `"/a;/b;/c;/dev/shm;"`}, has: map[string]string{
		"spec volumes empty-dir-0 emptyDir sizeLimit": `"1Mi"`, "spec volumes empty-dir-1 emptyDir medium": `"Memory"`, "spec volumes shared-memory emptyDir sizeLimit": `"16Mi"`,
		"spec volumes ephemeral-0 ephemeral volumeClaimTemplate spec storageClassName": `"host-path"`,
	}},
	{name: "Object", role: true, want: map[string]string{"text": quote(`it's "x": {{y}} #1`)}},
	{name: "ByArgo", want: map[string]string{"n": "42"}},
	{name: "Configured", root: true, want: map[string]string{"text": `"in the workspace"`}},
}

const main = "spec containers main "

var settings = []pipeline{
	{name: "Sized", want: map[string]string{"text": `"x"`}, has: map[string]string{
		main + "resources limits cpu": `"500m"`, main + "resources requests cpu": `"10m"`,
		main + "resources limits memory": `"128Mi"`, main + "resources requests memory": `"64Mi"`,
	}},
	{name: "SizedLater", want: map[string]string{"text": `"y"`}, has: map[string]string{
		main + "resources limits cpu": `"250m"`, main + "resources limits memory": `"96Mi"`, main + "resources requests memory": `"96Mi"`,
	}},
	{name: "Devices", here: []string{"--gpus", "ignore"}, want: map[string]string{"text": `"on a GPU"`}, has: map[string]string{
		main + "resources limits nvidia.com/gpu": `"1"`, main + "resources limits example.com/fpga": `"2"`,
	}},
	{name: "DevicesLater", here: []string{"--gpus", "ignore"}, want: map[string]string{"text": `"on what was chosen"`}, has: map[string]string{
		main + "resources limits nvidia.com/gpu": `"1"`, main + "resources limits example.com/fpga": `"1"`,
	}},
	{name: "Settings", want: map[string]string{"text": `"x"`}, has: map[string]string{"spec activeDeadlineSeconds": "600"}},
	{name: "Placed", want: map[string]string{"text": `"placed"`}, has: map[string]string{
		"spec nodeSelector": `{"kubernetes.io/os":"linux"}`,
		"spec affinity nodeAffinity requiredDuringSchedulingIgnoredDuringExecution nodeSelectorTerms 0 matchExpressions 0 values": `["node1","node2"]`,
		"spec affinity nodeAffinity preferredDuringSchedulingIgnoredDuringExecution 0 weight":                                     "7",
		"spec affinity podAntiAffinity requiredDuringSchedulingIgnoredDuringExecution 0 labelSelector matchLabels":                `{"app":"no-such"}`,
		"spec tolerations example.com/taint operator":                                                                             `"Exists"`,
	}},
	{name: "PlacedLater", want: map[string]string{"first": `"a"`, "second": `"b"`}, has: map[string]string{
		"spec nodeSelector kubernetes.io/hostname": `"node1"`, "spec nodeSelector kubernetes.io/os": `"linux"`, "spec tolerations later operator": `"Exists"`,
		"spec affinity nodeAffinity requiredDuringSchedulingIgnoredDuringExecution nodeSelectorTerms 0 matchExpressions 0 key": `"kubernetes.io/os"`,
	}},
	{name: "Sources", want: map[string]string{"text": quote("me|debug||pass.word=s3cret {{x}},user=me|level=debug|")}},
	{name: "SourcesLater", want: map[string]string{"text": quote("me|debug||pass.word=s3cret {{x}},user=me|level=debug|")}},
	{name: "Where", want: map[string]string{"text": `"node1"`}},
	{name: "Dressed", want: map[string]string{"text": `"dressed"`}, has: map[string]string{
		"metadata labels team": `"vision"`, "metadata labels tier": `"x1"`, "metadata annotations example.com/note": quote(`any "text", $(A) too`),
		main + "imagePullPolicy": `"IfNotPresent"`, "spec imagePullSecrets 0 name": `"suite-registry"`,
		main + "securityContext runAsUser": "1234", main + "securityContext runAsGroup": "1235", main + "securityContext runAsNonRoot": "true",
	}},
	{name: "Suspended", want: map[string]string{"first": `"kept"`, "second": `"NO 2 []"`}},
	{name: "Locked", want: map[string]string{"first": `"one"`, "second": `"another"`}},
	{name: "Patched", want: map[string]string{"first": `"patched"`, "second": quote("ready $A")}, has: map[string]string{
		"spec priorityClassName": `"suite-batch"`, "spec hostAliases 0 ip": `"10.1.2.3"`, "spec hostAliases 0 hostnames 0": `"cache"`, "spec containers beside image": `"registry.local/busybox:1"`,
	}},
	{
		name: "Marked",
		want: map[string]string{"text": `"new true"`},
		has: map[string]string{
			"metadata labels team":                  `"vision"`,
			"metadata annotations example.com/note": `"vision"`,
		},
	},
	{name: "Beside", want: map[string]string{"text": `"ready $A"`}},
}

var examples = []pipeline{
	{
		name:   "../../examples/calc#Pipeline",
		params: map[string]string{"a": "12"},
		want: map[string]string{
			"quotient":  `2`,
			"remainder": `2`,
			"result":    `19`,
		},
	},
	{
		name:   "../../examples/hello#Pipeline",
		params: map[string]string{"name": "Ada {{x}}"},
		want:   map[string]string{"greeting": `"Hello, Ada {{x}}!"`},
	},
	{name: "../../examples/hello#Pipeline", want: map[string]string{"greeting": `"Hello, World!"`}},
}
