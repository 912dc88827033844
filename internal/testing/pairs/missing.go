package pairs

// Missing are the rows that no pair shows yet, each with the reason.
var Missing = map[string]string{}
