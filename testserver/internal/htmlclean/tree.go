package htmlclean

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cleanTree cleans a text as a browser reads it; not ok when the parser gives up.
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

// writeNode writes a node and what is in it, as far as it is allowed. Script, style and
// whatever is not HTML go with their contents.
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
