package visit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

func TestImageOrigins(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"http://c.example:81", "http://d.example", "https://a.example", "https://b.example"}, imageOrigins(map[string]any{
		"appearance": map[string]any{"thankYouMessageDescription": `<img src="https://A.example/x.png?y">`},
		"questions": []any{map[string]any{
			"question": "<img src=https://text.example>", "description": `<b style="background: url( 'https://b.example/x' )">b</b><img src="/own.png"><img src="ftp://f.example/x">`,
			"translations": map[string]any{"de": map[string]any{"description": "<img src=http://c.example:81/x><img src='//d.example/x'><a href='https://link.example'>"}},
		}},
	}))
}

// No text gets anything but origins into the policy.
func TestPolicyOfAnyText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := property.Text("<img src='https://a.example", "'>", "; script-src *", " https://b.example", "https://[::1]:80/", "\u202e", "%3b", "@").Draw(t, "text")
		origins := imageOrigins(map[string]any{"description": text + "'>"})
		for _, origin := range origins {
			assert.Regexp(t, `^https?://[A-Za-z0-9.-]+(:\d+)?$`, origin)
		}
		assert.Equal(t, strings.Count(policy(nil), ";"), strings.Count(policy(origins), ";"))
	})
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
