package suite

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

// ask fails unless there is something at a URL.
var ask = dsl.Func("ask", func(ctx context.Context, in Text, out *Text) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, in.Text.Get(), nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("asked in vain: %s", resp.Status)
	}
	out.Text.Set(resp.Status)
	return nil
})

// Asks fails until there is something at a URL, after a step that always succeeds.
var Asks = dsl.Pipeline("asks", func(s *dsl.Scope, in Text) Text {
	first := Echo.Call(s, in)
	return Echo.Call(s, ask.Call(s, first.Out).Out).Out
})

// chat says something each second.
var chat = dsl.Func("chat", func(ctx context.Context, in Int, _ *dsl.None) error {
	for i := range in.N.Get() {
		fmt.Println("said", i)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return nil
})

// Chats says things for some seconds.
var Chats = dsl.Pipeline("chats", func(s *dsl.Scope, in Int) dsl.None {
	chat.Call(s, in)
	return dsl.None{}
})

// Wants asks for more devices than there are.
var Wants = dsl.Pipeline("wants", func(s *dsl.Scope, _ dsl.None) Text {
	return Echo.Call(s, Text{dsl.Const("x")}, dsl.GPU(64)).Out
})
