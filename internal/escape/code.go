package escape

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// The following functions return literals in programming languages. The literals are safe to print in
// terminals and CI logs. They escape hidden characters, and the second of two number signs, because two number
// signs begin a CI runner's command. They replace invalid UTF-8.

// isLiteral reports whether a literal can contain a character unescaped. The two joiners are allowed, because
// some scripts need them to form letters.
func isLiteral(r rune) bool {
	return !isHidden(r) && (unicode.IsPrint(r) || r == '\u200c' || r == '\u200d')
}

// literal escapes text. It uses the escapes in short, and hexadecimal escapes for characters that must not be
// visible.
func literal(text string, short map[rune]string, hexadecimal func(rune) string) string {
	var b strings.Builder
	var last rune
	for _, r := range strings.ToValidUTF8(text, string(utf8.RuneError)) {
		word, isShort := short[r]
		switch {
		case isShort:
			b.WriteString(word)
		case r == '#' && last == '#' || !isLiteral(r):
			b.WriteString(hexadecimal(r))
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// JavaScript returns text as a JavaScript and TypeScript string literal.
func JavaScript(text string) string {
	short := map[rune]string{'\\': `\\`, '"': `\"`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	return `"` + literal(text, short, units) + `"`
}

// JSONComment returns text as a JSON string for use in a comment. The string cannot end the comment.
func JSONComment(text string) string {
	short := map[rune]string{'\\': `\\`, '"': `\"`, '/': `\u002f`, '<': `\u003c`, '>': `\u003e`, '&': `\u0026`, '\u200c': `\u200c`, '\u200d': `\u200d`}
	return `"` + literal(text, short, units) + `"`
}

// units returns a character's UTF-16 escapes.
func units(r rune) string {
	var b strings.Builder
	for _, unit := range utf16.AppendRune(nil, r) {
		fmt.Fprintf(&b, `\u%04x`, unit)
	}
	return b.String()
}

// plainValue matches values that need no quotes in an environment file.
var plainValue = regexp.MustCompile(`^[A-Za-z0-9_.:/-]+$`)

// EnvironmentValue returns text as a value in an environment file, for shells and for all libraries that read such
// files. ok is false if they would read the value in different ways.
func EnvironmentValue(text string) (string, bool) {
	if plainValue.MatchString(text) {
		return text, true
	}
	hasOther := strings.ContainsFunc(text, func(r rune) bool { return r == '\'' || r == '\\' || r == utf8.RuneError || !isLiteral(r) })
	return "'" + text + "'", !hasOther && !strings.Contains(text, "##")
}

// EnvironmentJSON returns a value as JSON in an environment file. Within the JSON strings, it escapes characters that
// have a meaning for a shell or a library.
func EnvironmentJSON(value any) (string, error) {
	encoded, err := json.Marshal(value)
	if err != nil {
		return "", err
	}

	var b strings.Builder
	text := string(JSON(encoded))
	for i := 0; i < len(text); i++ {
		short := byte(0)
		if text[i] == '\\' && i+1 < len(text) {
			short = map[byte]byte{'"': '"', '\\': '\\', 'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}[text[i+1]]
		}
		switch {
		case short != 0:
			fmt.Fprintf(&b, `\u%04x`, short)
			i++
		case text[i] == '\'' || text[i] == '$' || text[i] == '`':
			fmt.Fprintf(&b, `\u%04x`, text[i])
		default:
			b.WriteByte(text[i])
		}
	}
	return "'" + b.String() + "'", nil
}

var (
	// delimiters breaks up comment delimiters.
	delimiters = strings.NewReplacer("*/", "* /", "/*", "/ *")
	// markup escapes what editors render in a comment: documentation tags, HTML, and links.
	markup = strings.NewReplacer("@", "&#64;", "<", "&lt;", "[", "&#91;")
)

// CodeComment returns text on one line for a comment, which editors show as Markdown. The text neither ends the
// comment nor begins another one.
func CodeComment(text string) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !isLiteral(r):
			return utf8.RuneError
		default:
			return r
		}
	}, Line(text)))
	text = bracketCommand.ReplaceAllString(text, "# #$1")
	// A replacement can leave another delimiter: replacing "*/" in "*/*" leaves "/*".
	for strings.Contains(text, "*/") || strings.Contains(text, "/*") {
		text = delimiters.Replace(text)
	}
	return markup.Replace(text)
}

// hogEscapes escapes strings in Hog, the language of PostHog's destinations.
var hogEscapes = strings.NewReplacer(
	`\`, `\\`, `'`, `\'`, "\b", `\b`, "\f", `\f`, "\r", `\r`, "\n", `\n`, "\t", `\t`, "\x00", `\0`, "\a", `\a`, "\v", `\v`,
)

// Hog returns text as a Hog string literal.
func Hog(text string) string { return "'" + hogEscapes.Replace(text) + "'" }

// JSON escapes hidden characters in encoded JSON, which keeps its meaning. The result is safe to print in a
// terminal and in a CI log. encoding/json does not escape DEL, C1 control characters, and bidirectional
// marks.
func JSON(encoded []byte) []byte {
	var b bytes.Buffer
	for i := 0; i < len(encoded); {
		r, size := utf8.DecodeRune(encoded[i:])
		switch {
		case r == '#' && i > 0 && encoded[i-1] == '#':
			b.WriteString(`\u0023`)
		case r >= 0x7f && isHidden(r):
			// All hidden characters are in the Basic Multilingual Plane.
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.Write(encoded[i : i+size])
		}
		i += size
	}
	return b.Bytes()
}

// SARIF returns text as a SARIF message, in which brackets would begin a link.
func SARIF(text string) string {
	var b bytes.Buffer
	for _, r := range Line(text) {
		if r == '\\' || r == '[' || r == ']' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// plainWord matches words that need no quotes in a shell. A word with a leading ~ or = needs quotes.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$`)

// Shell returns text as one word in a POSIX shell command that users can copy.
func Shell(word string) string {
	switch {
	case plainWord.MatchString(word):
		return word
	case strings.ContainsFunc(word, isHidden):
		return dollarQuote(word)
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// dollarQuote returns a word with hidden characters in the form $'...', with an escape for each of the characters'
// bytes. Unescaped, the characters could affect the terminal, and a line break would end the line.
func dollarQuote(word string) string {
	var b strings.Builder
	b.WriteString("$'")
	for _, r := range word {
		switch {
		case isHidden(r) || r == '\'' || r == '\\':
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + "'"
}
