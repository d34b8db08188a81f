package keys

import "strings"

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
