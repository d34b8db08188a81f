package api_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// The functions find only defaults of secret fields, in both forms of a config_schema.
func TestWithoutSecretDefaults(t *testing.T) {
	t.Parallel()

	for schema, want := range map[string]struct {
		without string
		keys    []string
	}{
		`[{"key":"pw","secret":true,"default":"S"},{"key":"url","default":"x"},{"markdown":"# A"},1,null]`: {`[{"key":"pw","secret":true},{"key":"url","default":"x"},{"markdown":"# A"},1,null]`, []string{"pw"}},
		`{"pw":{"secret":true,"default":{"a":1}},"b":{"secret":false,"default":"y"},"c":2}`:                {`{"pw":{"secret":true},"b":{"secret":false,"default":"y"},"c":2}`, []string{"pw"}},
		`[{"key":"pw","secret":true,"default":""},{"key":"b","secret":true,"default":null}]`:               {`[{"key":"pw","secret":true,"default":""},{"key":"b","secret":true,"default":null}]`, nil},
		`"text"`: {`"text"`, nil},
		`null`:   {`null`, nil},
	} {
		var decoded any
		require.NoError(t, json.Unmarshal([]byte(schema), &decoded))
		assert.Equal(t, want.keys, api.WithoutSecretDefaults(decoded), schema)
		text, err := json.Marshal(decoded)
		require.NoError(t, err)
		assert.JSONEq(t, want.without, string(text))
	}
}
