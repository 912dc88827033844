package feature

const unknown = "KFP's servers pass it on as a string"

// files are what only files of IR hold: the language has no word for it.
var files = []Row{
	row("retry.group", "a retryPolicy of an IR file on a loop, branch or exit handler", but("its IR holds it; servers do nothing about it"), no("it retries steps and nested pipelines; set it on the tasks inside"), no("steps and nested pipelines are retried; set it on the tasks inside")),
	row("each.placeholder", "a placeholder of an IR file in the items of a loop", but("it stays a string: its servers replace no placeholders there"), but("it stays a string, as on KFP"), but("it stays a string, as on KFP")),
	row("run.unknown", "a placeholder of an IR file that KFP doesn't know", but("it stays a string"), no(unknown), no(unknown)),
	row("field.unknown", "a field of an IR file that KFP 2.17 doesn't know", but("kept as it is; its servers refuse the file or do nothing about it"), no("kfpgo doesn't know the meaning of the field"), no("only who knows the field can do what it says")),
	row("field.kfp", "a field of an IR file that only KFP's servers act on", yes, no("no other target has the field"), no("no other target does what it says")),
	row("when.text", "a condition of an IR file, beyond comparisons and in, &&, || and !", yes, no("only KFP evaluates it; write it with comparisons"), no("only KFP evaluates it; write it with comparisons")),
	row("selector", "a parameterExpressionSelector of an IR file, beyond fields of structs", yes, no("only KFP evaluates it; take the value apart in a step"), no("only KFP evaluates it; take the value apart in a step")),
}
