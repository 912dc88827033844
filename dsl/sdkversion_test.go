package dsl

import "testing"

// TestSDKVersions: releases of KFP's SDK and what came before them, in both spellings.
func TestSDKVersions(t *testing.T) {
	for version, want := range map[string]bool{
		"2.17.3": true, "1.8": true, "2.0.0b16": true, "2.0.0rc2": true, "2.0.0-rc.2": true, "2.0.0-beta.16": true, "2.0.0-alpha.1": true,
		"": false, "latest": false, "2.0.0-": false, "2.0.0-rc": false, "2.0.0-rc.2;ls": false, "3.0.0": false,
	} {
		if got := sdkVersion.MatchString(version); got != want {
			t.Errorf("%q: %v, want %v", version, got, want)
		}
	}
}
