package survey

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// The hosted service stores some values in another form than they are written in.
// After an apply the provider remembers what became of them; after an import there
// is nothing to remember, so the rules that are simple enough are known here: a
// configuration that the service would store as what it holds plans no change.

// sameTrimmed: outer blanks of names and descriptions are trimmed.
func sameTrimmed(stored, configured string) bool {
	return strings.TrimSpace(stored) == strings.TrimSpace(configured)
}

// sameLanguage: language codes are lower-cased and written with hyphens.
func sameLanguage(stored, configured string) bool {
	return canonicalLanguage(stored) == canonicalLanguage(configured)
}

func canonicalLanguage(code string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(code)), "_", "-")
}

// cleaner takes out of HTML what the service takes out: scripts and styles with
// their content, comments, and every tag outside a list of text-like ones.
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

// sameMarkup: HTML is cleaned. Two texts of which one has markup are the same when
// nothing is left between them after cleaning.
func sameMarkup(stored, configured string) bool {
	if stored == configured || !strings.Contains(configured, "<") {
		return stored == configured
	}
	return cleaned(stored) == cleaned(configured)
}

// cleaned is what is left of a text after cleaning, in one spelling: every tag
// closed, entities and quotes as one library writes them. The rel that the service
// adds to links is not among the attributes that stay.
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

// sameJSONMarkup compares JSON by meaning, its texts as sameMarkup does.
func sameJSONMarkup(stored, configured string) bool {
	// Terraform's jsonencode writes < as an escape.
	hasMarkup := strings.Contains(configured, "<") || strings.Contains(configured, `\u003c`)
	return attribute.EquivalentJSON(stored, configured) ||
		hasMarkup && attribute.EquivalentJSON(cleanedJSON(stored), cleanedJSON(configured))
}

func cleanedJSON(text string) string {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var v any
	if decoder.Decode(&v) != nil {
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

// sameConditions: linked actions are stored by id and returned in full.
func sameConditions(stored, configured string) bool {
	return attribute.EquivalentJSON(stored, configured) || attribute.EquivalentJSON(actionIDs(stored), actionIDs(configured))
}

// actionIDs reduces the actions of conditions to their ids.
func actionIDs(text string) string {
	var conditions map[string]json.RawMessage
	var actions struct {
		Values []struct {
			ID json.Number `json:"id"`
		} `json:"values"`
	}
	if json.Unmarshal([]byte(text), &conditions) != nil || json.Unmarshal(conditions["actions"], &actions) != nil {
		return text
	}

	reduced, err := json.Marshal(actions)
	if err != nil {
		return text
	}

	conditions["actions"] = reduced
	raw, err := json.Marshal(conditions)
	if err != nil {
		return text
	}
	return string(raw)
}

// keepEquivalentMarkup answers a configured text with the prior one that the service makes
// of it; Terraform allows that at the same place only.
func keepEquivalentMarkup(planned *types.String, config, prior types.String) {
	if !config.IsNull() && !config.IsUnknown() && !prior.IsNull() && sameMarkup(prior.ValueString(), config.ValueString()) {
		*planned = prior
	}
}

// keepEquivalentChoices is keepEquivalentMarkup for a list, if all of it means the same.
func keepEquivalentChoices(planned, config, prior types.List) types.List {
	before, now := prior.Elements(), config.Elements()
	if config.IsNull() || config.IsUnknown() || len(before) != len(now) {
		return planned
	}
	for i := range now {
		stored, okStored := before[i].(types.String)
		configured, okConfigured := now[i].(types.String)
		if !okStored || !okConfigured || configured.IsUnknown() || !sameMarkup(stored.ValueString(), configured.ValueString()) {
			return planned
		}
	}
	return prior
}
