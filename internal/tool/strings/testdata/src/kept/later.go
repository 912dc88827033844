package kept

const file = "a file that is left out"
