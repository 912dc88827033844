package pairs

// Missing are the rows that no pair shows yet, each with the reason.
var Missing = map[string]string{
	"references in dicts and lists": "the language has texts with references, but no lists or objects with them",
}
