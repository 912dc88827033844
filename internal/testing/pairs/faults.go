package pairs

// Faults are pipelines that KFP's SDK 2.17.3 compiles to something else than what
// they say, without a word. kfpgo doesn't copy them.
var Faults = map[int]string{
	1: "a pipeline in a pipeline, both with tasks of one name: a task gets the executor of another, in some runs",
	2: "Kubernetes settings of a task in a pipeline in a pipeline go to another task too, in some runs",
	3: "after an If with an Elif and without an Else, all later tasks are in its group",
	4: "a string with an item of a loop in it reads an input that is nowhere declared; a string with a list in it keeps the SDK's own mark",
	5: "a resource that is an input of the pipeline isn't handed into the loop in which a task asks for it",
	6: "a comparison of a bool with 0 is inverted; an int that is compared with a string gets quotes; quotes in strings aren't escaped; of two conditions joined by and only the second counts",
	7: "of the unit of a duration only the first letter counts: 5 ms are 5 minutes",
	8: "an environment variable that is a reference, and a bool reference as a condition, end with an error of Python's own",

	// What the comparison itself brought up.
	9:  "a loop in a loop over the same list: the item of the inner one hides that of the outer",
	10: "a string such as 1e3 has no quotes in the YAML, and is a number to readers of YAML 1.2, KFP's server among them",
	11: "a task doesn't wait for the one whose output is the type of its devices",
	12: "dsl.Collected of a task that is in no loop is taken: the one value is declared a list",

	13: "an exit task is cached: in a later run with equal inputs what it does, such as an alert, isn't done",
	14: "a variable that is a constant isn't among what a cached result is looked up by: a run with another value gets the old one",
}
