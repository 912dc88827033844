package pyrun

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// Parse reads the command and arguments of a container that runs a Python
// function: as kfpgo writes it, or as KFP's SDK does, of versions 1.8 to 2.17.
// What it returns writes the same command again; where that can't be, the
// answer is no, and the container is just a container. The image isn't set.
func Parse(command, args []string) (*program.Python, bool) {
	if p, ok := parseOwn(command, args); ok {
		return p, true
	}
	return parseSDK(command, args)
}

// An Own is what the arguments of our own form say beside the function.
type Own struct {
	Title    string            // of the component
	Outputs  []string          // the output parameters, in their order
	Types    map[string]string // by output
	Optional []string          // the outputs that needn't be set
}

// ParseOwn returns what the arguments of our own form say of the component.
func ParseOwn(args []string) (own Own) {
	flags, _ := flagsOf(args)
	own.Title = flags["--name"]
	dec := json.NewDecoder(strings.NewReader(flags["--outputs"]))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return own
	}
	own.Types = map[string]string{}
	for dec.More() {
		key, err := dec.Token()
		name, _ := key.(string)
		var kind string
		if err != nil || dec.Decode(&kind) != nil {
			return own
		}
		kind, optional := strings.CutSuffix(kind, "?")
		own.Outputs, own.Types[name] = append(own.Outputs, name), kind
		if optional {
			own.Optional = append(own.Optional, name)
		}
	}
	return own
}

// flagsOf returns arguments that are pairs of a flag and its value.
func flagsOf(args []string) (flags map[string]string, ok bool) {
	flags = map[string]string{}
	for i := 0; i+1 < len(args); i += 2 {
		flags[args[i]] = args[i+1]
	}
	return flags, len(args)%2 == 0 && len(flags) == len(args)/2
}

func parseOwn(command, args []string) (*program.Python, bool) {
	if !slices.Equal(command, Command()) {
		return nil, false
	}
	flags, ok := flagsOf(args)
	if !ok {
		return nil, false
	}
	p := &program.Python{Function: flags["--function"], Source: flags["--source"]}
	if text, ok := flags["--source64"]; ok {
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, false
		}
		p.Source = string(b)
	}
	for flag, list := range map[string]*[]string{"--packages": &p.Packages, "--index-urls": &p.IndexURLs, "--trusted-hosts": &p.TrustedHosts} {
		if text, ok := flags[flag]; ok && json.Unmarshal([]byte(text), list) != nil {
			return nil, false
		}
	}
	p.Venv = flags["--venv"] == "true"
	if text, ok := flags["--files"]; ok {
		var err error
		if p.Files, err = unpack(text); err != nil {
			return nil, false
		}
	}
	p.Notebook = flags["--notebook"]
	own := ParseOwn(args)
	c := &program.Component{Title: own.Title, Exec: &program.Executor{Python: p}}
	for _, name := range own.Outputs {
		c.Outputs = append(c.Outputs, program.Port{Name: name, Type: graph.Type{Name: own.Types[name]}, Optional: slices.Contains(own.Optional, name)})
	}
	return p, slices.Equal(args, Args(c, flags["--input"], true))
}

// parseSDK tries each dialect on a command, the newest first.
func parseSDK(command, args []string) (*program.Python, bool) {
	if len(args) != 4 || len(command) != 4 && len(command) != 7 {
		return nil, false
	}
	script := ""
	if start := command[:len(command)-4]; len(start) > 0 {
		if start[0] != "sh" || start[1] != "-c" || start[2] == "" {
			return nil, false
		}
		script = start[2]
	}
	launch := command[len(command)-4:]
	for i, d := range dialects {
		if launch[2] != d.launcher {
			continue
		}
		for _, p := range d.readInstall(script) {
			p.Function = args[3]
			if i > 0 {
				p.SDK.Dialect = d.since
			}
			setModule(p, launch[3])
			if c, a := SDK(p); slices.Equal(c, command) && slices.Equal(a, args) {
				return p, true
			}
		}
	}
	return nil, false
}

// setModule takes a module apart: what the SDK put in front of it goes.
func setModule(p *program.Python, text string) {
	rest, ok := strings.CutPrefix(text, SDKImports)
	if ok {
		rest, ok = strings.CutSuffix(rest, "\n")
	}
	if p.Source = rest; ok && Module(p) == text {
		return
	}
	if p.Source = strings.TrimPrefix(rest, "\n"); ok && Module(p) == text {
		return
	}
	p.Source, p.SDK.Whole = text, true
}

// readInstall returns the steps that a script could be of.
func (d dialect) readInstall(script string) (steps []*program.Python) {
	if script == "" {
		return []*program.Python{{SDK: &program.PythonSDK{None: true}}}
	}
	body, ok := strings.CutPrefix(script, scriptHead)
	if !ok {
		return nil
	}
	if body, ok = strings.CutSuffix(body, scriptTail); !ok {
		return nil
	}
	command := pip
	if d.together {
		command = pipTogether
	}
	venv := strings.Contains(body, scriptVenv)
	var installs [][]string
	var urls, hosts []string
	for {
		at := strings.Index(body, command)
		if at < 0 {
			break
		}
		var packages []string
		urls, hosts, packages, body = readPip(body[at+len(command):])
		installs = append(installs, packages)
	}
	step := func(packages []string, sdk *program.PythonSDK) {
		steps = append(steps, &program.Python{Packages: packages, IndexURLs: urls, TrustedHosts: hosts, Venv: venv, SDK: sdk})
	}
	switch {
	case len(installs) == 1 && d.together:
		if n := len(installs[0]); n > 0 {
			step(installs[0][:n-1:n-1], sdkOf(installs[0][n-1:]))
		}
		step(installs[0], &program.PythonSDK{None: true})
	case len(installs) == 1:
		step(nil, sdkOf(installs[0]))
		step(installs[0], &program.PythonSDK{None: true})
	case len(installs) == 2 && d.sdkFirst:
		step(installs[1], sdkOf(installs[0]))
	case len(installs) == 2:
		step(installs[0], sdkOf(installs[1]))
	}
	return slices.DeleteFunc(steps, func(p *program.Python) bool { return p.SDK == nil })
}

// sdkOf reads what an install of the SDK names; nil if it isn't one.
func sdkOf(packages []string) *program.PythonSDK {
	if len(packages) == 0 || !strings.Contains(packages[0], "kfp") && !strings.Contains(packages[0], "kubeflow") {
		return nil
	}
	version, pinned := strings.CutPrefix(packages[0], "kfp==")
	if pinned && (len(packages) == 1 || len(packages) == 3) && !strings.ContainsAny(version, " ;,") {
		return &program.PythonSDK{Version: version}
	}
	return &program.PythonSDK{Package: packages[0], NoDeps: len(packages) == 2}
}

// readPip reads the options and packages of a pip install. The rest starts where they end.
func readPip(s string) (urls, hosts, packages []string, rest string) {
	for {
		s = strings.TrimLeft(s, " ")
		if text, after, ok := cutRepr(s); ok {
			packages, s = append(packages, text), after
			continue
		}
		option, after, _ := strings.Cut(s, " ")
		value, after, _ := strings.Cut(after, " ")
		switch option {
		case "--index-url", "--extra-index-url":
			urls = append(urls, value)
		case "--trusted-host":
			hosts = append(hosts, value)
		default:
			return urls, hosts, packages, s
		}
		s = after
	}
}
