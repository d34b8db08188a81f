package survey

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/markup"
)

// The hosted service normalizes some values. After an apply the provider remembers the
// normalized form; after an import it cannot, so the simpler rules are implemented here: a
// configuration that the service would normalize to the stored value plans no change.

// SameTrimmedText ignores surrounding white space: the service trims names and descriptions.
func SameTrimmedText(stored, configured string) bool {
	return strings.TrimSpace(stored) == strings.TrimSpace(configured)
}

// SameLanguage ignores case and the separator: the service stores language codes in lower
// case with hyphens, and its default for an empty one.
func SameLanguage(stored, configured string) bool {
	return cmp.Or(CanonicalLanguage(stored), defaultLanguage) == cmp.Or(CanonicalLanguage(configured), defaultLanguage)
}

// SameMarkup compares texts after cleaning, since the service cleans HTML.
func SameMarkup(stored, configured string) bool {
	if stored == configured || !strings.Contains(configured, "<") {
		return stored == configured
	}
	return markup.Clean(stored) == markup.Clean(configured)
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
		return markup.Clean(v)
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
