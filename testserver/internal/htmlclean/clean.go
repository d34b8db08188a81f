package htmlclean

import (
	"strings"

	"golang.org/x/net/html"
)

// maxParsedTags is the number of tags up to which a text is taken apart as a browser
// does. The parser gives up on elements that are nested 512 deep, and takes time that is
// quadratic in misnested ones: with this many tags it reaches neither.
const maxParsedTags = 200

// Clean returns a text with nothing in it but allowed tags and attributes, all of them
// closed. A text without markup is returned as it is, byte for byte. The time is linear
// in the length of the text, whatever the depth of its elements.
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

// count reports whether a text has markup: a tag, comment or doctype that is complete,
// or a NUL character; and how many tags, no further than the greatest number of interest.
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

// writeStart writes a start tag with the attributes that are allowed.
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
