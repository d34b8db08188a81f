package page

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Filter selects requests of the journal. The zero value selects all.
type Filter struct {
	// Search are words, all of which a request has: in its method, path, operation or bodies.
	// A status as 404 or 4xx and a number as #17 are meant as such.
	Search string
	// Errors selects what failed or had no response, Faults what a rule hit, and Writes what may
	// change something.
	Errors, Faults, Writes bool
}

// Candidate is a request that may be selected.
type Candidate struct {
	Number int64
	Method string
	// Line has the method, the path and the operation.
	Line    func() string
	Status  int
	Waiting bool
	Fault   bool
	// Has reports whether a body contains a text, which is in lower case.
	Has func(text string) bool
}

// reads are the methods that change nothing.
var reads = []string{http.MethodGet, http.MethodHead, http.MethodOptions}

// Matches reports whether the filter selects a request.
func (f Filter) Matches(c Candidate) bool {
	switch {
	case f.Errors && (c.Waiting || c.Status > 0 && c.Status < 400):
		return false
	case f.Faults && !c.Fault:
		return false
	case f.Writes && slices.Contains(reads, c.Method):
		return false
	}

	words := strings.Fields(strings.ToLower(f.Search))
	if len(words) == 0 {
		return true
	}
	line := strings.ToLower(c.Line())
	return !slices.ContainsFunc(words, func(word string) bool { return !c.matchesWord(word, line) })
}

// matchesWord reports whether a request has a word: it, its line, which is in lower case, or one
// of its bodies.
func (c Candidate) matchesWord(word, line string) bool {
	switch {
	case isStatus(word):
		text := strconv.Itoa(c.Status)
		return c.Status != 0 && (word == text || word[1:] == "xx" && word[0] == text[0])
	case strings.HasPrefix(word, "#"):
		if number, err := strconv.ParseInt(word[1:], 10, 64); err == nil {
			return c.Number == number
		}
	}
	return strings.Contains(line, word) || c.Has(word)
}

// isStatus reports whether a word is a status, or a class of them.
func isStatus(word string) bool {
	if len(word) != 3 || word[0] < '1' || word[0] > '5' {
		return false
	}
	_, err := strconv.Atoi(word)
	return err == nil || word[1:] == "xx"
}
