package pending

const message = "a folder that is left out"
