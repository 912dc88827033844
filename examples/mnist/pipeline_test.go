package main

import "testing"

func TestDefinition(t *testing.T) {
	if err := Nightly.Check(); err != nil {
		t.Error(err)
	}
}
