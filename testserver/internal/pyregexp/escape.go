package pyregexp

import (
	"strconv"
	"strings"
	"unicode"
)

// escape reads what follows a backslash outside of a class.
func (p *parser) escape() (width extent, repeatable, ok bool) {
	one := extent{1, 1}
	r := p.next()
	switch {
	case r == 0 && p.ends():
		return one, false, false
	case strings.ContainsRune("AbBZ", r):
		return extent{}, false, true
	case strings.ContainsRune("dDsSwW", r):
		return one, true, true
	case r >= '1' && r <= '9':
		p.at--
		return p.reference()
	}
	p.at--
	_, ok = p.character()
	return one, true, ok
}

// reference reads a number behind a backslash: three octal digits are a character, all
// else the number of a group that is closed.
func (p *parser) reference() (width extent, repeatable, ok bool) {
	digits := p.text[p.at:min(p.at+3, len(p.text))]
	if len(digits) == 3 && isOctal(digits[0]) && isOctal(digits[1]) && isOctal(digits[2]) {
		p.at += 3
		return extent{1, 1}, true, digits[0] <= '3'
	}
	n := int(p.next() - '0')
	if !p.ends() && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		n = n*10 + int(p.next()-'0')
	}
	if n > len(p.groups) || p.groups[n-1].open {
		return extent{}, false, false
	}
	return p.groups[n-1].width, true, true
}

func isOctal(r rune) bool { return r >= '0' && r <= '7' }

// character reads an escape that stands for one character: behind a backslash any sign
// that is no letter of the alphabet, and some of those that are.
func (p *parser) character() (rune, bool) {
	r := p.next()
	switch r {
	case 'x':
		return p.hexadecimal(2)
	case 'u':
		return p.hexadecimal(4)
	case 'U':
		code, ok := p.hexadecimal(8)
		return code, ok && code >= 0 && code <= unicode.MaxRune
	case 'N':
		if !p.sees("{") {
			return 0, false
		}
		name, ok := p.until('}')
		return 0, ok && name != ""
	case 'a', 'f', 'n', 'r', 't', 'v':
		return rune("\a\f\n\r\t\v"[strings.IndexRune("afnrtv", r)]), true
	}

	if isOctal(r) {
		return p.octal(r)
	}
	isWord := r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r))
	return r, !isWord && (r != 0 || !p.ends())
}

func (p *parser) hexadecimal(digits int) (rune, bool) {
	if len(p.text)-p.at < digits {
		return 0, false
	}
	code, err := strconv.ParseUint(string(p.text[p.at:p.at+digits]), 16, 31)
	p.at += digits
	return rune(code), err == nil
}

// octal reads up to two more octal digits.
func (p *parser) octal(first rune) (rune, bool) {
	code := first - '0'
	for range 2 {
		if p.ends() || !isOctal(p.text[p.at]) {
			break
		}
		code = code*8 + p.next() - '0'
	}
	return code, code <= 0o377
}

// class reads a set of characters up to its closing bracket.
func (p *parser) class() bool {
	p.sees("^")
	for first := true; ; first = false {
		if p.ends() {
			return false
		}
		if !first && p.sees("]") {
			return true
		}

		low, isSet, ok := p.member()
		if !ok {
			return false
		}

		if !p.sees("-") {
			continue
		}
		if p.sees("]") {
			return true
		}
		if p.ends() {
			return false
		}

		high, highIsSet, ok := p.member()
		if !ok || isSet || highIsSet || high < low {
			return false
		}
	}
}

// member reads one character of a class, or a set such as \d.
func (p *parser) member() (r rune, isSet, ok bool) {
	if r = p.next(); r != '\\' {
		return r, false, true
	}
	if p.ends() {
		return 0, false, false
	}
	switch next := p.text[p.at]; {
	case strings.ContainsRune("dDsSwW", next):
		p.at++
		return 0, true, true
	case next == 'b':
		p.at++
		return '\b', false, true
	}
	r, ok = p.character()
	return r, false, ok
}
