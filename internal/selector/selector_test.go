package selector_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/selector"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// refused are selectors that browsers reject, with the message for each.
var refused = map[string]string{
	"":                             "it is empty: remove it",
	"  ":                           "it is empty",
	"[data-id=5]":                  `the value "5" of an attribute needs quotes: write the value of an attribute in quotes, such as [data-id="5"]`,
	"[data-id=5px]":                "needs quotes",
	"[href=/a]":                    `"/"`,
	`button:contains("Buy")`:       "browsers do not have :contains(): only jQuery and test tools support it",
	"li:eq(2)":                     "only jQuery",
	"li:first":                     "browsers do not have :first: only jQuery",
	"a:visible":                    "only jQuery",
	"##":                           `"#" is not allowed there`,
	"#":                            "is not allowed there",
	"#1st":                         `"#1st" is not an ID: a name does not begin with a digit: a class or an ID that begins with a digit is written as an attribute`,
	".1st":                         `a class or an ID that begins with a digit`,
	".a]":                          `"]" is not allowed there`,
	"a:not(.b))":                   `")" is not allowed there`,
	`[data-x=a"]`:                  "is not allowed in an attribute",
	"[data-x='a''b']":              "is not allowed in an attribute",
	".a,":                          "a part of it is empty",
	",.a":                          "a part of it is empty",
	".a,,.b":                       "a part of it is empty",
	"a:not()":                      "a part of it is empty",
	".sm:flex":                     "browsers do not have :flex: a class with a character such as : or / is written with a backslash",
	".w-1/2":                       `"/" is not allowed there: a class with a character such as : or /`,
	"text=Buy":                     "Playwright's selector engines are not CSS",
	"//button":                     "XPath is not CSS",
	"> .a":                         `nothing precedes ">"`,
	".a >":                         `nothing follows ">"`,
	".a > > .b":                    `is not allowed there`,
	"a::before::after":             "cannot follow a pseudo-element",
	"a::before.b":                  "cannot follow a pseudo-element",
	"a:not(::before)":              "is not allowed in parentheses",
	"::nothing":                    "browsers do not have ::nothing",
	"svg|a":                        `the namespace "svg" is not declared`,
	"[]":                           "an attribute needs a name",
	"[=a]":                         "an attribute needs a name",
	"[a=]":                         "needs quotes",
	"[a~b]":                        "is not allowed in an attribute",
	`[a="b" x]`:                    `"x" is not allowed there`,
	"[*a]":                         "an attribute needs a name",
	"a:nth-child(x)":               `"x" is not a position`,
	"a:nth-child()":                "is not a position",
	"a:nth-of-type(2 of .a)":       "is not a position",
	"a:lang()":                     "needs a name",
	"a:dir(ltr, rtl)":              "is not allowed there",
	"a:has(:has(b))":               ":has is not allowed in :has",
	"a:b(c)":                       "browsers do not have :b()",
	"a: hover":                     "is not the name of a pseudo-class",
	"a:":                           "is not the name of a pseudo-class",
	"a.":                           "is not the name of a class",
	"{a}":                          "is not allowed there",
	"a{color:red}":                 "is not allowed there",
	"$a":                           "is not allowed there",
	"a|":                           "is not allowed there",
	"a\\":                          "",
	"5":                            "is not allowed there",
	"\"a\"":                        "is not allowed there",
	"::part()x":                    "",
	"a::cue(.b":                    "",
	":host(.a .b)":                 "is not allowed there",
	"[data-x=\"a\nb\"]":            "",
	"a:moz-any(b)":                 "browsers do not have",
	"div.class1.class2 > p: first": "is not the name of a pseudo-class",
}

// taken are selectors that browsers accept, including unusual ones.
var taken = []string{
	"*", "a", "#a", ".a", ".a.b#c", "a > b", "a>b", "a + b ~ c", "a b", " a ", "a,b , c", "[a]", "[ a ]", "[a=b]", "[a = 'b']", `[a="b" i]`, "[a~=b]", "[a|=b]", "[a^='b']",
	"[a$=b]", "[a*=b]", "[data-x", "a:not(.b", `[data-x="a`, "a:not([b", "a:hover", "a:first-child", "a::before", "a:before", "a::-webkit-scrollbar", "input:-webkit-autofill", "a:not(.b, .c)",
	"a:is()", "a:where(.b, ??)", ":is(a, :nothing)", "a:has(> img)", "a:has(b + c)", "li:nth-child(2n+1)", "li:nth-child( 2n + 1 )", "li:nth-child(odd)", "li:nth-child(-n+3)", "li:nth-child(2 of .a)",
	"li:nth-last-of-type(even)", ":root", ":scope > a", "&", "a:lang(de)", "a:lang(de)", "a:dir(rtl)", ".sm\\:flex", ".w-1\\/2", "#\\31 st", "*|a", "|a", "*|*", "[*|a]", "[|a]", "a/*",
	"ünïcode", ".😀", "-a", "--a", ".-a", "a::part(b)", "::slotted(a)", "a::file-selector-button", "a:popover-open", "a:user-invalid", "::placeholder", "a:defined", "input:checked + label", "dialog[open]",
	"a\n>\tb", ":HOVER", "a:NOT(b)", "[data-id='5']", "button[type=submit]", "#main .card:nth-of-type(3) > button.primary", "[aria-label=\"Buy now\"]", "a:focus-visible", ":host", ":host(.a)", "a:hover::before", "a::part(b):hover", "a::part(b)::before", "a::before:is(:hover)", "::slotted(a:hover)",
}

func TestSelectorsThatBrowsersRefuse(t *testing.T) {
	t.Parallel()
	for source, says := range refused {
		if says != "" {
			assert.ErrorContains(t, selector.Check(source), says, source)
		}
	}
	for _, source := range taken {
		assert.NoError(t, selector.Check(source), source)
	}
}

// randomSelector draws a selector from parts that people write, and occasionally makes it invalid.
func randomSelector() *rapid.Generator[string] {
	parts := []string{
		"a", "button", "*", ".a", ".btn-1", "#id", "#1st", "[a]", "[a=b]", "[a='b']", `[a="b"`, "[a=5]", ":hover", ":not(", ":is(", ":has(", ":nth-child(", "2n+1", "odd", " of ", "::before", ":first", ":contains(", ")", "]", "(", "[",
		" ", " > ", "+", "~", ",", "\"", "'", "\\", "|", "/", "/*", "*/", ":", "::", ".", "#", "-", "5", ".5", "é", "\n", "=", "^=", "&", "!", "@", "i]", "\\:", "\\31 ", ";", "--x", ":lang(en)", ":dir(ltr)", "e", "n", "<", "$", "%",
	}
	return rapid.Custom(func(rt *rapid.T) string {
		if rapid.Bool().Draw(rt, "edited") {
			source := []rune(rapid.SampledFrom(taken).Draw(rt, "selector"))
			at := rapid.IntRange(0, len(source)).Draw(rt, "at")
			return string(source[:at]) + rapid.SampledFrom(parts).Draw(rt, "part") + string(source[at:])
		}
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 7).Draw(rt, "parts"), "")
	})
}

// Chromium rejects exactly the selectors that the check rejects.
func TestSelectorsInABrowser(t *testing.T) {
	t.Parallel()
	page := browsertest.Start(t).Open(t, "data:text/html,<p>A page", browsertest.View{})

	sources := append([]string{}, taken...)
	for source := range refused {
		sources = append(sources, source)
	}
	for seed := range 3000 {
		source := randomSelector().Example(seed)
		if !strings.Contains(source, `\*|`) { // Chromium treats an escaped asterisk as an unescaped one
			sources = append(sources, source)
		}
	}
	input, err := json.Marshal(sources)
	require.NoError(t, err)
	var refusals []bool
	page.Evaluate(t, string(input)+`.map((source) => { try { document.querySelector(source); return false; } catch { return true; } })`, &refusals)

	require.Len(t, refusals, len(sources))
	taken := 0
	for i, source := range sources {
		err := selector.Check(source)
		assert.Equal(t, refusals[i], err != nil, "selector %q: Chromium rejects it = %t, but the parser returns error %v", source, refusals[i], err)
		if !refusals[i] {
			taken++
		}
	}
	assert.Greater(t, taken, len(sources)/10)
	t.Logf("Chromium accepts %d of %d selectors", taken, len(sources))
}

func FuzzCheck(f *testing.F) {
	for _, source := range taken {
		f.Add(source)
	}
	f.Fuzz(func(_ *testing.T, source string) { _ = selector.Check(source) })
}
