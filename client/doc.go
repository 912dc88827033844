// Package client submits pipelines to servers, follows their runs, and stores the
// schedules that start them.
//
// A connection comes from a package of its own, client/kfp or client/argo, so that
// a program links only the server's client that it uses:
//
//	c, err := kfp.Connect(kfp.Config{Endpoint: "https://kfp.example.com"})
//	run, err := client.Submit(ctx, c, calc.Pipeline, calc.CalcIn{A: dsl.Const(12.0)})
//	run, err = client.Wait(ctx, c, run.ID, client.WaitOptions{})
//
// Every call takes a context and ends with it. A call whose context has no
// deadline ends by itself after some time, except Wait and following a log. An
// error is an [*Error], which has the operation, the server's response and the
// fix.
package client
