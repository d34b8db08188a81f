package check_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

// eachKey visits the keys of a table, and the keys in them.
func eachKey(table []check.Key, visit func(check.Key)) {
	for _, key := range table {
		visit(key)
		eachKey(key.Keys, visit)
		if key.Items != nil {
			eachKey(key.Items.Keys, visit)
		}
	}
}

// The checks accept exactly what the documentation and the schema describe.
func TestTablesOfKeys(t *testing.T) {
	t.Parallel()
	for _, attribute := range check.JSONAttributes() {
		eachKey(check.AttributeKeys(attribute), func(key check.Key) {
			assert.NotEmpty(t, key.Name, attribute)
			assert.NotEmpty(t, key.Form, "%s: %s", attribute, key.Name)
			assert.True(t, key.Meaning == "" || key.Meaning[len(key.Meaning)-1] == '.', "%s: the description of %s must be a sentence", attribute, key.Name)
		})
	}
	for attribute, expected := range map[string]map[string]any{
		"conditions": {"urlMatchType": map[string]any{
			"type": "string", "description": "How to compare `url`. Defaults to `icontains`, which ignores case.", "enum": []string{"regex", "not_regex", "exact", "is_not", "icontains", "not_icontains"},
		}},
		"appearance":             {"whiteLabel": map[string]any{"type": "boolean", "description": "Whether the survey hides the PostHog logo. Requires a paid plan."}},
		"targeting_flag_filters": {"early_exit": map[string]any{"type": "boolean", "description": "Whether the first matching group decides, even for persons outside of its percentage."}},
	} {
		properties, ok := check.JSONSchema(attribute)["properties"].(map[string]any)
		require.True(t, ok)
		assert.Len(t, properties, len(check.AttributeKeys(attribute)))
		for name, want := range expected {
			assert.Equal(t, want, properties[name], name)
		}
	}

	items := func(schema any) any { return schema.(map[string]any)["items"] }   //nolint:forcetypeassert,errcheck // of lists alone
	conditions := check.JSONSchema("conditions")["properties"].(map[string]any) //nolint:forcetypeassert,errcheck // tested above
	assert.Equal(t, map[string]any{"type": "string", "enum": []string{"Desktop", "Mobile", "Tablet"}}, items(conditions["deviceTypes"]))
	assert.Equal(t, map[string]any{"type": "object"}, check.JSONSchema("questions.extra"))
	assert.Equal(t, map[string]any{"type": "object"}, check.JSONSchema("form_content"))
	assert.Contains(t, check.JSONSchema("translations")["additionalProperties"].(map[string]any)["properties"], "thankYouMessageHeader") //nolint:forcetypeassert,errcheck // a map of objects
	assert.Contains(t, check.JSONSchema("questions.translations")["additionalProperties"].(map[string]any)["properties"], "choices")     //nolint:forcetypeassert,errcheck // a map of objects
}
