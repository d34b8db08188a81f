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

// isHidden reports whether a character acts on what is around it in place of being seen:
// control characters, C1 among them, line and paragraph separators, and marks that change
// the direction of text.
func isHidden(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}

// Printable is a text without what no drawing can hold: bytes that are no UTF-8, and
// hidden characters other than line breaks, which XML refuses or which would turn around
// the text that follows them.
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

// Line is Printable in one line: whatever ends a line, also where Unicode alone says so, is
// a blank.
func Line(text string) string { return Printable(lineEnds.Replace(text)) }

var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\v", " ", "\f", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ")

// visible is a text with each hidden character as Go writes it in a string, so that a
// person sees what is there.
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

// joiner is invisible, takes no room and belongs to no word: between two characters it
// keeps a program from reading them as one.
const joiner = "\u2060"

// Terminal is a text within a line of a terminal, or of the log of a CI runner, which is
// the same stream: no control character reaches the terminal, and no runner takes the text
// for one of its commands (::name::, ##[name], ##vso[name]).
func Terminal(text string) string {
	return unlikeCommand(visible(text, func(rune) bool { return false }))
}

// TerminalLines is Terminal for a text whose line breaks and tabs are meant.
func TerminalLines(text string) string {
	printable := visible(text, func(r rune) bool { return r == '\n' || r == '\t' })
	lines := strings.Split(printable, "\n")
	for i, line := range lines {
		lines[i] = unlikeCommand(line)
	}
	return strings.Join(lines, "\n")
}

// bracketCommand is what begins a command of a runner anywhere in a line.
var bracketCommand = regexp.MustCompile(`##([\[A-Za-z])`)

// unlikeCommand separates what begins a command of a runner: two colons at the beginning
// of a line, two number signs before a bracket or a name anywhere.
func unlikeCommand(line string) string {
	line = bracketCommand.ReplaceAllString(line, "#"+joiner+"#$1")
	if blank := len(line) - len(strings.TrimLeft(line, " \t\u00a0")); strings.HasPrefix(line[blank:], "::") {
		line = line[:blank] + joiner + line[blank:]
	}
	return line
}

// markdownMarks are the characters that begin markup in GitHub's Markdown wherever they
// stand, with mathematics and the cells of tables.
var markdownMarks = regexp.MustCompile("[\\\\`*_\\[\\]<>|~&!$#^]")

var (
	// markdownStart is what makes a heading, a list, a rule or a code block at the beginning
	// of a line.
	markdownStart = regexp.MustCompile(`^(\s*)([-+=]|\d+[.)])`)
	// webAddress and webHost become links without any markup.
	webAddress = regexp.MustCompile(`(?i)(https?|ftp|mailto|xmpp):`)
	webHost    = regexp.MustCompile(`(?i)(www)\.`)
	// mention and issue notify people and link to other pages.
	mention = regexp.MustCompile(`@`)
	issue   = regexp.MustCompile(`(?i)(#|\bgh-)(\d)`)
)

// Markdown is a text as it stands, in one line: it is no link, image, mention, tag, list or
// heading, and does not end the cell of a table.
func Markdown(text string) string {
	text = unlikeReference(strings.TrimSpace(Line(text)))
	start := markdownStart.FindStringSubmatchIndex(text)

	text = markdownMarks.ReplaceAllString(text, `\$0`)
	text = webAddress.ReplaceAllString(text, `$1\:`)
	text = webHost.ReplaceAllString(text, `$1\.`)
	// None of the characters before the mark of a list is escaped above.
	if start != nil {
		text = text[:start[5]-1] + `\` + text[start[5]-1:]
	}
	return text
}

// unlikeReference separates what code hosts turn into mentions and links after they have
// read the Markdown, so that no escape of Markdown helps.
func unlikeReference(text string) string {
	text = mention.ReplaceAllString(text, "@"+joiner)
	return bracketCommand.ReplaceAllString(issue.ReplaceAllString(text, "$1"+joiner+"$2"), "#"+joiner+"#$1")
}

// MarkdownCode is a text in one line as a code span, in which nothing is markup.
func MarkdownCode(text string) string {
	text = bracketCommand.ReplaceAllString(Line(text), "#"+joiner+"#$1")
	if strings.TrimSpace(text) == "" {
		return "` `"
	}

	fence := strings.Repeat("`", longestRun(text)+1)
	if strings.Trim(text, "` ") != text {
		// A blank at both ends is taken away again.
		text = " " + text + " "
	}
	return fence + text + fence
}

// MarkdownCell is MarkdownCode in the cell of a table, whose ends are found before code.
func MarkdownCell(text string) string { return strings.ReplaceAll(MarkdownCode(text), "|", `\|`) }

// MarkdownBlock is a text of several lines as a code block with its language.
func MarkdownBlock(language, text string) string {
	text = TerminalLines(strings.TrimSuffix(text, "\n"))
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	return fence + language + "\n" + text + "\n" + fence + "\n"
}

// longestRun is the length of the longest run of backticks.
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

// HTML is a text between tags, or as the value of an attribute in quotes, for tags in
// Markdown as well: code hosts read mentions there, too.
func HTML(text string) string { return html.EscapeString(unlikeReference(Line(text))) }

// XML is a text between the tags of XML, such as SVG, or as the value of an attribute in
// quotes.
func XML(text string) string { return html.EscapeString(Printable(text)) }

// mermaidEntities are the characters that Mermaid reads in a quoted label, as its own
// entities: a label is Markdown and HTML, and a directive, %%{...}%%, counts everywhere. What
// it reads after the entities (a formula, an icon, a line break) is parted by a space without
// width, since there is no other way to write it.
var mermaidEntities = strings.NewReplacer(
	"$$", "$#8203;$#8203;", ":fa-", ":#8203;fa-", `\n`, "#92;#8203;n",
	"#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "%", "#37;",
	"`", "#96;", "*", "#42;", "_", "#95;", "\\", "#92;", "\n", " ",
)

// Mermaid is a text in a quoted label of Mermaid, in one line.
func Mermaid(text string) string { return mermaidEntities.Replace(Printable(text)) }
