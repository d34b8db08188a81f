package review

import (
	"regexp"
	"strings"
)

// mayMeetOnAPage reports whether the URL conditions of two surveys may match the same page. A
// survey without one is on every page.
func mayMeetOnAPage(a, b surveyFacts) bool {
	pageA, pageB := pageOf(a), pageOf(b)
	switch {
	case pageA.isEvery() || pageB.isEvery():
		return true
	case pageA.match == pageB.match && pageA.text == pageB.text:
		return true
	case !pageA.isComparable() || !pageB.isComparable():
		return false
	case pageA.match == "not_icontains" && pageB.match == "not_icontains":
		return true
	case pageA.match == "not_icontains":
		return !pageB.isIn(pageA)
	case pageB.match == "not_icontains":
		return !pageA.isIn(pageB)
	case pageA.match == "exact" && pageB.match == "exact":
		return pageA.text == pageB.text
	case pageA.match == "exact":
		return pageA.isIn(pageB)
	case pageB.match == "exact":
		return pageB.isIn(pageA)
	}
	return mayContainBoth(pageA.text, pageB.text)
}

// page is what the URL condition of a survey asks of the address of a page.
type page struct {
	// text is in lower case, match how it is compared: "icontains" also for a pattern that
	// begins with a text, and empty where there is no condition.
	text, match string
}

// pageOf is what a survey asks of a page.
func pageOf(s surveyFacts) page {
	text, match := urlCondition(s)
	if text == "" {
		return page{}
	}
	switch match {
	case "is_not", "not_regex": // every page but some
		return page{}
	case "regex":
		if literal := literalOf(text); literal != "" {
			text, match = literal, "icontains"
		}
	}
	return page{strings.ToLower(text), match}
}

// literalOf is the text that a pattern begins with; empty when that tells no page from another.
func literalOf(pattern string) string {
	compiled, err := regexp.Compile(strings.TrimPrefix(pattern, "^"))
	if err != nil {
		return "" // a pattern of JavaScript that Go does not know
	}
	literal, _ := compiled.LiteralPrefix()
	if len(literal) <= len("https://") {
		return ""
	}
	return literal
}

// urlCondition is the URL condition of a survey and how it is matched: by icontains unless
// the survey says otherwise, as in the SDKs.
func urlCondition(s surveyFacts) (url, match string) {
	url, _ = condition(s, "url").(string)
	match, _ = condition(s, "urlMatchType").(string)
	if match == "" {
		match = "icontains"
	}
	return url, match
}

func (p page) isEvery() bool { return p.text == "" }

// isComparable reports whether pages can be told from others by their text.
func (p page) isComparable() bool {
	return p.match == "exact" || p.match == "icontains" || p.match == "not_icontains"
}

// isIn reports whether the address of a page has the text of another condition in it.
func (p page) isIn(other page) bool { return strings.Contains(p.text, other.text) }

// mayContainBoth reports whether one address may well contain two texts. Paths, sites and words
// that have nothing in common are taken for parts of a product that are apart.
func mayContainBoth(a, b string) bool {
	return strings.Contains(a, b) || strings.Contains(b, a) || isOfQuery(a) || isOfQuery(b)
}

// isOfQuery reports whether a text is about what stands behind the path of an address.
func isOfQuery(text string) bool { return strings.ContainsAny(text, "?&=#") }
