package survey

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// PostHog returns linked actions in full. If the configuration contains their IDs, it has no other value than PostHog.
func TestConfiguredActionsAreKept(t *testing.T) {
	t.Parallel()
	stored := nullable.NewNullableWithValue(json.RawMessage(`{"url":"/a","actions":{"values":[{"id":5,"name":"Paid","steps":[{"event":"paid"}]}]}}`))
	for configured, changed := range map[string][]string{
		`{"actions":{"values":[{"id":5}]},"url":"/a"}`:              nil,
		`{"actions":{"values":[{"id":5,"name":"Old"}]},"url":"/a"}`: nil,
		`{"actions":{"values":[{"id":6}]},"url":"/a"}`:              {"conditions"},
		`{"actions":{"values":[{"id":5}]},"url":"/b"}`:              {"conditions"},
	} {
		response := &attribute.Response{IsWrite: true}
		planned := jsontypes.NewNormalizedValue(configured)
		assert.Equal(t, planned, conditionsFromAPI(stored, planned, response), configured)
		assert.Equal(t, changed, response.Changed, configured)
	}

	earlier := jsontypes.NewNormalizedValue(`{"url":"/a","actions":{"values":[{"id":5,"name":"Paid","steps":[]}]}}`)
	configured := jsontypes.NewNormalizedValue(`{"url":"/a","actions":{"values":[{"id":5,"name":"Paid"}]}}`)
	assert.Equal(t, configured, conditionsFromAPI(stored, configured, &attribute.Response{}), "a read must keep configured conditions that PostHog returns in another form")
	read := conditionsFromAPI(stored, earlier, &attribute.Response{})
	assert.Contains(t, read.ValueString(), `"steps":[{"event":"paid"}]`, "a read must store a change to the action")
}
