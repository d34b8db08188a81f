package testserver

import (
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The hosted service cleans texts that hold markup by taking them apart as a browser
// does and writing down what it allows. A parser of the same standard gives the same
// text; a filter that works on tags alone would neither close what is open nor leave
// quotes as they are.

// cleanText cleans a JSON string.
func cleanText(raw json.RawMessage) json.RawMessage {
	s := unquote(raw)
	if !hasMarkup(s) {
		return raw
	}
	return quote(cleanMarkup(s))
}

// hasMarkup says whether a text has a tag, a comment or a doctype that is complete.
func hasMarkup(s string) bool {
	if !strings.Contains(s, "<") {
		return false
	}
	tokens := html.NewTokenizer(strings.NewReader(s))
	for {
		switch tokens.Next() {
		case html.TextToken:
		case html.ErrorToken:
			return false
		default:
			return true
		}
	}
}

// cleanMarkup writes a text with nothing in it but allowed tags and attributes, all of
// them closed.
func cleanMarkup(s string) string {
	context := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(s), context)
	if err != nil {
		// A reader that is a string does not fail, and markup is never wrong.
		panic("testserver: " + err.Error())
	}
	var b strings.Builder
	for _, node := range nodes {
		writeClean(&b, node)
	}
	return b.String()
}

var (
	textEscapes      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\u00a0", "&nbsp;")
	attributeEscapes = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "\u00a0", "&nbsp;")
)

// writeClean writes a node and what is in it, as far as it is allowed.
func writeClean(b *strings.Builder, node *html.Node) {
	switch {
	case node.Type == html.TextNode:
		b.WriteString(textEscapes.Replace(node.Data))
		return
	case node.Type != html.ElementNode, node.Data == "script", node.Data == "style":
		return
	}
	allowed := node.Namespace == "" && allowedTags[node.Data]
	if allowed {
		b.WriteString("<" + node.Data)
		for _, a := range node.Attr {
			if a.Namespace == "" && allowsAttribute(node.Data, a.Key, a.Val) {
				b.WriteString(" " + a.Key + `="` + attributeEscapes.Replace(a.Val) + `"`)
			}
		}
		if node.Data == "a" {
			b.WriteString(` rel="noopener"`)
		}
		b.WriteString(">")
	}
	for child := range node.ChildNodes() {
		writeClean(b, child)
	}
	if allowed && !voidTags[node.Data] {
		b.WriteString("</" + node.Data + ">")
	}
}

func allowsAttribute(tag, name, value string) bool {
	if !slices.Contains(allowedAttributes["*"], name) && !slices.Contains(allowedAttributes[tag], name) {
		return false
	}
	return !slices.Contains(addressAttributes, name) || allowsAddress(value)
}

// allowsAddress takes relative addresses and those with a known scheme.
func allowsAddress(address string) bool {
	// A browser does not see space and control characters around and breaks inside.
	address = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.TrimFunc(address, func(r rune) bool { return r <= ' ' }))
	scheme := strings.ToLower(strings.TrimSuffix(schemeForm.FindString(address), ":"))
	return scheme == "" || slices.Contains(allowedSchemes, scheme)
}

// addressAttributes hold the address of something.
var addressAttributes = []string{"href", "src", "cite"}

var allowedSchemes = strings.Fields("bitcoin ftp ftps geo http https im irc ircs magnet mailto mms mx news nntp " +
	"openpgp4fpr sip sms smsto ssh tel url webcal wtai xmpp")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// allowedTags are the tags that stay; others go and leave what is in them.
var allowedTags = setOf("a abbr acronym area article aside b bdi bdo blockquote br caption center cite code col colgroup " +
	"data dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li " +
	"map mark nav ol p pre q rp rt rtc ruby s samp small span strike strong sub summary sup table tbody td th thead " +
	"time tr tt u ul var wbr")

// voidTags have nothing in them and are not closed.
var voidTags = setOf("area br col hr img wbr")

// allowedAttributes are the attributes that stay, by tag; * is every tag.
var allowedAttributes = func() map[string][]string {
	allowed := map[string][]string{}
	const column, cell = "align char charoff ", "abbr align axis bgcolor char charoff colspan headers nowrap rowspan scope valign"
	for tags, attributes := range map[string]string{
		"*": "style lang title width height", "a": "href hreflang target", "bdo": "dir", "blockquote q": "cite",
		"col colgroup": column + "span", "del ins": "cite datetime", "hr": "align size", "img": "align alt src",
		"ol": "start type", "table": "align bgcolor border cellpadding cellspacing frame rules summary",
		"tbody thead": column + "valign", "td th": cell, "tr": column + "bgcolor valign",
	} {
		for tag := range strings.FieldsSeq(tags) {
			allowed[tag] = strings.Fields(attributes)
		}
	}
	return allowed
}()
