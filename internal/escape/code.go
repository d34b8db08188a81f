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

// Literals of languages. All are printed on terminals and in the logs of runners, too: hidden
// characters are escapes in each, and so is the second of two number signs, which begin a
// command of a runner. A text that is no UTF-8 has replacement characters.

// isLiteral reports whether a character stands for itself in a literal. The two joiners are
// letters to the scripts that need them.
func isLiteral(r rune) bool {
	return !isHidden(r) && (unicode.IsPrint(r) || r == '\u200c' || r == '\u200d')
}

// literal is a text with escapes for the characters of short, and hexadecimal ones for what is
// not to be seen.
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

// JavaScript is a text as a string of JavaScript and TypeScript.
func JavaScript(text string) string {
	short := map[rune]string{'\\': `\\`, '"': `\"`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	return `"` + literal(text, short, units) + `"`
}

// JSONComment is a text as a string of JSON that is in a comment, and does not end it.
func JSONComment(text string) string {
	short := map[rune]string{'\\': `\\`, '"': `\"`, '/': `\u002f`, '<': `\u003c`, '>': `\u003e`, '&': `\u0026`, '\u200c': `\u200c`, '\u200d': `\u200d`}
	return `"` + literal(text, short, units) + `"`
}

// units are the escapes of a character where they are for UTF-16.
func units(r rune) string {
	var b strings.Builder
	for _, unit := range utf16.AppendRune(nil, r) {
		fmt.Fprintf(&b, `\u%04x`, unit)
	}
	return b.String()
}

// plainValue matches what a file of environment variables holds without quotes.
var plainValue = regexp.MustCompile(`^[A-Za-z0-9_.:/-]+$`)

// EnvironmentValue is a text as a value in a file of environment variables, for shells and for
// all libraries that read such files; false for one that they read in different ways.
func EnvironmentValue(text string) (string, bool) {
	if plainValue.MatchString(text) {
		return text, true
	}
	hasOther := strings.ContainsFunc(text, func(r rune) bool { return r == '\'' || r == '\\' || r == utf8.RuneError || !isLiteral(r) })
	return "'" + text + "'", !hasOther && !strings.Contains(text, "##")
}

// EnvironmentJSON is a value as JSON in a file of environment variables. Within the quotes of
// JSON nothing has a meaning to a shell or a library.
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
	// delimiters begin and end comments.
	delimiters = strings.NewReplacer("*/", "* /", "/*", "/ *")
	// markup is what editors show as more than text: tags of documentation, HTML, links.
	markup = strings.NewReplacer("@", "&#64;", "<", "&lt;", "[", "&#91;")
)

// CodeComment is a text in one line of a comment, which editors show as Markdown. It neither
// ends the comment, nor begins one in it.
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
	// A replacement may leave another one behind: that of "*/*" ends with "/*".
	for strings.Contains(text, "*/") || strings.Contains(text, "/*") {
		text = delimiters.Replace(text)
	}
	return markup.Replace(text)
}

// hogEscapes are the escapes of a string of Hog, the language of PostHog's destinations.
var hogEscapes = strings.NewReplacer(
	`\`, `\\`, `'`, `\'`, "\b", `\b`, "\f", `\f`, "\r", `\r`, "\n", `\n`, "\t", `\t`, "\x00", `\0`, "\a", `\a`, "\v", `\v`,
)

// Hog is a text as a string of Hog.
func Hog(text string) string { return "'" + hogEscapes.Replace(text) + "'" }

// JSON is encoded JSON with hidden characters as escapes, which its readers take for the
// same text: encoding/json leaves DEL, C1 and marks of direction as they are. It may be
// printed on a terminal and in the log of a runner.
func JSON(encoded []byte) []byte {
	var b bytes.Buffer
	for i := 0; i < len(encoded); {
		r, size := utf8.DecodeRune(encoded[i:])
		switch {
		case r == '#' && i > 0 && encoded[i-1] == '#':
			b.WriteString(`\u0023`)
		case r >= 0x7f && isHidden(r):
			// None of them is outside of the first plane.
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.Write(encoded[i : i+size])
		}
		i += size
	}
	return b.Bytes()
}

// SARIF is a text as a message of SARIF, in which brackets begin a link.
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

// plainWord matches a word that needs no quotes in a shell. A leading ~ or = would.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$`)

// Shell is a text as one word of a command for a POSIX shell, to be printed for copying.
func Shell(word string) string {
	switch {
	case plainWord.MatchString(word):
		return word
	case strings.ContainsFunc(word, isHidden):
		return dollarQuote(word)
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// dollarQuote is a word with hidden characters, as $'...' with an escape for each of
// their bytes: on a terminal they would act, and a line break would end the line.
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
