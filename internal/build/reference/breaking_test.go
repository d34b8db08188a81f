package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const schemaBefore = `{"resource_schemas": {"posthog_survey": {"version": 1, "block": {"attributes": {
  "name": {"type": "string", "required": true, "description": "Name."},
  "tags": {"type": ["list", "string"], "optional": true}
}}}}}`

func TestBreakingChanges(t *testing.T) {
	t.Parallel()
	const attributes = "resource_schemas.posthog_survey.block.attributes."

	for name, row := range map[string]struct {
		old, new string
		changes  []string
	}{
		"nothing":              {"", "", nil},
		"another description":  {`"Name."`, `"The name."`, nil},
		"another version":      {`"version": 1`, `"version": 2`, nil},
		"an argument more":     {`"tags":`, `"folder": {"type": "string", "optional": true}, "tags":`, nil},
		"optional from now on": {`"required": true`, `"optional": true`, nil},

		"another type": {`["list", "string"]`, `["set", "string"]`, []string{attributes + `tags.type was ["list","string"] and is ["set","string"]`}},
		"a new name":   {`"tags":`, `"labels":`, []string{attributes + "tags.optional is gone", attributes + "tags.type is gone"}},
		"required from now on": {`"optional": true`, `"required": true`, []string{
			attributes + "tags.optional is gone", attributes + "tags.required is new",
		}},
		"a required argument more": {`"tags":`, `"folder": {"type": "string", "required": true}, "tags":`, []string{attributes + "folder.required is new"}},
		"read-only from now on":    {`"optional": true`, `"computed": true`, []string{attributes + "tags.optional is gone"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changes, err := breakingChanges([]byte(schemaBefore), []byte(strings.Replace(schemaBefore, row.old, row.new, 1)))
			require.NoError(t, err)
			assert.Equal(t, row.changes, changes)
		})
	}

	added := strings.Replace(schemaBefore, `{"posthog_survey"`, `{"posthog_team": {"block": {"attributes": {"name": {"required": true}}}}, "posthog_survey"`, 1)
	changes, err := breakingChanges([]byte(schemaBefore), []byte(added))
	require.NoError(t, err)
	assert.Empty(t, changes, "a new resource may require what it likes")
}

func TestSchemaIsSorted(t *testing.T) {
	t.Parallel()
	sorted, err := indent([]byte(`{"b": "<a>", "a": 1}`))
	require.NoError(t, err)
	assert.Equal(t, "{\n  \"a\": 1,\n  \"b\": \"<a>\"\n}\n", string(sorted))
}
