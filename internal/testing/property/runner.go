package property

import (
	"regexp"
	"strings"
	"unicode"
)

// bracketCommand matches commands that GitHub's runner obeys anywhere in a line.
var bracketCommand = regexp.MustCompile(`##[\[A-Za-z]`)

// Commands returns the lines of a log in which a CI runner finds a command. Runners obey two colons at the start of a
// line, after optional spaces, and two number signs with a bracket anywhere.
func Commands(log string) []string {
	var commands []string
	for line := range strings.SplitSeq(log, "\n") {
		if strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") || bracketCommand.MatchString(line) {
			commands = append(commands, line)
		}
	}
	return commands
}
