package feature

// files are what only files of IR hold: the language has no word for it.
var files = []Row{
	row("when.text", "a condition of an IR file, beyond comparisons and in, &&, || and !", yes, no("only KFP evaluates it; write it with comparisons"), no("only KFP evaluates it; write it with comparisons")),
	row("selector", "a parameterExpressionSelector of an IR file, beyond fields of structs", yes, no("only KFP evaluates it; take the value apart in a step"), no("only KFP evaluates it; take the value apart in a step")),
}
