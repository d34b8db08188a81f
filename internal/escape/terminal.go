package escape

import (
	"regexp"
	"strings"
)

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
	shown := visible(text, func(r rune) bool { return r == '\n' || r == '\t' })
	lines := strings.Split(shown, "\n")
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
