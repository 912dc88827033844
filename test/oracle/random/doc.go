// Package random compares the engine of this machine with Argo Workflows over
// pipelines that are made at random: their values, conditions, loops and one-ofs
// are evaluated here by package engine, and there by Argo's own template and
// expression libraries, in package argosim's run of the Workflow that package argo writes.
package random
