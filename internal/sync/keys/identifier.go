package keys

import (
	"fmt"
	"strings"
)

// pascal is names in PascalCase, one after the other.
func pascal(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		for word := range strings.SplitSeq(name, "_") {
			if word != "" {
				b.WriteString(strings.ToUpper(word[:1]) + word[1:])
			}
		}
	}
	return b.String()
}

// camel is a name in camelCase.
func camel(name string) string {
	text := pascal(name)
	return strings.ToLower(text[:1]) + text[1:]
}

// screaming is names in SCREAMING_SNAKE_CASE.
func screaming(names ...string) string { return strings.ToUpper(strings.Join(names, "_")) }

// choiceNames are names for choices, in their order. isTaken reports whether a format cannot
// use a name.
func choiceNames(choices []string, isTaken func(name string) bool) []string {
	names, taken := make([]string, len(choices)), map[string]bool{}
	for i, choice := range choices {
		word := wordOf(choice, "choice")
		if word == "choice" {
			word = fmt.Sprintf("choice_%d", i+1)
		}
		if reservedChoices[joined(word)] {
			word += "_choice"
		}

		name := word
		for n := 2; taken[joined(name)] || isTaken(name); n++ {
			name = fmt.Sprintf("%s_%d", word, n)
		}
		taken[joined(name)] = true
		names[i] = name
	}
	return names
}
