package program

// HandOn is the name of a step that is in each program with Go steps: it returns its input
// Handed as its output of the same name. A back end puts it where a target can't take a
// value from where it is. No component of an author has a name that starts so.
const (
	HandOn  = OwnName + "hand-on"
	OwnName = "kfpgo:"
	Handed  = "value"
	Beside  = "beside" // an artifact that it has where its output is the folder of the run's artifacts
)
