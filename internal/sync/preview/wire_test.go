package preview

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// Each attribute of a question is shown under its key on the wire.
func TestWireNames(t *testing.T) {
	t.Parallel()
	keys := map[string]bool{}
	for field := range reflect.TypeFor[api.SurveyQuestion]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		keys[name] = true
	}

	questions := surveyschema.Resource().Attributes["questions"].(schema.ListNestedAttribute)
	require.Greater(t, len(questions.NestedObject.Attributes), 15)
	for name := range questions.NestedObject.Attributes {
		if name != "extra" { // its keys are those of the wire
			assert.True(t, keys[wireName(name)], "%s is %s on the wire", name, wireName(name))
		}
	}
}

func TestWire(t *testing.T) {
	t.Parallel()
	converted := wire(side.Object{ID: "1", Name: "S", Attributes: map[string]any{
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

// Without a browser the error names the remedy.
func TestNoBrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := FindBrowser()
	require.ErrorIs(t, err, ErrNoBrowser)
	assert.Contains(t, err.Error(), "install one, or name it with --browser")
}
