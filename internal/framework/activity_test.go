package framework_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
)

func TestEntries(t *testing.T) {
	t.Parallel()

	entries, err := framework.ActivityEntries(json.RawMessage(`{"total_count": 3, "next": null, "results": [
		{"activity": "updated", "item_id": "s1", "created_at": "2026-11-20T10:00:00Z", "user": {"first_name": "Ada", "email": "ada@example.com"},
		 "detail": {"name": "NPS", "changes": [
			{"type": "Survey", "action": "changed", "field": "name", "before": "NPS!", "after": "NPS"},
			{"type": "Survey", "action": "created", "field": "conditions", "before": null, "after": { "url": 12345678901234567890 }}]}},
		{"activity": "updated", "item_id": 7, "user": {"first_name": "System", "email": null, "is_system": true}, "detail": {"changes": null}},
		{"activity": "created", "unheard_of": [1]}]}`))

	require.NoError(t, err)
	update := framework.ActivityEntry{
		ID: types.StringValue("s1"), Name: types.StringValue("NPS"), Activity: types.StringValue("updated"),
		At: types.StringValue("2026-11-20T10:00:00Z"), User: types.StringValue("ada@example.com"),
	}
	name, conditions := update, update
	name.Field, name.Before, name.After = types.StringValue("name"), types.StringValue(`"NPS!"`), types.StringValue(`"NPS"`)
	conditions.Field, conditions.After = types.StringValue("conditions"), types.StringValue(`{"url":12345678901234567890}`)
	assert.Equal(t, []framework.ActivityEntry{
		name, conditions,
		{ID: types.StringValue("7"), Activity: types.StringValue("updated"), User: types.StringValue("System")},
		{Activity: types.StringValue("created")},
	}, entries)
}

func TestEntriesOfOtherBodies(t *testing.T) {
	t.Parallel()

	for _, body := range []string{"", " ", "null"} {
		none, err := framework.ActivityEntries(json.RawMessage(body))
		require.NoError(t, err)
		assert.Nil(t, none, "the documented response does not have a body, so it has no entries")
	}

	none, err := framework.ActivityEntries(json.RawMessage(`{"results": []}`))
	require.NoError(t, err)
	assert.Equal(t, []framework.ActivityEntry{}, none, "an empty feed must be an empty list")

	_, err = framework.ActivityEntries(json.RawMessage(`{"results": [{"activity": 3}]}`))
	require.EqualError(t, err, "results.activity is a JSON number")

	for _, body := range []string{`{}`, `{"entries": []}`} {
		_, err = framework.ActivityEntries(json.RawMessage(body))
		require.EqualError(t, err, "it does not contain a list of results", body)
	}

	_, err = framework.ActivityEntries(json.RawMessage(`[]`))
	require.EqualError(t, err, "a value in it is a JSON array")

	_, err = framework.ActivityEntries(json.RawMessage(`<html>`))
	require.ErrorContains(t, err, "it is not JSON")
}

// A page reports whether the feed has more entries.
func TestPage(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"results": [], "next": "https://example.com/?page=2"}`: true, `{"results": [], "next": null}`: false, `{"results": [], "next": ""}`: false, `{"results": []}`: false, "": false,
	} {
		_, hasOlder, err := framework.ActivityPage(json.RawMessage(body))
		require.NoError(t, err)
		assert.Equal(t, want, hasOlder, body)
	}
}

// Each of an entry's fields has an attribute with a description.
func TestAttributes(t *testing.T) {
	t.Parallel()

	described := framework.ActivityAttributes()["entries"].(schema.ListNestedAttribute).NestedObject.Attributes
	entry := reflect.TypeFor[framework.ActivityEntry]()
	for field := range entry.Fields() {
		name := field.Tag.Get("tfsdk")
		require.Contains(t, described, name)
		assert.NotEmpty(t, described[name].GetMarkdownDescription(), name)
	}
	assert.Len(t, described, entry.NumField())
}
