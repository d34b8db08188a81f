package htmlclean_test

import (
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/net/html"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/htmlclean"
)

func TestClean(t *testing.T) {
	t.Parallel()

	for name, row := range map[string]struct{ text, want string }{
		"no markup":                        {"a < b & c &amp; d", "a < b & c &amp; d"},
		"unclosed and script":              {`<b>We'll use it.<script>alert(0)</script>`, `<b>We'll use it.</b>`},
		"unwrapped":                        {`<font>x</font>`, `x`},
		"bare & and <":                     {`<i>a & b < c</i>`, `<i>a &amp; b &lt; c</i>`},
		"C48 cite keeps any value":         {`<q cite="javascript:x">y</q>`, `<q cite="javascript:x">y</q>`},
		"C48 href is checked":              {`<a href="javascript:x">y</a>`, `<a rel="noopener">y</a>`},
		"C48 src is checked":               {`<img src="javascript:x" alt="y">`, `<img alt="y">`},
		"C49 svg goes with its text":       {`a<svg><text>b</text><title>c</title></svg>d<i></i>`, `ad<i></i>`},
		"C49 math goes with its text":      {`a<math><mi>b</mi></math>d<i></i>`, `ad<i></i>`},
		"C50 a scheme without a host":      {`<a href="https://">y</a><a href="http:">z</a>`, `<a rel="noopener">y</a><a rel="noopener">z</a>`},
		"C50 template braces in a host":    {`<a href="https://{{host}}/x">y</a>`, `<a rel="noopener">y</a>`},
		"C50 template braces in a path":    {`<a href="https://example.com/{{x}}">y</a>`, `<a href="https://example.com/{{x}}" rel="noopener">y</a>`},
		"C50 a relative URL with braces":   {`<a href="{{x}}">y</a>`, `<a href="{{x}}" rel="noopener">y</a>`},
		"C50 a bad port":                   {`<a href="https://example.com:99999/">y</a>`, `<a rel="noopener">y</a>`},
		"C50 an address in brackets":       {`<a href="https://[::1]:8080/">y</a><a href="https://[::x]">z</a>`, `<a href="https://[::1]:8080/" rel="noopener">y</a><a rel="noopener">z</a>`},
		"C50 every scheme":                 {`<a href="tel:1">y</a><a href="xmpp:a@b">y</a><a href="data:x">z</a>`, `<a href="tel:1" rel="noopener">y</a><a href="xmpp:a@b" rel="noopener">y</a><a rel="noopener">z</a>`},
		"C50 a host beside another scheme": {`<a href="irc://a b/c">y</a><a href="irc:///c">z</a>`, `<a rel="noopener">y</a><a href="irc:///c" rel="noopener">z</a>`},
		"C51 NUL triggers, and goes":       {"a & \x00b", "a &amp; b"},
		"C51 attributes":                   {`<td class="c" headers="h" width="1" onclick="x">y</td><ol start="2" type="a"><li value="3">z</ol>`, `y<ol start="2" type="a"><li>z</li></ol>`},
		"C51 a cell with its attributes":   {`<table><tr bgcolor="b"><td abbr="a" nowrap="n" id="i">y</table>`, `<table><tbody><tr bgcolor="b"><td abbr="a" nowrap="n">y</td></tr></tbody></table>`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, row.want, htmlclean.Clean(row.text))
		})
	}
}

// C51 The nesting depth is not limited, and the time is linear.
func TestCleanOfAnyDepth(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{150, 600, 100_000} {
		for _, tag := range []string{"b", "div", "span", "ul"} {
			open, closed := strings.Repeat("<"+tag+">", depth), strings.Repeat("</"+tag+">", depth)
			assert.Equal(t, open+"x"+closed, htmlclean.Clean(open+"x"+closed), "%d %s", depth, tag)
			assert.Equal(t, open+"x"+closed, htmlclean.Clean(open+"x"), "%d unclosed %s", depth, tag)
		}
	}
}

func TestCleanOfManyTags(t *testing.T) {
	t.Parallel()

	filler := strings.Repeat("<i>i</i>", 300)

	for name, row := range map[string]struct{ text, want string }{
		"script":         {`<script>1<2</script>x`, `x`},
		"svg":            {`<svg><svg>a</svg>b</svg>x`, `x`},
		"svg broken off": {`<svg>a<p>x`, `<p>x</p>`},
		"svg without":    {`<svg/>x`, `x`},
		"items":          {`<ul><li>a<li>b</ul>x`, `<ul><li>a</li><li>b</li></ul>x`},
		"paragraphs":     {`<p>a<p>b<div>c</div>`, `<p>a</p><p>b</p><div>c</div>`},
		"misnested":      {`<b><i>a</b>b</i>c`, `<b><i>a</i></b>bc`},
		"unknown end":    {`a</b>b</font></p></br>`, `ab<p></p><br>`},
		"comment":        {`a<!-- b -->c<!doctype html>`, `ac`},
		"link":           {`<a href="javascript:x" title="t">y`, `<a title="t" rel="noopener">y</a>`},
		"NUL and amp":    {"a\x00&b", `a&amp;b`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, filler+row.want, htmlclean.Clean(filler+row.text))
		})
	}
}

// FuzzClean checks that the output contains only allowed markup, both for texts that are parsed and for
// texts with many tags, which are cleaned tag by tag.
func FuzzClean(f *testing.F) {
	for _, text := range []string{"", "<b>x", "a<svg><p>b", "<table><td>x<tr>", "\x00", `<a href="http:x">`, "<b><p></b></p>"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, cleaned := range []string{htmlclean.Clean(text), htmlclean.Clean(strings.Repeat("<i>i</i>", 300) + text)} {
			tokens := html.NewTokenizer(strings.NewReader(cleaned))
			for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
				switch tag := tokens.Token().Data; kind {
				case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
					assert.NotContains(t, []string{"script", "style", "svg", "math", "iframe", "object", "form"}, tag, cleaned)
				case html.CommentToken, html.DoctypeToken:
					t.Errorf("a comment or doctype in %q", cleaned)
				case html.ErrorToken, html.TextToken:
				}
			}
		}
	})
}

// TestCleanIsLinear compares the memory allocated for two texts, one twice as long as the other. It must
// not run in parallel with other tests, because it counts all allocations of the process.
func TestCleanIsLinear(t *testing.T) { //nolint:paralleltest // it counts allocations of the process
	for _, unit := range []string{"<b>", "<p>", "</p>", "<a id=1 href=x>", "<b id=", "<", "&amp;", "\x00", "<table><td>", "<svg>", "<!--", "<li><b><i>"} {
		cost := func(length int) uint64 {
			text := strings.Repeat(unit, length/len(unit)) + ">"
			before := allocated()
			htmlclean.Clean(text)
			return allocated() - before
		}
		assert.Less(t, cost(200_000), 3*cost(100_000)+1<<20, "%q", unit)
	}
}

// allocated returns the number of bytes that the process has allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
