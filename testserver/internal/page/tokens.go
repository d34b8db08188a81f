package page

import "strings"

// Token is a part of a text, with the class of its colour; empty for none.
type Token struct{ Class, Text string }

// maxColoured is the length of the longest text that is coloured: each token is an element.
const maxColoured = 64 << 10

// Tokens are the parts of JSON: keys, strings, numbers and words, and what is between them.
// Any other text comes back whole.
func Tokens(text string) []Token {
	if trimmed := strings.TrimSpace(text); len(text) > maxColoured || trimmed == "" || !strings.ContainsRune(`{["`, rune(trimmed[0])) {
		return []Token{{Text: text}}
	}

	var tokens []Token
	plain := 0
	for at := 0; at < len(text); {
		end, class := tokenAt(text, at)
		if class == "" {
			at = end
			continue
		}
		if plain < at {
			tokens = append(tokens, Token{Text: text[plain:at]})
		}
		tokens = append(tokens, Token{class, text[at:end]})
		at, plain = end, end
	}
	if plain < len(text) {
		tokens = append(tokens, Token{Text: text[plain:]})
	}
	return tokens
}

// tokenAt is the end of the token that begins at a position, and its class.
func tokenAt(text string, at int) (end int, class string) {
	const letters, digits = "abcdefghijklmnopqrstuvwxyz", "+-.0123456789Ee"
	switch c := text[at]; {
	case c == '"':
		end = stringEnd(text, at)
		if strings.HasPrefix(strings.TrimLeft(text[end:], " "), ":") {
			return end, "key"
		}
		return end, "string"
	case c == '-' || c >= '0' && c <= '9':
		return at + len(text[at:]) - len(strings.TrimLeft(text[at:], digits)), "literal"
	case c >= 'a' && c <= 'z':
		return at + len(text[at:]) - len(strings.TrimLeft(text[at:], letters)), "literal"
	}
	return at + 1, ""
}

// stringEnd is the position behind the quote that ends a string.
func stringEnd(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
