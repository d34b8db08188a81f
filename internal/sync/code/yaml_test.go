package code

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// A text that any version of YAML reads as another type is quoted.
func TestTextsThatLookLikeOtherTypesAreQuoted(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"Yes": `"Yes"`, "no": `"no"`, "ON": `"ON"`, "off": `"off"`, "y": `"y"`, "N": `"N"`, "1:20": `"1:20"`, "-12:30:45.5": `"-12:30:45.5"`,
		"0o17": `"0o17"`, "1_000": `"1_000"`, "2026-01-01": `"2026-01-01"`, "null": `"null"`, "1e3": `"1e3"`, "true": `"true"`, "<<": `"<<"`,
		"Yes!": "Yes!", "Not yet": "Not yet", "yn": "yn", "a:20": "a:20", "1:75": "1:75",
	} {
		text, err := yaml.Marshal(yamlNode(value))
		require.NoError(t, err)
		assert.Equal(t, want+"\n", string(text), "%q", value)
	}
}
