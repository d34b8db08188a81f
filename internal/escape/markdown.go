package escape

import (
	"html"
	"regexp"
	"strings"
)

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
