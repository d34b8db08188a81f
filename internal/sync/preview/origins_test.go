package preview

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/fixedseed"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/hostile"
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
		text := hostile.Text("<img src='https://a.example", "'>", "; script-src *", " https://b.example", "https://[::1]:80/", "\u202e", "%3b", "@").Draw(t, "text")
		origins := imageOrigins(map[string]any{"description": text + "'>"})
		for _, origin := range origins {
			assert.Regexp(t, `^https?://[A-Za-z0-9.-]+(:\d+)?$`, origin)
		}
		assert.Equal(t, strings.Count(policy(nil), ";"), strings.Count(policy(origins), ";"))
	})
}
