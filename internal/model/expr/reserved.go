package expr

var reserved = map[string]bool{
	"and": true, "contains": true, "else": true, "endswith": true, "false": true, "if": true, "in": true, "let": true,
	"matches": true, "nil": true, "not": true, "or": true, "startswith": true, "true": true,
}

// Reserved reports whether a word means something in the expressions with which a
// Workflow says what a task depends on, so that no task can be called that.
func Reserved(word string) bool { return reserved[word] }
