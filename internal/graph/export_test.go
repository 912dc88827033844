package graph

// Decode reads a graph that need not be sound.
var Decode = decode
