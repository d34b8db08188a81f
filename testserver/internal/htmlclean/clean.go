// Package htmlclean cleans markup in texts as PostHog does: it removes elements that are not allowed,
// closes open elements, and escapes everything that is not markup.
package htmlclean

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxParsedTags is the maximum number of tags in a text that Clean parses as a browser would. The parser fails on
// elements that are nested 512 deep, and takes quadratic time for misnested elements. A text with at most this many
// tags avoids both.
const maxParsedTags = 200

// Clean removes all tags and attributes that are not allowed, and closes all open elements. It returns a text without
// markup unchanged. It takes time linear in the length of the text, however deeply elements are nested.
func Clean(text string) string {
	tags, markup := count(text)
	if !markup {
		return text
	}
	if tags <= maxParsedTags {
		if cleaned, ok := cleanTree(text); ok {
			return cleaned
		}
	}
	return cleanStream(text)
}

// count counts the tags of a text, up to maxParsedTags+1. It also reports whether the text contains
// markup, which is a complete tag, comment, or doctype, or a NUL character.
func count(text string) (tags int, markup bool) {
	if strings.ContainsRune(text, 0) {
		markup = true
	} else if !strings.Contains(text, "<") {
		return 0, false
	}
	tokens := html.NewTokenizer(strings.NewReader(text))
	for tags <= maxParsedTags {
		switch tokens.Next() {
		case html.ErrorToken:
			return tags, markup
		case html.TextToken:
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			tags, markup = tags+1, true
		default:
			markup = true
		}
	}
	return tags, markup
}

var (
	textEscapes      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\u00a0", "&nbsp;", "\x00", "")
	attributeEscapes = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "\u00a0", "&nbsp;")
)

// writeStart writes a start tag with its allowed attributes.
func writeStart(b *strings.Builder, tag string, attributes []html.Attribute) {
	b.WriteByte('<')
	b.WriteString(tag)
	for _, a := range attributes {
		if a.Namespace == "" && allowsAttribute(tag, a.Key, a.Val) {
			b.WriteString(" " + a.Key + `="`)
			_, _ = attributeEscapes.WriteString(b, a.Val)
			b.WriteByte('"')
		}
	}
	if tag == "a" {
		b.WriteString(` rel="noopener"`)
	}
	b.WriteByte('>')
}

func writeEnd(b *strings.Builder, tag string) {
	b.WriteString("</" + tag + ">")
}

// cleanStream cleans a text of any nesting depth, tag by tag. It keeps the nesting as written, although a browser
// would move some elements, such as elements that a table must not contain.
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
			// Remove comments and doctypes.
		}
	}
	for len(s.open) > 0 {
		s.pop()
	}
	return s.b.String()
}

// stream is the state of cleanStream.
type stream struct {
	b strings.Builder
	// open contains the tags that are written but not closed. count is the number of open elements by
	// tag.
	open  []string
	count map[string]int
	// dropped is the tag of the element whose contents are being removed. It is empty if there is none.
	// depth is the number of open elements with this tag.
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
		// As in a browser, such a tag closes svg and math.
		s.dropped, s.depth = "", 0
	}

	foreign := tag == "svg" || tag == "math"
	switch {
	case s.dropped != "", foreign && selfClosing:
	case foreign, tag == "script", tag == "style":
		s.dropped, s.depth = tag, 1
	case allowedTags[tag]:
		s.closeSiblings(tag)
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

// closeSiblings closes the innermost open element if the start tag of the new element implies its end.
func (s *stream) closeSiblings(tag string) {
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

// cleanTree parses a text as a browser would, and cleans it. ok is false if the parser fails.
func cleanTree(text string) (cleaned string, ok bool) {
	context := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(text), context)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	for _, node := range nodes {
		writeNode(&b, node)
	}
	return b.String(), true
}

// writeNode writes a node and its contents, without tags that are not allowed. It omits script, style,
// svg, and math with their contents.
func writeNode(b *strings.Builder, node *html.Node) {
	switch {
	case node.Type == html.TextNode:
		_, _ = textEscapes.WriteString(b, node.Data)
		return
	case node.Type != html.ElementNode, node.Namespace != "", node.Data == "script", node.Data == "style":
		return
	}
	allowed := allowedTags[node.Data]
	if allowed {
		writeStart(b, node.Data, node.Attr)
	}
	for child := range node.ChildNodes() {
		writeNode(b, child)
	}
	if allowed && !voidTags[node.Data] {
		writeEnd(b, node.Data)
	}
}
