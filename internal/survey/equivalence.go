package survey

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// The hosted service normalizes some values. After an apply the provider remembers the
// normalized form; after an import it cannot, so the simpler rules are implemented here: a
// configuration that the service would normalize to the stored value plans no change.

// SameTrimmed ignores surrounding white space: the service trims names and descriptions.
func SameTrimmed(stored, configured string) bool {
	return strings.TrimSpace(stored) == strings.TrimSpace(configured)
}

// SameLanguage ignores case and the separator: the service stores language codes in lower
// case with hyphens, and its default for an empty one.
func SameLanguage(stored, configured string) bool {
	return cmp.Or(CanonicalLanguage(stored), defaultLanguage) == cmp.Or(CanonicalLanguage(configured), defaultLanguage)
}

// cleaner removes from HTML what the service removes: scripts and styles with their
// content, comments, and every tag that is not in a list of text tags.
var cleaner = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("a", "abbr", "acronym", "area", "article", "aside", "b", "bdi", "bdo", "blockquote", "br",
		"caption", "center", "cite", "code", "col", "colgroup", "data", "dd", "del", "details", "dfn", "div", "dl", "dt",
		"em", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "i", "img",
		"ins", "kbd", "li", "map", "mark", "nav", "ol", "p", "pre", "q", "rp", "rt", "rtc", "ruby", "s", "samp", "small",
		"span", "strike", "strong", "sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "time", "tr", "tt",
		"u", "ul", "var", "wbr")
	p.AllowNoAttrs().OnElements("a", "img", "span")
	p.AllowAttrs("style", "lang", "title", "width", "height").Globally()
	p.AllowAttrs("href", "hreflang", "target").OnElements("a")
	p.AllowAttrs("src", "alt", "align").OnElements("img")
	p.AllowStandardURLs()
	return p
})

// SameMarkup compares texts after cleaning, since the service cleans HTML.
func SameMarkup(stored, configured string) bool { return sameMarkup(stored, configured, cleaned) }

func sameMarkup(stored, configured string, cleaned func(string) string) bool {
	if stored == configured || !strings.Contains(configured, "<") {
		return stored == configured
	}
	return cleaned(stored) == cleaned(configured)
}

// cleaned is a text after cleaning, in a canonical form: every tag closed, entities and
// quotes as one library writes them. It drops the rel that the service adds to links.
func cleaned(text string) string {
	nodes, err := html.ParseFragment(strings.NewReader(cleaner().Sanitize(text)), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return text
	}
	var b strings.Builder
	for _, node := range nodes {
		if html.Render(&b, node) != nil {
			return text
		}
	}
	return b.String()
}

// SameJSONMarkup compares JSON semantically, and its strings like SameMarkup.
func SameJSONMarkup(stored, configured string) bool {
	// Terraform's jsonencode writes < as an escape.
	hasMarkup := strings.Contains(configured, "<") || strings.Contains(configured, `\u003c`)
	return attribute.EquivalentJSON(stored, configured) ||
		hasMarkup && attribute.EquivalentJSON(cleanedJSON(stored), cleanedJSON(configured))
}

func cleanedJSON(text string) string {
	v, err := jsonvalue.Decode(text)
	if err != nil {
		return text
	}

	raw, err := json.Marshal(cleanedValue(v))
	if err != nil {
		return text
	}
	return string(raw)
}

func cleanedValue(v any) any {
	switch v := v.(type) {
	case string:
		return cleaned(v)
	case []any:
		for i := range v {
			v[i] = cleanedValue(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = cleanedValue(v[key])
		}
	}
	return v
}

// SameConditions compares conditions: linked actions are stored by id and returned in full.
func SameConditions(stored, configured string) bool {
	return attribute.EquivalentJSON(stored, configured) || attribute.EquivalentJSON(ActionIDs(stored), ActionIDs(configured))
}

// ActionIDs reduces the actions of conditions to their ids.
func ActionIDs(text string) string {
	var conditions map[string]json.RawMessage
	var actions struct {
		Values []struct {
			ID json.Number `json:"id"`
		} `json:"values"`
	}
	if json.Unmarshal([]byte(text), &conditions) != nil || json.Unmarshal(conditions["actions"], &actions) != nil {
		return text
	}

	conditions["actions"], _ = json.Marshal(actions) // numbers always encode
	return attribute.RawObject(conditions).ValueString()
}

// isSameMarkup reports whether the service normalizes a configured text, or list of texts, to a
// stored one.
func isSameMarkup(stored, configured attr.Value) bool {
	switch configured := configured.(type) {
	case types.String:
		text, ok := stored.(types.String)
		return ok && attribute.IsKnown(configured) && !text.IsNull() && SameMarkup(text.ValueString(), configured.ValueString())
	case types.List:
		list, ok := stored.(types.List)
		return ok && attribute.IsKnown(configured) && slices.EqualFunc(list.Elements(), configured.Elements(), isSameMarkup)
	}
	return false
}
