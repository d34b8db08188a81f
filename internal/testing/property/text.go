package property

import (
	"strings"

	"pgregory.net/rapid"
)

// pieces are parts of text from outside: markup of every medium, commands of terminals and runners, and invisible
// characters with an effect.
var pieces = []string{
	"a", "Wie geht's?", " ", "  ", "\n", "\r", "\r\n", "\t", "\v", "\f", "\x00", "\x07", "\x1b[31m", "\x1b]0;t\x07", "\x7f", "\u0085", "\u009b31m",
	"\u2028", "\u2029", "\u202e", "\u2066", "\u200f", "\u200b", "\ufeff", "\xff", "\ufffe", "😀", "é", "e\u0301",
	"::error file=main.tf,line=1::x", "::", "##[set-env name=a]b", "##[", "###[", "##vso[task.setvariable]x", "##teamcity[x]",
	"|", `\|`, `\`, `\\`, "`", "``", "```", "~~~", "*", "**b**", "_", "__i__", "~~s~~", "[x](https://evil.example)", `\[x](https://evil.example)`,
	"![i](https://evil.example/p.png)", "[x]: https://evil.example", "[x]", "<https://evil.example>", "https://evil.example", "HTTP://evil.example",
	"www.evil.example", "ftp://evil.example", "mailto:a@evil.example", "a@evil.example", "@org/team", "#1", "GH-1", "o/r#1",
	"<img src=x onerror=y>", "</details>", "<details>", "<!-- x -->", "-->", "<script>", "&lt;", "&#64;", "&", "$x$", "^", "- ", "+ ", "1. ", "2) ", "# ", "> ", "---", "===",
	"|---|---|", "    code", `"`, "'", `'\''`, "$(touch x)", "$x", ";", "&& x", "%%{init: {'theme': 'forest'}}%%", "%%", "#quot;", "#35;", "{", "}", "${x}", "%{x}",
	"]]>", "../..", "/", "CON", "nul.txt", ".", "..", "~", "=x", "-",
}

// Text generates any text, mostly from pieces that have a meaning in some program. more contains additional pieces
// that only one program interprets.
func Text(more ...string) *rapid.Generator[string] {
	lists := [][]string{pieces}
	if len(more) > 0 {
		lists = append(lists, more)
	}
	return rapid.Custom(func(t *rapid.T) string {
		var text strings.Builder
		for range rapid.IntRange(0, 6).Draw(t, "pieces") {
			if rapid.IntRange(0, 9).Draw(t, "any") == 0 {
				text.WriteString(rapid.String().Draw(t, "text"))
			} else {
				text.WriteString(rapid.SampledFrom(rapid.SampledFrom(lists).Draw(t, "list")).Draw(t, "piece"))
			}
		}
		return text.String()
	})
}
