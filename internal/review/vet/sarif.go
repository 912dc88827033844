package vet

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// Site is where the pages of the rules are read.
const Site = "https://github.com/kfpgo/kfpgo/blob/main/docs/rules/"

// WriteSARIF writes findings as SARIF 2.1.0 (OASIS), which code scanners show beside
// the lines. Of a finding without a position, the place is the file that was read.
func WriteSARIF(w io.Writer, found []Finding, file, version string) error {
	type text struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	type rule struct {
		ID      string `json:"id"`
		Short   text   `json:"shortDescription"`
		Help    text   `json:"help"`
		HelpURI string `json:"helpUri"`
	}
	type object = map[string]any
	var rules []rule
	index := map[string]int{}
	for i, r := range Rules {
		index[r.Name] = i
		page := r.Page()
		rules = append(rules, rule{r.Name, text{Text: r.Says}, text{page, page}, Site + r.Name + ".md"})
	}
	results := []object{}
	for _, f := range found {
		place := object{"artifactLocation": object{"uri": uri(file)}}
		if f.Pos.File != "" {
			place = object{"artifactLocation": object{"uri": uri(f.Pos.File)}, "region": object{"startLine": max(f.Pos.Line, 1)}}
		}
		r := object{"ruleId": f.Rule, "ruleIndex": index[f.Rule], "level": string(f.Level), "message": text{Text: harmless(f.text())},
			"locations": []object{{"physicalLocation": place}}}
		if f.Silenced != "" {
			r["suppressions"] = []object{{"kind": "inSource", "justification": harmless(f.Silenced)}}
		}
		results = append(results, r)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool":    object{"driver": object{"name": "kfpgo vet", "version": version, "informationUri": Site, "rules": rules}},
			"results": results,
		}},
	})
}

// uri returns the relative reference that a path is: no name of a file is a scheme or a query.
func uri(file string) string { return (&url.URL{Path: filepath.ToSlash(file)}).String() }

// harmless returns a string of a pipeline as viewers of SARIF may show it: all of it can be seen, and
// nothing in it is a link, such as [words](address).
func harmless(text string) string {
	return strings.ReplaceAll(printable.Text(text), "](", "] (")
}

// WriteGitHub writes findings as workflow commands of GitHub Actions, which shows
// them beside the lines of a pull request.
func WriteGitHub(w io.Writer, found []Finding, file string) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, f := range found {
		if f.Silenced != "" {
			continue
		}
		at := "file=" + property.Replace(file)
		if f.Pos.File != "" {
			at = fmt.Sprintf("file=%s,line=%d", property.Replace(filepath.ToSlash(f.Pos.File)), f.Pos.Line)
		}
		level := string(f.Level)
		if f.Level == Note {
			level = "notice"
		}
		if _, err := fmt.Fprintf(w, "::%s %s,title=kfpgo vet%%3A %s::%s\n", level, at, f.Rule, data.Replace(f.text())); err != nil {
			return err
		}
	}
	return nil
}
