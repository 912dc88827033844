// Package kfp tests the client of KFP, and the command, against a real KFP API server
// with its database, its controllers and Argo's. make e2e-kfp starts them, runs the
// tests inside of their network namespace and takes everything down again.
package kfp
