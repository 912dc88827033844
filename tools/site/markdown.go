package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown makes HTML of pages that know of each other.
type markdown struct {
	gm    goldmark.Markdown
	code  *html.Formatter
	pages map[string]*page // by source
}

func newMarkdown(pages []*page) *markdown {
	m := &markdown{code: html.New(html.WithClasses(true), html.WithPreWrapper(focusable{})), pages: map[string]*page{}}
	for _, p := range pages {
		m.pages[p.Source] = p
	}
	m.gm = goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		// The pages are our own, and one has tables of HTML.
		goldmark.WithRendererOptions(gmhtml.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(m, 100))),
	)
	return m
}

// render sets the body of a page.
func (m *markdown) render(root string, p *page) error {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p.Source)))
	if err != nil {
		return err
	}
	doc := m.gm.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(&slugs{map[string]bool{}}))))
	err = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			to, err := m.link(root, p, string(n.Destination))
			n.Destination = []byte(to)
			return ast.WalkContinue, err
		case *ast.Image: // a picture of this repository, which the page holds itself
			svg, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path.Join(path.Dir(p.Source), string(n.Destination)))))
			n.Destination = []byte("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg))
			return ast.WalkContinue, err
		case *ast.Heading:
			if id, ok := n.AttributeString("id"); ok && n.Level > 1 && n.Level < 4 {
				p.TOC = append(p.TOC, entry{n.Level, string(id.([]byte)), plain(n, source)})
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	err = m.gm.Renderer().Render(&b, source, doc)
	p.Body = template.HTML(strings.ReplaceAll(strings.ReplaceAll(b.String(), "<table>", `<div class="wide" tabindex="0"><table>`), "</table>", "</table></div>"))
	return err
}

// link returns where a link of a page leads on the site.
func (m *markdown) link(root string, from *page, to string) (string, error) {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "#") || strings.HasPrefix(to, "mailto:") {
		return to, nil
	}
	file, anchor, anchored := strings.Cut(to, "#")
	target := path.Join(path.Dir(from.Source), file)
	if anchored {
		anchor = "#" + anchor
	}
	p, ok := m.pages[target]
	if !ok {
		p, ok = m.pages[path.Join(target, "README.md")]
	}
	if ok {
		up := strings.Repeat("../", strings.Count(from.Path, "/"))
		return up + p.Path + anchor, nil
	}
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(target))); err != nil {
		return "", fmt.Errorf("the link %s leads nowhere", to)
	}
	return host + target + anchor, nil
}

// plain returns the text of a heading.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// slugs names headings as the host of the repository does, so that links fit both.
type slugs struct{ used map[string]bool }

func (s *slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(string(value)) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 0x7f:
			b.WriteRune(r)
		}
	}
	id := b.String()
	for i := 1; s.used[id]; i++ {
		id = fmt.Sprintf("%s-%d", b.String(), i)
	}
	s.used[id] = true
	return []byte(id)
}

func (s *slugs) Put(value []byte) { s.used[string(value)] = true }

// RegisterFuncs has code blocks written in colours.
func (m *markdown) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkSkipChildren, nil
		}
		block := n.(*ast.FencedCodeBlock)
		var code strings.Builder
		for i := range block.Lines().Len() {
			line := block.Lines().At(i)
			code.Write(line.Value(source))
		}
		language, file := string(block.Language(source)), ""
		if block.Info != nil {
			_, file, _ = strings.Cut(string(block.Info.Value(source)), " ")
		}
		return ast.WalkSkipChildren, m.highlight(w, language, file, code.String())
	})
}

func (m *markdown) highlight(w io.Writer, language, file, code string) error {
	lexer := lexers.Get(language)
	if lexer == nil || language == "text" {
		lexer = lexers.Fallback
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, code)
	if err != nil {
		return err
	}
	fmt.Fprint(w, `<div class="code">`)
	if file != "" {
		fmt.Fprintf(w, `<div class="file">%s</div>`, template.HTMLEscapeString(file))
	}
	if err := m.code.Format(w, styles.Get("github"), tokens); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, "</div>")
	return err
}

// focusable is the element around code. It can be scrolled by keyboard.
type focusable struct{}

func (focusable) Start(bool, string) string { return `<pre class="chroma" tabindex="0"><code>` }
func (focusable) End(bool) string           { return "</code></pre>" }

// css returns the colours of code, in light and in dark.
func (m *markdown) css() (string, error) {
	var light, dark bytes.Buffer
	if err := m.code.WriteCSS(&light, styles.Get("github")); err != nil {
		return "", err
	}
	if err := m.code.WriteCSS(&dark, styles.Get("github-dark")); err != nil {
		return "", err
	}
	return "@media (prefers-color-scheme: light) {\n" + light.String() + "}\n@media (prefers-color-scheme: dark) {\n" + dark.String() + "}\n.bg, .chroma { background: none !important; color: var(--text); }\n", nil
}
