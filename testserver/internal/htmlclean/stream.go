package htmlclean

import (
	"strings"

	"golang.org/x/net/html"
)

// cleanStream cleans a text tag by tag, of any depth. Elements nest as they are
// written: what a browser would move, out of a table for one, stays where it is.
func cleanStream(text string) string {
	s := stream{count: map[string]int{}}
	tokens := html.NewTokenizer(strings.NewReader(text))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		switch kind {
		case html.TextToken:
			s.text(tokens.Token().Data)
		case html.StartTagToken, html.SelfClosingTagToken:
			s.start(tokens.Token(), kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			s.end(tokens.Token().Data)
		default:
			// Comments and doctypes go.
		}
	}
	for len(s.open) > 0 {
		s.pop()
	}
	return s.b.String()
}

// stream is a text that is being cleaned.
type stream struct {
	b strings.Builder
	// open are the tags that are written and not closed, count how many of each.
	open  []string
	count map[string]int
	// dropped is the element whose contents go, empty for none; depth is how many of its
	// kind are open in each other.
	dropped string
	depth   int
}

func (s *stream) text(data string) {
	if s.dropped == "" {
		_, _ = textEscapes.WriteString(&s.b, data)
	}
}

func (s *stream) start(token html.Token, selfClosing bool) {
	tag := token.Data
	if s.dropped == "svg" || s.dropped == "math" {
		if !breaksOut[tag] {
			if tag == s.dropped && !selfClosing {
				s.depth++
			}
			return
		}
		// Such a tag ends what is not HTML, as a browser has it.
		s.dropped, s.depth = "", 0
	}

	foreign := tag == "svg" || tag == "math"
	switch {
	case s.dropped != "", foreign && selfClosing:
	case foreign, tag == "script", tag == "style":
		s.dropped, s.depth = tag, 1
	case allowedTags[tag]:
		s.closeImplied(tag)
		writeStart(&s.b, tag, token.Attr)
		if !voidTags[tag] {
			s.open = append(s.open, tag)
			s.count[tag]++
		}
	}
}

func (s *stream) end(tag string) {
	switch {
	case s.dropped != "":
		if tag == s.dropped {
			s.depth--
		}
		if s.depth == 0 {
			s.dropped = ""
		}
	case s.count[tag] > 0:
		s.popUntil(tag)
	case tag == "br":
		writeStart(&s.b, "br", nil)
	case tag == "p":
		writeStart(&s.b, "p", nil)
		writeEnd(&s.b, "p")
	}
}

// closeImplied closes the element that a new one ends where it is the innermost.
func (s *stream) closeImplied(tag string) {
	if len(s.open) == 0 {
		return
	}
	inner := s.open[len(s.open)-1]
	if inner == tag && endsItself[tag] || inner == "p" && endsParagraph[tag] ||
		inner == "dt" && tag == "dd" || inner == "dd" && tag == "dt" ||
		inner == "td" && tag == "th" || inner == "th" && tag == "td" {
		s.pop()
	}
}

func (s *stream) popUntil(tag string) {
	for s.open[len(s.open)-1] != tag {
		s.pop()
	}
	s.pop()
}

func (s *stream) pop() {
	tag := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	s.count[tag]--
	writeEnd(&s.b, tag)
}
