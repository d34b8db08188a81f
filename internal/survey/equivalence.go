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

// PostHog normalizes some values. After an apply, the provider remembers the normalized form. After an import, it
// cannot. The simpler rules are therefore implemented here: a configuration that PostHog would normalize to the
// stored value plans no change.

// SameTrimmedText ignores surrounding white space, because PostHog trims names and descriptions.
func SameTrimmedText(stored, configured string) bool {
	return strings.TrimSpace(stored) == strings.TrimSpace(configured)
}

// SameLanguage ignores case and the separator. PostHog stores language codes in lower case with hyphens, and stores
// its default for an empty code.
func SameLanguage(stored, configured string) bool {
	return cmp.Or(CanonicalLanguage(stored), defaultLanguage) == cmp.Or(CanonicalLanguage(configured), defaultLanguage)
}

// SameMarkup compares sanitized texts, because PostHog sanitizes HTML.
func SameMarkup(stored, configured string) bool {
	if stored == configured || !strings.Contains(configured, "<") {
		return stored == configured
	}
	return markup.Clean(stored) == markup.Clean(configured)
}

// SameJSONMarkup compares JSON texts by meaning, and compares the strings in them like SameMarkup.
func SameJSONMarkup(stored, configured string) bool {
	// Terraform's jsonencode escapes <.
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

// SameConditions compares conditions. PostHog stores only the IDs of linked actions, but returns the full actions.
func SameConditions(stored, configured string) bool {
	return attribute.EquivalentJSON(stored, configured) || attribute.EquivalentJSON(ActionIDs(stored), ActionIDs(configured))
}

// includesConditions reports whether conditions that were read agree with the prior ones in everything that the prior
// ones contain. PostHog returns linked actions in full, and a configuration may contain only some of their fields.
func includesConditions(stored, prior string) bool {
	known, read := actionFields(prior), actionFields(stored)
	if len(known) != len(read) {
		return false
	}
	for i := range known {
		for name, value := range known[i] {
			if !attribute.EquivalentJSON(string(value), string(read[i][name])) {
				return false
			}
		}
	}
	return SameConditions(stored, prior)
}

// actionFields returns the fields of the actions in conditions.
func actionFields(text string) []map[string]json.RawMessage {
	var conditions struct {
		Actions struct {
			Values []map[string]json.RawMessage `json:"values"`
		} `json:"actions"`
	}
	if json.Unmarshal([]byte(text), &conditions) != nil {
		return nil
	}
	return conditions.Actions.Values
}

// ActionIDs reduces the actions in conditions to their IDs.
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

	conditions["actions"], _ = json.Marshal(actions) // numbers can always be encoded
	return attribute.RawObject(conditions).ValueString()
}

// isSameMarkup reports whether PostHog normalizes a configured text, or list of texts, to the stored one.
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
