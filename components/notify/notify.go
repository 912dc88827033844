// Package notify notifies people of the end of a run, through a webhook.
//
//	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
//		notify.Slack.Call(s, notify.In{Status: status}, k8s.SecretEnv("NOTIFY_URL", "slack", "url"))
//	})
//
// The address comes from the variable NOTIFY_URL, usually of a secret: an
// address of a webhook lets anybody write who sees it.
package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// In is the message: the status, the text, or both.
type In struct {
	Status dsl.Param[dsl.FinalStatus] `kfp:",optional" doc:"of a run, in an exit handler"`
	Text   dsl.Param[string]          `kfp:",optional"`
	OnlyIf dsl.Param[string]          `default:"always" doc:"always, failed or succeeded"`
}

// The components: a message in the form of Slack's and Mattermost's webhooks, and
// the same as a JSON object with status, message and text.
var (
	Slack = work.Check(dsl.Func("notify-slack", func(ctx context.Context, in In, _ *dsl.None) error {
		return send(ctx, in, func(e event) any { return map[string]any{"text": e.line()} })
	}, dsl.NoCache()), check)
	Webhook = work.Check(dsl.Func("notify-webhook", func(ctx context.Context, in In, _ *dsl.None) error {
		return send(ctx, in, func(e event) any { return e })
	}, dsl.NoCache()), check)
)

func check(c *work.Call) {
	work.OneOf(c, "only_if", "always", "failed", "succeeded")
	text, known := work.Arg[string](c, "text")
	if !c.Given("status") && (!c.Given("text") || known && text == "") {
		c.Errorf("nothing to send: set Status, Text or both")
	}
	if only, ok := work.Arg[string](c, "only_if"); ok && only != "always" && !c.Given("status") {
		c.Errorf("input only_if is %q, and there is no status to go by; set Status", only)
	}
}

// An event is what happened.
type event struct {
	Status  string `json:"status,omitempty"`
	Run     string `json:"run,omitempty"`
	Task    string `json:"task,omitempty"`
	Message string `json:"message,omitempty"`
	Text    string `json:"text,omitempty"`
}

// escaped keeps what a message says from being markup.
var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func (e event) line() string {
	mark := map[string]string{dsl.Succeeded: ":white_check_mark: ", dsl.Failed: ":x: ", dsl.Cancelled: ":no_entry: "}[e.Status]
	var parts []string
	for _, s := range []string{e.Run, e.Status, e.Task, e.Message, e.Text} {
		if s != "" {
			parts = append(parts, escaped.Replace(s))
		}
	}
	return mark + strings.Join(parts, ": ")
}

const tries = 4

func send(ctx context.Context, in In, form func(event) any) error {
	status, ok := in.Status.Lookup()
	e := event{Text: in.Text.Get()}
	if ok {
		e.Status, e.Run, e.Task, e.Message = status.State, status.PipelineJob, status.PipelineTask, status.Error.Message
	}
	switch only := in.OnlyIf.Get(); {
	case only == "always":
	case only == "failed" && (e.Status == dsl.Failed || e.Status == dsl.Cancelled), only == "succeeded" && e.Status == dsl.Succeeded:
	case only == "failed", only == "succeeded":
		fmt.Fprintf(os.Stderr, "nothing to send: the status is %q\n", e.Status)
		return nil
	default:
		return fmt.Errorf("input only_if is %q; there are always, failed and succeeded", only)
	}
	if !ok && e.Text == "" {
		return errors.New("nothing to send: neither Status nor Text was given")
	}
	address := os.Getenv("NOTIFY_URL")
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return errors.New("the variable NOTIFY_URL holds no address of a webhook; set it with k8s.SecretEnv")
	}
	body, err := json.Marshal(form(e))
	if err != nil {
		return err
	}
	client := web.Client(nil, 30*time.Second)
	for try := 1; ; try++ {
		again, err := post(ctx, client, address, body)
		if err == nil || !again || try == tries {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(time.Second << try / 4):
		}
	}
}

// post sends a message. Its errors don't hold the address, which is a secret.
func post(ctx context.Context, client *http.Client, address string, body []byte) (again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, "POST", address, bytes.NewReader(body))
	if err != nil {
		return false, errors.New("the webhook's address is not a URL")
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return true, fmt.Errorf("the webhook can't be reached: %w", web.Bare(err))
	}
	defer resp.Body.Close()
	if resp.Request.Method != http.MethodPost {
		return false, errors.New("the webhook redirects to another address, and the message was not taken; set NOTIFY_URL to the address that it should go to")
	}
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
	if resp.StatusCode/100 != 2 {
		busy := resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500
		return busy, fmt.Errorf("the webhook answers %s: %s", resp.Status, bytes.TrimSpace(answer))
	}
	return false, nil
}
