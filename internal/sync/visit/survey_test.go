package visit

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

func TestWire(t *testing.T) {
	t.Parallel()
	converted := wire(source.Object{ID: "1", Name: "S", Attributes: map[string]any{
		"appearance": "no object", "type": "popover",
		"questions": []any{map[string]any{
			"type": "rating", "lower_bound_label": "bad", "extra": map[string]any{"future": json.Number("1")},
			"branching": map[string]any{"type": "response_based", "response_values": map[string]any{"negative": "1", "positive": "end"}},
		}},
	}})
	raw, err := json.Marshal(converted)
	require.NoError(t, err)
	assert.JSONEq(t, `{"id": "1", "name": "S", "type": "popover", "appearance": {}, "questions": [{
		"type": "rating", "lowerBoundLabel": "bad", "future": 1,
		"branching": {"type": "response_based", "responseValues": {"negative": 1, "positive": "end"}}}]}`, string(raw))
}
