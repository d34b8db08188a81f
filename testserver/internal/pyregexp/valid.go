// Package pyregexp knows the syntax of Python's regular expressions: which texts the
// hosted service can compile. It matches nothing.
package pyregexp

// Valid reports whether a text is a regular expression in the syntax of
// Python's re module, which is what the hosted service compiles. It takes all of that
// syntax: groups of each kind, flags, references, lookbehinds (which need a fixed
// width), conditionals, possessive and lazy repeats, verbose mode. It takes any name
// behind \N, and refuses what is nested deeper than Python itself can read.
func Valid(s string) bool {
	p := &parser{text: []rune(s), names: map[string]int{}, begins: true}
	if endsInBackslash(p.text) {
		return false
	}
	_, ok := p.alternatives(0)
	return ok && p.at == len(p.text) && p.condition <= len(p.groups)
}

// endsInBackslash reports whether the last character is a backslash that escapes
// nothing.
func endsInBackslash(text []rune) bool {
	n := 0
	for n < len(text) && text[len(text)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}
