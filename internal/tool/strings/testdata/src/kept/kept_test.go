package kept

const message = "tests are left out"
