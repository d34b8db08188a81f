// Package escape escapes external text, such as survey names and questions, for each medium
// in which people or programs read it. Each medium has one function. Other packages must not
// escape text by hand, and a test enforces this. Escaping for HCL is in package code, which
// writes tokens instead of text.
package escape

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode"
)

// isHidden reports whether a character is invisible and affects other text: control characters, including C1,
// line and paragraph separators, and bidirectional marks.
func isHidden(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}

// Printable returns text that images can contain. It replaces invalid UTF-8, and hidden characters except
// line breaks, because XML does not allow them or they would reverse the text that follows.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t', r == '\r':
			return ' '
		case isHidden(r), r == '\uFFFE', r == '\uFFFF':
			return unicode.ReplacementChar
		default:
			return r
		}
	}, strings.ToValidUTF8(text, string(unicode.ReplacementChar)))
}

// Line returns printable text on one line. It replaces all line ends, including those that only Unicode defines, with
// spaces.
func Line(text string) string { return Printable(lineEnds.Replace(text)) }

var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\v", " ", "\f", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ")

// visible replaces hidden characters with their Go escapes, so that readers see them. It keeps characters
// that isKept selects.
func visible(text string, isKept func(rune) bool) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, string(unicode.ReplacementChar)) {
		switch {
		case isKept(r) || !isHidden(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// joiner is an invisible zero-width character that belongs to no word. Between two characters, it prevents
// programs from treating them as a unit.
const joiner = "\u2060"

// Terminal returns text for one line of a terminal or a CI log, which are the same stream. It contains no
// control characters, and no CI runner interprets it as a command (::name::, ##[name], ##vso[name]).
func Terminal(text string) string {
	return unlikeCommand(visible(text, func(rune) bool { return false }))
}

// TerminalLines is like [Terminal], for text in which line breaks and tabs are intentional.
func TerminalLines(text string) string {
	printable := visible(text, func(r rune) bool { return r == '\n' || r == '\t' })
	lines := strings.Split(printable, "\n")
	for i, line := range lines {
		lines[i] = unlikeCommand(line)
	}
	return strings.Join(lines, "\n")
}

// bracketCommand matches the beginning of a CI runner's command anywhere in a line.
var bracketCommand = regexp.MustCompile(`##([\[A-Za-z])`)

// unlikeCommand separates the characters that begin a CI runner's command: two colons at the start of a line,
// or two number signs before a bracket or a name anywhere.
func unlikeCommand(line string) string {
	line = bracketCommand.ReplaceAllString(line, "#"+joiner+"#$1")
	if blank := len(line) - len(strings.TrimLeft(line, " \t\u00a0")); strings.HasPrefix(line[blank:], "::") {
		line = line[:blank] + joiner + line[blank:]
	}
	return line
}

// markdownMarks matches characters that begin markup in GitHub's Markdown in any position, including math and table
// cells.
var markdownMarks = regexp.MustCompile("[\\\\`*_\\[\\]<>|~&!$#^]")

var (
	// markdownStart matches text that begins a heading, a list, a rule, or a code block at the start of a line.
	markdownStart = regexp.MustCompile(`^(\s*)([-+=]|\d+[.)])`)
	// webAddress and webHost match text that becomes a link even without markup.
	webAddress = regexp.MustCompile(`(?i)(https?|ftp|mailto|xmpp):`)
	webHost    = regexp.MustCompile(`(?i)(www)\.`)
	// mention and issue match text that notifies people and links to other pages.
	mention = regexp.MustCompile(`@`)
	issue   = regexp.MustCompile(`(?i)(#|\bgh-)(\d)`)
)

// Markdown returns text as literal text on one line of Markdown. It contains no link, image, mention, tag,
// list, or heading, and does not end a table cell.
func Markdown(text string) string {
	text = unlikeReference(strings.TrimSpace(Line(text)))
	start := markdownStart.FindStringSubmatchIndex(text)

	text = markdownMarks.ReplaceAllString(text, `\$0`)
	text = webAddress.ReplaceAllString(text, `$1\:`)
	text = webHost.ReplaceAllString(text, `$1\.`)
	// The characters before a list marker are never escaped, so the index is still valid.
	if start != nil {
		text = text[:start[5]-1] + `\` + text[start[5]-1:]
	}
	return text
}

// unlikeReference breaks up mentions and links. Code hosts find these after they have parsed the Markdown, so
// Markdown escapes don't help.
func unlikeReference(text string) string {
	text = mention.ReplaceAllString(text, "@"+joiner)
	return bracketCommand.ReplaceAllString(issue.ReplaceAllString(text, "$1"+joiner+"$2"), "#"+joiner+"#$1")
}

// MarkdownCode returns text on one line as a code span, in which nothing is markup.
func MarkdownCode(text string) string {
	text = bracketCommand.ReplaceAllString(Line(text), "#"+joiner+"#$1")
	if strings.TrimSpace(text) == "" {
		return "` `"
	}

	fence := strings.Repeat("`", longestRun(text)+1)
	if strings.Trim(text, "` ") != text {
		// Markdown removes one space at each end if both ends have one.
		text = " " + text + " "
	}
	return fence + text + fence
}

// MarkdownCell returns a code span for a table cell. Markdown finds the ends of cells before code spans.
func MarkdownCell(text string) string { return strings.ReplaceAll(MarkdownCode(text), "|", `\|`) }

// MarkdownBlock returns text with several lines as a code block in a language.
func MarkdownBlock(language, text string) string {
	text = TerminalLines(strings.TrimSuffix(text, "\n"))
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	return fence + language + "\n" + text + "\n" + fence + "\n"
}

// longestRun returns the length of the longest run of backticks.
func longestRun(text string) int {
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// HTML returns text for use between tags or in a quoted attribute. It is also safe for tags in Markdown, in which code
// hosts look for mentions.
func HTML(text string) string { return html.EscapeString(unlikeReference(Line(text))) }

// XML returns text for use between XML tags, such as in an SVG, or in a quoted attribute.
func XML(text string) string { return html.EscapeString(Printable(text)) }

// mermaidEntities replaces characters that Mermaid interprets in a quoted label with Mermaid entities. A
// label is Markdown and HTML, and may contain a directive (%%{...}%%). Mermaid interprets formulas, icons,
// and line breaks after it has decoded entities, so a zero-width space must separate their characters.
var mermaidEntities = strings.NewReplacer(
	"$$", "$#8203;$#8203;", ":fa-", ":#8203;fa-", `\n`, "#92;#8203;n",
	"#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "%", "#37;",
	"`", "#96;", "*", "#42;", "_", "#95;", "\\", "#92;", "\n", " ",
)

// Mermaid returns text on one line for a quoted Mermaid label.
func Mermaid(text string) string { return mermaidEntities.Replace(Printable(text)) }
