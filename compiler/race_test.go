//go:build race

package compiler_test

// depth is how deep TestDeep nests: the race detector makes it ten times as slow.
const depth = 2000
