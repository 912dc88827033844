// Package random makes pipelines at random, with awkward values, conditions, loops and
// one-ofs, whose steps record what they were given: for tests that compare engines.
package random
