//go:build !race

package compiler_test

// depth is how deep TestDeep nests.
const depth = 10000
