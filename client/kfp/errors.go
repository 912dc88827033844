package kfp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/gateway"
)

// advise adds to an error what to do about it.
func (c *Client) advise(e *client.Error) {
	if e.Advice != "" {
		return
	}
	how := "no credential was sent"
	if c.t.Credential != nil {
		how = "sent was the " + c.t.Credential.Name()
	}
	if c.kube {
		how = "sent was the credential of the kubeconfig"
	}
	switch e.Code {
	case client.Unauthenticated:
		e.Advice = how + "; give another one, see kfpgo context set --help"
	case client.Denied:
		e.Advice = how
		if c.conf.Namespace != "" {
			e.Advice += ", the namespace is " + c.conf.Namespace
			if from := c.conf.env.Used("KFPGO_NAMESPACE"); from != "" {
				e.Advice += " (" + from + ")"
			}
		}
		e.Advice += "; ask for the right to do it, or use another namespace or credential"
	case client.Unavailable:
		e.Advice = "check that the server runs and that the endpoint (" + c.from + ") is right"
	case client.Busy:
		e.Advice = "try again later"
	case client.Internal:
		switch {
		case strings.Contains(e.Msg, "Failed to compile job"):
			e.Advice = "a server of this version can't run this pipeline; --kfp-version VERSION says so before anything is sent, with the place"
		case strings.Contains(e.Msg, "Incorrect string value"): // MySQL's error 1366, where KFP connects with its utf8 of three bytes
			e.Advice = "this server's database takes no characters beyond U+FFFF, such as emoji; leave them out of the pipeline and its arguments, or pass them in an artifact"
		}
	}
}

// wrap adds the operation to an error. It doesn't change errors that aren't those of calls.
func (c *Client) wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	op := fmt.Sprintf(format, args...)
	var f *gateway.Failure
	if errors.As(err, &f) {
		e := f.Said
		e.Op = op
		return &e
	}
	var e *client.Error
	if errors.As(err, &e) {
		return err
	}
	msg := c.t.Scrub(err.Error())
	if msg != err.Error() {
		err = errors.New(msg)
	}
	return &client.Error{Op: op, Code: client.Internal, Msg: msg, Err: err, Advice: "the response is not one of KFP 2; check the endpoint"}
}
