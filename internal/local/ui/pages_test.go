package ui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// links returns all addresses of our own on a page, and complains about what should
// not be there: scripts, handlers, and elements that load from elsewhere.
func (v *visitor) links(where, page string) (found []string) {
	v.t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		v.t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for _, a := range n.Attr {
			switch {
			case strings.HasPrefix(a.Key, "on"):
				v.t.Errorf("%s: <%s> has %s=%q", where, n.Data, a.Key, a.Val)
			case a.Key == "href" || a.Key == "src" || a.Key == "action":
				u, err := url.Parse(a.Val)
				ours := err == nil && u.Host == "" && (u.Scheme == "" || a.Val == "data:,")
				if !ours {
					v.t.Errorf("%s: <%s> leads to %q", where, n.Data, a.Val)
				} else if n.Data == "a" && strings.HasPrefix(a.Val, "/") || n.Data == "img" || n.Data == "iframe" {
					found = append(found, strings.Split(a.Val, "#")[0])
				}
			}
		}
		switch n.Data {
		case "script":
			if len(n.Attr) == 0 || !strings.HasPrefix(n.Attr[0].Val, "/static/") {
				v.t.Errorf("%s: it has a script", where)
			}
		case "iframe":
			if !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "sandbox" && a.Val == "" }) {
				v.t.Errorf("%s: it has a frame that may do something", where)
			}
		case "object", "embed", "base", "pwned", "foreignobject", "foreignObject":
			v.t.Errorf("%s: it has <%s>", where, n.Data)
		}
	}
	return found
}

// TestEverywhere follows all links from the list, and from where they lead: whatever
// a user has named, pages have only scripts and addresses of our own, and what a
// step has written is sent with a policy that lets it do nothing.
func TestEverywhere(t *testing.T) {
	h := sample(t, t.TempDir())
	v := visit(t, Options{Home: h.dir, Command: []string{"kfpgo"}})
	queue, seen := []string{"/", "/schedules", "/compare?run=" + petsRun + "&run=" + hostileRun}, map[string]bool{}
	pages := map[string]int{}
	for len(queue) > 0 {
		at := queue[0]
		if queue = queue[1:]; seen[at] {
			continue
		}
		seen[at] = true
		r, body := v.do("GET", at, nil, nil)
		if r.StatusCode >= 500 {
			t.Errorf("%s: %s\n%s", at, r.Status, body)
		}
		policyNow := r.Header.Get("Content-Security-Policy")
		if strings.Contains(at, "/files/") {
			pages["files"]++
			if r.StatusCode == 200 && policyNow != untrusted || r.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: its policy is %q", at, policyNow)
			}
			if strings.Contains(body, "root:") {
				t.Errorf("%s: it is /etc/passwd", at)
			}
			continue
		}
		if policyNow != policy || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %s with the policy %q", at, r.Header.Get("Content-Type"), policyNow)
		}
		if printable.Text(body) != body {
			t.Errorf("%s: there is what nobody can see in\n%q", at, body)
		}
		if strings.Contains(body, "root:x:") {
			t.Errorf("%s: it shows /etc/passwd", at)
		}
		pages[strings.Split(strings.TrimPrefix(at, "/runs/"), "?")[0]]++
		queue = append(queue, v.links(at, body)...)
	}
	t.Logf("%d pages", len(seen))
	if len(seen) < 60 || pages["files"] < 8 || pages[hostileRun+"/artifact"] < 15 {
		t.Errorf("too few pages: %v", pages)
	}
}

func artifactOf(id, port, more string) string {
	return "/runs/" + id + "/artifact?path=step&port=" + url.QueryEscape(port) + more
}

func TestPreviews(t *testing.T) {
	h := sample(t, t.TempDir())
	v := visit(t, Options{Home: h.dir})
	for _, test := range []struct{ port, more, want string }{
		{"page", "", `<a href="/runs/` + hostileRun + `/artifact?file=report.html`},
		{"page", "&file=report.html", `<iframe class="frame" sandbox="" referrerpolicy="no-referrer" src="/runs/` + hostileRun + `/files/artifacts/step/page/report.html?as=page"`},
		{"page", "&file=report.html&as=text", "&lt;h1&gt;Report&lt;/h1&gt;"},
		{"notes", "&file=notes.md", `/notes.md?as=page"`},
		{"table", "&file=rows.csv", `<th scope="row" class="number">2</th><td>&lt;script&gt;alert(9)&lt;/script&gt;</td>`},
		{"table", "&file=rows.csv", "3 rows, 3 columns"},
		{"drawing", "&file=curve.svg", `<img src="/runs/` + hostileRun + `/files/artifacts/step/drawing/curve.svg"`},
		{"picture", "", `<img src="/runs/` + hostileRun + `/files/artifacts/step/picture.png" alt="picture.png">`},
		{"folder", "", "&lt;img src=x onerror=alert(4)&gt;"},
		{"folder", "&file=deep/inner.json", "&#34;b&#34;: [\n"},
		{"folder", "&file=data.bin", "It is neither text"},
		{"folder", "&file=inside.txt", "plain text"},
		{"folder", "&file=passwd.txt", "a link that leads out of the folder of the run"},
		{"folder", "&file=etc", "a link that leads out of the folder of the run"},
		{"folder", "&file=pipe.txt", "not a regular file"},
		{"folder", "&file=../../../../../../etc/passwd", "a link that leads out of the folder of the run"}, // folder/etc is one
		{"folder", "&file=../../../../../../proc/version", "There is no such file"},
		{"outside", "", "not in the folder of a run of this machine"},
		{"up", "", "not in the folder of a run of this machine"},
		{"away", "", "not in the folder of a run of this machine"},
		{"gone", "", "There is no such file, or no longer."},
	} {
		if page := v.get(artifactOf(hostileRun, test.port, test.more)); !strings.Contains(page, test.want) {
			t.Errorf("%s%s: no %q in\n%s", test.port, test.more, test.want, page[strings.Index(page, "<main"):])
		}
	}
	md := v.get("/runs/" + hostileRun + "/files/artifacts/step/notes/notes.md?as=page")
	for _, bad := range []string{"<script", "javascript:", "onerror="} {
		if strings.Contains(md, bad) {
			t.Errorf("Markdown became %q in\n%s", bad, md)
		}
	}
	if !strings.Contains(md, "<strong>weight</strong>") || !strings.Contains(md, "<td>1</td>") {
		t.Errorf("Markdown became\n%s", md)
	}
}

func TestFiles(t *testing.T) {
	h := sample(t, t.TempDir())
	v := visit(t, Options{Home: h.dir})
	for _, test := range []struct {
		path, kind string
		status     int
	}{
		{hostileRun + "/files/artifacts/step/page/report.html", "application/octet-stream", 200},
		{hostileRun + "/files/artifacts/step/page/report.html?as=page", "text/html; charset=utf-8", 200},
		{hostileRun + "/files/artifacts/step/folder/log.txt?as=page", "application/octet-stream", 200},
		{hostileRun + "/files/artifacts/step/drawing/curve.svg", "image/svg+xml", 200},
		{hostileRun + "/files/artifacts/step/drawing/curve.svg?as=download", "application/octet-stream", 200},
		{hostileRun + "/files/run.json", "text/plain; charset=utf-8", 200},
		{hostileRun + "/files/tasks/step/log.1", "text/plain; charset=utf-8", 200},
		{hostileRun + "/files/artifacts/step/folder/passwd.txt", "", 404},
		{hostileRun + "/files/artifacts/step/folder/etc/passwd", "", 404},
		{hostileRun + "/files/artifacts/step/folder/pipe.txt", "", 404},
		{hostileRun + "/files/artifacts/step/folder", "", 404},
		{hostileRun + "/files/..%2f..%2f..%2fetc%2fpasswd", "", 404},
		{hostileRun + "/files/%2fetc%2fpasswd", "", 404},
		{hostileRun + "/files/artifacts/%00", "", 404},
		{"..%2f..%2fetc", "", 404},
		{"%2e%2e", "", 404},
		{".", "", 404},
		{"empty-1", "", 404},
		{"broken-1", "", 422},
		{"later-1", "", 422},
		{"nope", "", 404},
		{petsRun + "/task?path=nope", "", 404},
		{petsRun + "/log?path=train&attempt=7", "", 404},
		{petsRun + "/log?path=load", "", 404},
		{petsRun + "/artifact?path=train&port=model&i=-1", "", 404},
		{petsRun + "/artifact?path=train&port=model&i=9", "", 404},
	} {
		r, body := v.do("GET", "/runs/"+test.path, nil, nil)
		for r.StatusCode == http.StatusMovedPermanently || r.StatusCode == http.StatusTemporaryRedirect { // the mux cleans paths
			r, body = v.do("GET", r.Header.Get("Location"), nil, nil)
		}
		if r.StatusCode != test.status && !(test.path == "." && r.StatusCode < 300) {
			t.Errorf("%s: %s, want %d\n%s", test.path, r.Status, test.status, body)
		}
		if test.kind != "" && r.Header.Get("Content-Type") != test.kind {
			t.Errorf("%s: it is %s, want %s", test.path, r.Header.Get("Content-Type"), test.kind)
		}
	}
}

// TestList: search, filters, orders and pages.
func TestList(t *testing.T) {
	h := home{t.TempDir(), t}
	for i := range 120 {
		state := run.Succeeded
		if i%10 == 0 {
			state = run.Failed
		}
		at := began.Add(time.Duration(i) * time.Minute)
		h.record(&run.Run{ID: fmt.Sprintf("p%d-%03d", i%3, i), Pipeline: fmt.Sprintf("p%d", i%3), State: state, Started: at, Ended: at.Add(time.Duration((i*37)%120) * time.Second), Params: map[string]json.RawMessage{"n": raw(i)}})
	}
	v := visit(t, Options{Home: h.dir})
	ids := func(query string) (found []string) {
		for _, part := range strings.Split(v.get("/"+query), `name="run" value="`)[1:] {
			id, _, _ := strings.Cut(part, `"`)
			found = append(found, id)
		}
		return found
	}
	for _, test := range []struct {
		query       string
		n           int
		first, last string
	}{
		{"", 50, "p2-119", "p1-070"},
		{"?page=2", 50, "p0-069", "p2-020"},
		{"?page=3", 20, "p1-019", "p0-000"},
		{"?page=99", 20, "p1-019", "p0-000"},
		{"?page=-1", 50, "p2-119", "p1-070"},
		{"?sort=old", 50, "p0-000", "p1-049"},
		{"?state=FAILED", 12, "p2-110", "p0-000"},
		{"?state=FAILED&pipeline=p0", 4, "p0-090", "p0-000"},
		{"?q=n%3D17", 1, "p2-017", "p2-017"},
		{"?q=P1-00", 3, "p1-007", "p1-001"},
		{"?sort=long", 50, "p2-107", "p1-070"},
		{"?q=nothing", 0, "", ""},
	} {
		got := ids(test.query)
		if len(got) != test.n || test.n > 0 && (got[0] != test.first || got[len(got)-1] != test.last) {
			t.Errorf("%s: %d runs, %v; want %d from %s to %s", test.query, len(got), got, test.n, test.first, test.last)
		}
	}
}

// TestGone: a run whose process is gone does not go on forever.
func TestGone(t *testing.T) {
	h := sample(t, t.TempDir())
	v := visit(t, Options{Home: h.dir})
	page := v.get("/runs/" + goneRun)
	if !strings.Contains(page, "broken off: its process was killed") || strings.Contains(page, "data-live") {
		t.Errorf("the page says\n%s", page)
	}
	held := run.Hold(filepath.Join(h.dir, "runs", goneRun))
	defer held.Close()
	if page := v.get("/runs/" + goneRun); strings.Contains(page, "broken off") || !strings.Contains(page, "data-live") {
		t.Errorf("while its process lives the page says\n%s", page)
	}
}

func TestCompare(t *testing.T) {
	h := sample(t, t.TempDir())
	v := visit(t, Options{Home: h.dir})
	page := v.get("/compare?run=" + petsRun + "&run=" + petsRun2)
	for _, want := range []string{
		`<tr class="different"><th scope="row">rate<span class="hidden"> differs</span></th><td><code>0.081</code></td><td><code>0.093</code></td></tr>`,
		`0.81 <span class="soft small">lowest</span>`, `<b>0.93</b> <span class="soft small">highest</span>`, `id="run-1-matrix-1"`, `id="run-2-curve-1"`, "slice night",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if only := v.get("/compare?only=different&run=" + petsRun + "&run=" + petsRun2); strings.Contains(only, `<th scope="row">epochs`) || !strings.Contains(only, `<th scope="row">rate`) {
		t.Error("what doesn't differ is still there")
	}
	many := strings.Repeat("&run="+petsRun, 3)
	for i := range 9 {
		many += fmt.Sprintf("&run=x%d", i)
	}
	if r, body := v.do("GET", "/compare?"+many[1:], nil, nil); r.StatusCode != http.StatusBadRequest {
		t.Errorf("ten runs: %s\n%s", r.Status, body)
	}
}

func TestLineage(t *testing.T) {
	h := sample(t, t.TempDir())
	v := visit(t, Options{Home: h.dir})
	page := v.get("/runs/" + petsRun + "/artifact?path=train&port=model")
	for _, want := range []string{">train</a>", ">evaluate</a>", "as model", "made by " + petsRun + "/train", ">data</a>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page[strings.Index(page, `id="lineage"`):])
		}
	}
}

// TestLogWindows: a log is shown in windows of whole lines, that are all of it.
func TestLogWindows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	var all strings.Builder
	for i := range 30000 {
		fmt.Fprintf(&all, "line %d é\n", i)
	}
	for _, content := range []string{all.String(), strings.Repeat("é", 200000), "", "x", "\n\n\n", strings.Repeat("x", window) + "\n" + strings.Repeat("y", window)} {
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var got strings.Builder
		for at, n := int64(0), 0; ; n++ {
			part, err := readText(f, at)
			if err != nil {
				t.Fatal(err)
			}
			if part.From != at && at < part.Size {
				t.Fatalf("from %d it starts at %d", at, part.From)
			}
			got.WriteString(part.Text)
			if at = part.To; at >= part.Size {
				break
			}
			if n > 100 {
				t.Fatalf("no progress at %d", at)
			}
		}
		if got.String() != content {
			t.Errorf("the windows of %d bytes hold %d", len(content), got.Len())
		}
		end, err := readText(f, -1)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(content, end.Text) || end.To != end.Size || strings.Contains(content[:max(0, len(content)-1)], "\n") && strings.HasPrefix(end.Text, "ine") {
			t.Errorf("the end of %d bytes is %q", len(content), end.Text[:min(len(end.Text), 50)])
		}
	}
}

// TestSchedules: the next times are those of the schedule's zone, also where its clocks
// are changed, and looking at them makes no store.
func TestSchedules(t *testing.T) {
	h := sample(t, t.TempDir())
	now := time.Date(2027, 3, 26, 12, 0, 0, 0, time.UTC) // the clocks go forward on the 28th
	v := visit(t, Options{Home: h.dir, Now: func() time.Time { return now }})
	page := v.get("/schedules")
	for _, want := range []string{
		"Sat 27 Mar 2027, 03:00:00 CET", "Sun 28 Mar 2027, 03:00:00 CEST", "Mon 29 Mar 2027, 03:00:00 CEST", "in 14 hours", "cron 0 3 * * *", "every 1h30m0s", "It is paused: kfpgo schedule resume asleep",
		"Nothing fires now", "pending, trigger", "&lt;script&gt;parent.pwned",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	empty := t.TempDir()
	v = visit(t, Options{Home: empty})
	if page := v.get("/schedules"); !strings.Contains(page, "No schedules on this machine") {
		t.Errorf("without schedules the page is\n%s", page)
	}
	if entries, _ := os.ReadDir(empty); len(entries) > 0 {
		t.Errorf("looking at schedules made %v", entries)
	}
}
