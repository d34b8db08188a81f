package jsonvalue_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Only keys at the requested path match. The same names elsewhere don't.
func TestWalk(t *testing.T) {
	t.Parallel()
	const document = `{
		"outputs": {"resources": {"value": "resources", "more": [[], {}, null, 1.50]}},
		"values": {"resources": [{"a": {"resources": [1]}}, {"a": 2.0}], "child": [{"resources": [{"a": 3}]}]}
	}`
	var read []string
	err := jsonvalue.Walk(strings.NewReader(document), func(path string, value *json.Decoder) (bool, error) {
		if !strings.HasPrefix(path, ".values.") || !strings.HasSuffix(path, ".resources[]") {
			return false, nil
		}
		var one map[string]any
		err := value.Decode(&one)
		read = append(read, fmt.Sprintf("%s %v", path, one))
		return true, err
	})
	require.NoError(t, err)
	require.Equal(t, []string{
		".values.resources[] map[a:map[resources:[1]]]", ".values.resources[] map[a:2.0]", ".values.child[].resources[] map[a:3]",
	}, read)

	for _, text := range []string{"", `{"a"`, `{"a": [1`, `{"a": 1]`} {
		err := jsonvalue.Walk(strings.NewReader(text), func(string, *json.Decoder) (bool, error) { return false, nil })
		require.Error(t, err, text)
	}
}
