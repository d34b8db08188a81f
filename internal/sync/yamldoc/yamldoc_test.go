package yamldoc

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property" // a fixed seed
)

// parse returns a document as JSON.
func parse(t require.TestingT, text string) string {
	node, err := Parse([]byte(text), "v")
	require.NoError(t, err, text)
	encoded, err := json.Marshal(node.Plain())
	require.NoError(t, err)
	return string(encoded)
}

func TestMergeKeys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"v: {<<: {a: 1}}":                                         `{"v":{"a":1}}`,
		"b: &b {a: 1, c: 2}\nv: {<<: *b, c: 3}":                   `{"b":{"a":1,"c":2},"v":{"a":1,"c":3}}`,
		"b: &b {a: 1, c: 2}\nv: {c: 3, <<: *b}":                   `{"b":{"a":1,"c":2},"v":{"a":1,"c":3}}`,
		"b: &b {a: 1}\nc: &c {a: 2, d: 3}\nv: {<<: [*b, *c]}":     `{"b":{"a":1},"c":{"a":2,"d":3},"v":{"a":1,"d":3}}`,
		"b: &b {a: 1}\nv: {<<: [*b, {a: 2, d: 3}]}":               `{"b":{"a":1},"v":{"a":1,"d":3}}`,
		"b: &b {a: 1}\nc: &c {<<: *b, d: 3}\nv: [{<<: *c, a: 0}]": `{"b":{"a":1},"c":{"a":1,"d":3},"v":[{"a":0,"d":3}]}`,
		"b: &b {a: {x: 1}}\nv: {<<: *b, a: {y: 2}}":               `{"b":{"a":{"x":1}},"v":{"a":{"y":2}}}`,
		"b: &b [{a: 1}, {d: 2}]\nv: {<<: *b}":                     `{"b":[{"a":1},{"d":2}],"v":{"a":1,"d":2}}`,
		"v: {<<: []}":                                             `{"v":{}}`,
		"v: {'<<': 1}":                                            `{"v":{"\u003c\u003c":1}}`,
		"b: &b {a: 1}\n<<: *b":                                    `{"a":1,"b":{"a":1}}`,
		"b: &b a\nv: {*b : *b}":                                   `{"b":"a","v":{"a":"a"}}`,
	} {
		assert.Equal(t, want, parse(t, text), text)
	}
}

func TestScalars(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[1, -1, +1, 1.50, 1e3, 010, -0, 12345678901234567890]": `[1,-1,1,1.50,1e3,10,-0,12345678901234567890]`,
		"[true, True, FALSE, yes, No, on, off, y]":              `[true,true,false,"yes","No","on","off","y"]`,
		"[null, ~, Null, '', 'null', !!str null]":               `[null,null,null,"","null","null"]`,
		"[2020-01-01, .inf, .nan, 0x1F, 1_000, 1:30, =]":        `["2020-01-01",".inf",".nan","0x1F","1_000","1:30","="]`,
		"[!!str 1, !!int '5', !!float 1, !!bool 'true', ! 5]":   `["1",5,1,true,"5"]`,
		"{1: a, true: b, null: c, 1.50: d}":                     `{"1":"a","1.50":"d","null":"c","true":"b"}`,
	} {
		assert.Equal(t, `{"v":`+want+`}`, parse(t, "v: "+text), text)
	}
}

func TestErrorsHaveLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "line 1: the file is empty. It must be a mapping with v",
		"\n- a":                        "line 2: the file must be a mapping with v",
		"v: 1\n---\nv: 2":              "line 2: the file contains a second YAML document. Remove it, or move it to another file",
		"v: 1\n---\nv: [":              "line 3: a value is missing. Add the value, or close the bracket or brace",
		"v:\n  a: \xe9":                "line 2: the line contains bytes that are not valid UTF-8: 0xE9. Save the file in UTF-8",
		"v:\n  a: b\x00":               "line 2: the line contains control characters: U+0000. Remove them",
		"v:\n  a: \"b\\0\"":            `line 2: the text contains the character NUL (\0), which PostHog cannot store. Remove it`,
		"v:\n  \"b\\0\": a":            `line 2: the text contains the character NUL (\0), which PostHog cannot store. Remove it`,
		"v:\n  a: *x":                  "line 2: an alias (*NAME) needs an anchor (&NAME) before it. Define the anchor, or put a text that begins with * into quotes",
		"v:\n  a: [1":                  "line 2: a list in brackets is not complete. Add a comma or ]",
		"v:\n  <<: 3":                  `line 2: << requires a mapping or a list of mappings, but this is a number`,
		"v:\n  <<:":                    "line 2: << requires a mapping or a list of mappings, but this is null",
		"b: &b [1, {}]\nv:\n  <<: *b":  `line 1: << requires a mapping or a list of mappings, but this is a number`,
		"b: &b x\nv:\n  <<: *b":        `line 3: << requires a mapping or a list of mappings, but this is a text`,
		"v:\n  <<: [{}, [{}]]":         "line 2: << requires a mapping or a list of mappings, but this is a list",
		"v: &v\n  <<: *v":              "line 2: the alias *v is inside its own anchor",
		"v: &v\n  - a\n  - [*v]":       "line 3: the alias *v is inside its own anchor",
		"v:\n  <<: {a: 1}\n  <<: {}":   `line 3: the key "<<" is already in line 2. Use each key only once in a mapping`,
		"v:\n  a: 1\n  'a': 2\n  b: 3": `line 3: the key "a" is already in line 2. Use each key only once in a mapping`,
		"v:\n  [a]: 1":                 "line 2: a key must be a text, not a list or a mapping",
		"v: !foo {a: b}":               "line 1: the tag !foo is not supported here. Remove it",
		"v: !!set {a: }":               "line 1: the tag !!set is not supported here. Remove it",
		"v: !!binary aGk=":             "line 1: the tag !!binary is not supported here. Remove it",
		"v: !!timestamp 2020-01-01":    "line 1: the tag !!timestamp is not supported here. Remove it",
		"v: !!int x":                   `line 1: the value does not fit the tag !!int`,
		"v: !!int 'null'":              `line 1: the value does not fit the tag !!int`,
		"v: !!int 1.5":                 `line 1: the value does not fit the tag !!int`,
		"v: !!bool yes":                `line 1: the value does not fit the tag !!bool`,
		"v: !!null x":                  `line 1: the value does not fit the tag !!null`,
		"v:\n  a: 1\n  a: 2\n  b: !x\n  c: {<<: d}": "line 3: the key \"a\" is already in line 2. Use each key only once in a mapping\n" +
			"line 4: the tag !x is not supported here. Remove it\n" + `line 5: << requires a mapping or a list of mappings, but this is a text`,
	} {
		_, err := Parse([]byte(text), "v")
		assert.EqualError(t, err, want, text)
	}
}

// A few lines of nested aliases can expand to more values than fit into memory.
func TestAliasesAreBounded(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n")
	for i := range 12 {
		alias := fmt.Sprintf("*a%d, ", i)
		fmt.Fprintf(&text, "a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(alias, 10))
	}
	_, err := Parse([]byte(text.String()), "v")
	require.Error(t, err)
	assert.Regexp(t, `^line \d+: the aliases of the file expand to more than 200000 values\. Replace some aliases with their values$`, err.Error())
}

// If a text is correct apart from invalid characters, Parse reports only these characters, in each of their lines.
// Without the control characters, the values are the same.
func TestWrongCharactersAreAllReported(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := drawDocument(rt)
		wrong := rapid.SampledFrom([]string{"\x00", "\x07", "\x1b", "\x7f", "\xc2\x80", "\xe9", "\xff"}).Draw(rt, "character")
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		var want []string
		for i := range lines {
			if rapid.Bool().Draw(rt, "is wrong") {
				lines[i] += " # " + wrong
				want = append(want, fmt.Sprintf("line %d", i+1))
			}
		}

		node, err := Parse([]byte(strings.Join(lines, "\n")), "v")
		var reported []string
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				reported = append(reported, strings.SplitN(line, ":", 2)[0])
			}
		}
		assert.Equal(rt, want, reported)
		if node != nil {
			encoded, err := json.Marshal(node.Plain())
			require.NoError(rt, err)
			assert.Equal(rt, parse(rt, text), string(encoded))
		}
	})
}

// Values from aliases and merge keys have the line numbers where they are written.
func TestLinesOfMergedValues(t *testing.T) {
	t.Parallel()
	node, err := Parse([]byte("x: &x\n  a: 1\n  b: [2]\nv:\n  <<: *x\n  c: 3\n  d: *x\n"), "v")
	require.NoError(t, err)
	v := node.Member("v")
	assert.Equal(t, []int{2, 3, 6, 7}, []int{v.Member("a").Line, v.Member("b").Line, v.Member("c").Line, v.Member("d").Line})
	assert.Equal(t, 2, v.Member("d").Member("a").Line)
}

// Parse reads the same values as the library, for documents without values for which Parse uses YAML 1.2 rules.
func TestParseReadsWhatTheLibraryDecodes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := drawDocument(rt)
		var want any
		require.NoError(rt, yaml.Unmarshal([]byte(text), &want), text)
		encoded, err := json.Marshal(want)
		require.NoError(rt, err)
		require.JSONEq(rt, string(encoded), parse(rt, text), text)
	})
}

// drawDocument generates a document with mappings that merge earlier mappings.
func drawDocument(t *rapid.T) string {
	var text strings.Builder
	text.WriteString("v: {}\n")
	for i := range rapid.IntRange(1, 6).Draw(t, "mappings") {
		fmt.Fprintf(&text, "m%d: &m%d\n  own%d: %d\n", i, i, i, i)
		keys := []string{"  a: 1\n", "  b: [x, 1.5]\n", "  c: {d: true}\n"}
		var sources []string
		for source := range i {
			if rapid.Bool().Draw(t, "merges") {
				sources = append(sources, fmt.Sprintf("*m%d", source))
			}
		}
		if len(sources) == 1 {
			keys = append(keys, "  <<: "+sources[0]+"\n")
		} else if len(sources) > 1 {
			keys = append(keys, "  <<: ["+strings.Join(sources, ", ")+"]\n")
		}
		for _, key := range rapid.Permutation(keys).Draw(t, "keys")[:rapid.IntRange(0, len(keys)).Draw(t, "length")] {
			text.WriteString(strings.Replace(key, ": 1", fmt.Sprintf(": %d", i), 1))
		}
	}
	return text.String()
}

// Each kind of YAML syntax error has a line and a remedy.
func TestSyntaxErrorsHaveRemedies(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"v:\n  a: b: c":            "line 2: a key is not allowed here. Put a text that contains",
		"v:\n  - a\n - b":          "line 3: the indentation does not match the lines above",
		"v:\n  a: 1\n b: 2":        "line 3: the indentation does not match the lines above",
		"v:\n  - a\n  b":           "line 3: ",
		"v:\n  a: - b":             "line 2: a list is not allowed here",
		"v:\n  a\n  b: 1":          "line 3: ",
		"v:\n  a: @b":              "line 2: a text must not begin with this character",
		"v:\n  a: `b`":             "line 2: a text must not begin with this character",
		"v:\n  a: %b":              "line 2: a text must not begin with this character",
		"v:\n\ta: b":               "line 2: a text must not begin with this character. Put the text into quotes",
		"v:\n  a: {b: 1":           "line 2: a mapping in braces is not complete",
		"v:\n  a: [1, 2\n  b: 3":   "line 3: a list in brackets is not complete",
		"v:\n  a: \"b":             "line 2: a text in quotes is not complete",
		"v:\n  a: 'b":              "line 2: a text in quotes is not complete",
		"v:\n  a: \"b\" c":         "line 2: ",
		"v:\n  a: \"\\d\"":         "line 2: a text in double quotes contains an unknown escape sequence",
		"v:\n  a: \"\\x1\"":        "line 2: a text in double quotes contains an incomplete escape sequence",
		"v:\n  ? [":                "line 2: a value is missing",
		"v:\n  a: &":               "line 2: ",
		"v:\n  a: |9x\n":           "line 2: ",
		"%YAML 3.0\n---\nv: 1":     "line 1: ",
		"v: 1\n} x":                "line 2: ",
		"v: !<tag:yaml.org,2002 a": "line 1: ",
	} {
		_, err := Parse([]byte(text), "v")
		require.ErrorContains(t, err, want, text)
		for _, library := range []string{"did not find", "found ", "while ", "yaml:", "could not find", "in this context"} {
			assert.NotContains(t, err.Error(), library, text)
		}
	}
}

// Invalid bytes and control characters do not change the other mistakes that Parse finds: they hide neither mistakes
// nor a syntax error, and cause none.
func TestCharactersHideNoMistakes(t *testing.T) {
	t.Parallel()
	const (
		bytesOf    = "the line contains bytes that are not valid UTF-8: "
		controlsOf = "the line contains control characters: "
		utf8, none = ". Save the file in UTF-8", ". Remove them"
		quotes     = "a text in quotes is not complete. Close the quotes"
	)
	for text, want := range map[string][]string{
		"v: [\xe9\n":                         {"line 1: " + bytesOf + "0xE9" + utf8, "line 1: a list in brackets is not complete. Add a comma or ]"},
		"a: \xfc\n\nb: \xe9\xfc\xe9\nv: \"x": {"line 1: " + bytesOf + "0xFC" + utf8, "line 3: " + bytesOf + "0xE9, 0xFC" + utf8, "line 4: " + quotes},
		"v\x01: \x02\nw: \x07\xff":           {"line 1: " + controlsOf + "U+0001, U+0002" + none, "line 2: " + bytesOf + "0xFF" + utf8, "line 2: " + controlsOf + "U+0007" + none},
		"v:\x00 a\n\x0cw: b: c":              {"line 1: " + controlsOf + "U+0000" + none, "line 2: " + controlsOf + "U+000C" + none, `line 2: a key is not allowed here. Put a text that contains ": " into quotes, or correct the indentation`},
		"\x7fv: 1\nv: 2\nw: !x":              {"line 1: " + controlsOf + "U+007F" + none, `line 2: the key "v" is already in line 1. Use each key only once in a mapping`, "line 3: the tag !x is not supported here. Remove it"},
		"\x00":                               {"line 1: " + controlsOf + "U+0000" + none, "line 1: the file is empty. It must be a mapping with v"},
		"\xe9: 1\n\xe8: 2\n":                 {"line 1: " + bytesOf + "0xE9" + utf8, "line 2: " + bytesOf + "0xE8" + utf8},
		"- \x00":                             {"line 1: " + controlsOf + "U+0000" + none, "line 1: the file must be a mapping with v"},
		"v: 1\nv: 2\n---\na: b":              {`line 2: the key "v" is already in line 1. Use each key only once in a mapping`, "line 3: the file contains a second YAML document. Remove it, or move it to another file"},
	} {
		_, err := Parse([]byte(text), "v")
		assert.EqualError(t, err, strings.Join(want, "\n"), "%q", text)
	}
}

// If all values are readable despite mistakes, Parse returns the values, so that callers can report all mistakes
// together.
func TestParseReturnsReadableValues(t *testing.T) {
	t.Parallel()
	for text, isReadable := range map[string]bool{
		"v:\n  a: \"b\\0\"": true, "v:\n  a: 1\n  a: 2": true, "v: !foo a": false, "v: &v [*v]": false, "- a": false, "v: [": false,
		"v: a\x01": true, "v: \xe9": false, "v: 1\n---\nw: 2": true,
	} {
		node, err := Parse([]byte(text), "v")
		require.Error(t, err)
		assert.Equal(t, isReadable, node != nil, text)
	}
}
