package htmlclean

import (
	"slices"
	"strings"
)

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

// endsItself are the tags of elements that a second one of the kind ends.
var endsItself = setOf("p li dt dd tr td th tbody thead a")

// endsParagraph are the tags that end a paragraph which is open.
var endsParagraph = setOf("article aside blockquote center details div dl figcaption figure footer h1 h2 h3 h4 h5 h6 " +
	"header hgroup hr nav ol p pre summary table ul li dd dt")

// breaksOut are the tags that end svg and math.
var breaksOut = setOf("b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li " +
	"listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var")

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

// allowsAttribute reports whether an attribute of a tag stays. Only in href and src it
// matters what is in it.
func allowsAttribute(tag, name, value string) bool {
	if !slices.Contains(allowedAttributes["*"], name) && !slices.Contains(allowedAttributes[tag], name) {
		return false
	}
	return name != "href" && name != "src" || allowsAddress(value)
}
