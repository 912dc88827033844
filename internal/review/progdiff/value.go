package progdiff

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// A ref is a value by where it comes from: key is equal where it is the same,
// and text is for people.
type ref struct{ key, text string }

// A resolver follows values to where they come from.
type resolver struct {
	node func(*node) string                // the key of a task
	port func(n *node, name string) string // the key of one of its outputs
	in   func(name string) string          // the key of an input of the unit
	left int                               // steps, since comparing a hostile file may take forever
}

// limit is how many steps one value may take.
const limit = 2000

func (r *resolver) value(n *node, v program.Value) ref {
	r.left = limit
	return r.follow(n, v)
}

func (r *resolver) follow(n *node, v program.Value) ref {
	if r.left--; r.left < 0 || n == nil {
		return ref{"...", "..."}
	}
	out := r.source(n, v)
	for _, f := range v.Field {
		out.key += "." + strconv.Quote(f)
		out.text += "." + f
	}
	if v.Selector != "" {
		out.key += "|" + v.Selector
		out.text += " by " + v.Selector
	}
	return out
}

func (r *resolver) source(n *node, v program.Value) ref {
	switch v.Kind {
	case program.Const:
		return ref{"const " + canonical(v.Const), string(v.Const)}
	case program.Input:
		if n.parent == nil {
			return ref{"input " + r.in(v.Name), "input " + v.Name}
		}
		if e := n.task.Each; e != nil && e.Item == v.Name {
			return ref{"item " + r.node(n), "item of " + r.follow(n.parent, e.Items).text}
		}
		if arg, ok := n.task.Args[v.Name]; ok {
			return r.follow(n.parent, arg)
		}
		if in := n.comp.Input(v.Name); in != nil && in.Default != nil {
			return ref{"const " + canonical(in.Default), string(in.Default)}
		}
		return ref{"nothing", "nothing"}
	case program.Output:
		if from := n.index[v.Task]; from != nil {
			return r.output(from, v.Name)
		}
		return ref{"output " + v.Task + "/" + v.Name, "output " + v.Name + " of " + v.Task}
	case program.Status:
		if from := n.index[v.Task]; from != nil {
			return ref{"status " + r.node(from), "the final status of " + from.path}
		}
		return ref{"status " + v.Task, "the final status of " + v.Task}
	case program.Format:
		var key, text strings.Builder
		for i, t := range v.Text {
			fmt.Fprintf(&key, "%q", t)
			text.WriteString(t)
			if i < len(v.Of) {
				of := r.follow(n, v.Of[i])
				key.WriteString("{" + of.key + "}")
				text.WriteString("{" + of.text + "}")
			}
		}
		return ref{"text " + key.String(), strconv.Quote(text.String())}
	case program.FireTime:
		return ref{"fire time", "the fire time"}
	case program.FireDate:
		return ref{"fire date", "the fire date"}
	}
	return ref{string(v.Kind), string(v.Kind)}
}

// output follows an output of a group to the tasks in it.
func (r *resolver) output(n *node, port string) ref {
	if !n.group() {
		return ref{"output " + r.node(n) + "/" + r.port(n, port), "output " + port + " of " + n.path}
	}
	export, ok := n.comp.DAG.Outputs[port]
	if !ok {
		return ref{"output " + r.node(n) + "/" + port, "output " + port + " of " + n.path}
	}
	var out ref
	for i, f := range export.From {
		if r.left--; r.left < 0 {
			return ref{"...", "..."}
		}
		one := ref{"output " + f.Task + "/" + f.Output, "output " + f.Output + " of " + f.Task}
		if from := n.index[f.Task]; from != nil {
			one = r.output(from, f.Output)
		}
		if i > 0 {
			out.key += " or "
			out.text += " or "
		}
		out.key += one.key
		out.text += one.text
	}
	if n.task.Each != nil {
		return ref{"all(" + out.key + ")", "all of " + out.text}
	}
	if len(export.From) > 1 {
		out.key = "one(" + out.key + ")"
	}
	return out
}

// canonical returns JSON in one form: 5, 5.0 and 5e0 are one number.
func canonical(b json.RawMessage) string {
	var v any
	if jsontext.Decode(b, &v) != nil {
		return string(b)
	}
	var out strings.Builder
	var write func(v any)
	write = func(v any) {
		switch v := v.(type) {
		case json.Number:
			out.WriteString(number(string(v)))
		case []any:
			out.WriteByte('[')
			for _, e := range v {
				write(e)
				out.WriteByte(',')
			}
			out.WriteByte(']')
		case map[string]any:
			out.WriteByte('{')
			for _, k := range slices.Sorted(maps.Keys(v)) {
				out.WriteString(strconv.Quote(k) + ":")
				write(v[k])
				out.WriteByte(',')
			}
			out.WriteByte('}')
		case string:
			out.WriteString(strconv.Quote(v))
		default:
			fmt.Fprint(&out, v)
		}
	}
	write(v)
	return out.String()
}

// number keeps the digits of what a double can't hold.
func number(s string) string {
	if f, err := strconv.ParseFloat(s, 64); err != nil || f > 1<<53 || f < -1<<53 {
		if i, ok := new(big.Int).SetString(s, 10); ok {
			return i.String()
		}
		return s
	} else if r, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64)); ok {
		return r.RatString()
	}
	return s
}
