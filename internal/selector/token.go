package selector

import (
	"strings"
	"unicode/utf8"
)

// kind is the kind of a CSS Syntax token, as far as selectors distinguish them.
type kind int

const (
	end kind = iota
	space
	ident
	function // name(
	hash     // # followed by a name
	text     // a quoted string
	number   // a number, alone or with % or a unit
	delim    // any other character
	bad      // a token that is an error in any stylesheet
)

// token is a CSS Syntax token. value is the unescaped name of an identifier, function, or hash, or the character of a
// delim. raw is the token as it is written.
type token struct {
	kind       kind
	value, raw string
	// isID is set for a hash whose name is a valid identifier.
	isID bool
}

func (t token) is(character string) bool { return t.kind == delim && t.value == character }

// tokens splits a text according to CSS Syntax. Like browsers, it treats the end of the text as closing everything
// that is open.
func tokens(source string) []token {
	s := scanner{rest: strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", "\n", "\x00", "\ufffd").Replace(source)}
	var list []token
	for s.rest != "" {
		rest := s.rest
		t := s.next()
		t.raw = rest[:len(rest)-len(s.rest)]
		if t.raw != "" && t.kind != end {
			list = append(list, t)
		}
	}
	return list
}

type scanner struct{ rest string }

func (s *scanner) peek(n int) rune {
	rest := s.rest
	for ; n > 0 && rest != ""; n-- {
		_, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
	}
	if rest == "" {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return r
}

func (s *scanner) take() rune {
	r, size := utf8.DecodeRuneInString(s.rest)
	s.rest = s.rest[size:]
	return r
}

// next returns the next token. A comment has the kind end.
func (s *scanner) next() token {
	switch r := s.peek(0); {
	case strings.HasPrefix(s.rest, "/*"):
		if _, rest, isClosed := strings.Cut(s.rest[2:], "*/"); isClosed {
			s.rest = rest
		} else {
			s.rest = ""
		}
		return token{}
	case isSpace(r):
		s.rest = strings.TrimLeft(s.rest, " \t\n")
		return token{kind: space}
	case r == '"' || r == '\'':
		return s.text(s.take())
	case r == '#' && (isName(s.peek(1)) || isEscape(s.peek(1), s.peek(2))):
		s.take()
		isID := s.startsIdent(0)
		return token{kind: hash, value: s.name(), isID: isID}
	case s.startsNumber():
		s.number()
		return token{kind: number}
	case s.startsIdent(0):
		return s.identOrFunction()
	case r == '\\':
		s.take()
		return token{kind: bad}
	default:
		return token{kind: delim, value: string(s.take())}
	}
}

func (s *scanner) identOrFunction() token {
	name := s.name()
	if s.peek(0) != '(' {
		return token{kind: ident, value: name}
	}
	s.take()
	return token{kind: function, value: name}
}

func (s *scanner) text(quote rune) token {
	for s.rest != "" {
		switch s.peek(0) {
		case quote:
			s.take()
			return token{kind: text}
		case '\n':
			return token{kind: bad}
		case '\\':
			s.take()
			if s.rest != "" {
				s.take()
			}
		default:
			s.take()
		}
	}
	return token{kind: text}
}

// name consumes the name of an identifier.
func (s *scanner) name() string {
	var b strings.Builder
	for s.rest != "" {
		switch {
		case isName(s.peek(0)):
			b.WriteRune(s.take())
		case isEscape(s.peek(0), s.peek(1)):
			s.take()
			b.WriteRune(s.readEscape())
		default:
			return b.String()
		}
	}
	return b.String()
}

// readEscape consumes the characters after a backslash.
func (s *scanner) readEscape() rune {
	const most = 6
	value, digits := rune(0), 0
	for digits < most && isHex(s.peek(0)) {
		value = value*16 + hexValue(s.take())
		digits++
	}
	switch {
	case digits == 0 && s.rest == "":
		return utf8.RuneError
	case digits == 0:
		return s.take()
	}
	if isSpace(s.peek(0)) {
		s.take()
	}
	if value == 0 || !utf8.ValidRune(value) {
		return utf8.RuneError
	}
	return value
}

func (s *scanner) startsIdent(offset int) bool {
	first, second, third := s.peek(offset), s.peek(offset+1), s.peek(offset+2)
	if first == '-' {
		return isNameStart(second) || second == '-' || isEscape(second, third)
	}
	return isNameStart(first) || isEscape(first, second)
}

func (s *scanner) startsNumber() bool {
	first, second, third := s.peek(0), s.peek(1), s.peek(2)
	if first == '+' || first == '-' {
		return isDigit(second) || second == '.' && isDigit(third)
	}
	return isDigit(first) || first == '.' && isDigit(second)
}

// number consumes a number with its unit.
func (s *scanner) number() {
	digits := func() {
		for isDigit(s.peek(0)) {
			s.take()
		}
	}
	if r := s.peek(0); r == '+' || r == '-' {
		s.take()
	}
	digits()
	if s.peek(0) == '.' && isDigit(s.peek(1)) {
		s.take()
		digits()
	}
	if e := s.peek(0); (e == 'e' || e == 'E') && (isDigit(s.peek(1)) || (s.peek(1) == '+' || s.peek(1) == '-') && isDigit(s.peek(2))) {
		s.take()
		s.take()
		digits()
	}
	if s.startsIdent(0) {
		s.name()
	} else if s.peek(0) == '%' {
		s.take()
	}
}

func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func isHex(r rune) bool { return isDigit(r) || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F' }

func hexValue(r rune) rune {
	switch {
	case r <= '9':
		return r - '0'
	case r <= 'F':
		return r - 'A' + 10
	}
	return r - 'a' + 10
}

func isNameStart(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || r >= utf8.RuneSelf
}

func isName(r rune) bool { return isNameStart(r) || isDigit(r) || r == '-' }

func isEscape(first, second rune) bool { return first == '\\' && second != '\n' }
