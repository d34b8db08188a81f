package keys

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Every format contains the public page of an external survey, and no page for others. The URL comes from the state,
// or from PostHog for a live survey.
func TestPublicPage(t *testing.T) {
	t.Parallel()
	object := func(typ, service string, more map[string]any) source.Object {
		attributes := map[string]any{"type": typ, "questions": []any{map[string]any{"id": "q", "type": "open", "question": "Why?"}}}
		maps.Copy(attributes, more)
		return source.Object{Kind: source.Survey, ID: "s", ParentID: "7", Name: "NPS", Service: service, Attributes: attributes}
	}
	live := object("external_survey", "https://eu.posthog.com/", nil)
	state := object("external_survey", "", map[string]any{"public_url": "https://eu.posthog.com/external_surveys/s"})

	for format, want := range map[Format]string{
		TypeScript: `publicUrl: "https://eu.posthog.com/external_surveys/s"`, JSON: `"public_url": "https://eu.posthog.com/external_surveys/s"`,
		Environment: "NPS_PUBLIC_URL=https://eu.posthog.com/external_surveys/s", Markdown: "| Public page | `https://eu.posthog.com/external_surveys/s` |",
	} {
		for _, one := range []source.Object{live, state} {
			assert.Contains(t, render(t, read(t, []source.Object{one}, nil), format), want)
		}
		assert.NotContains(t, render(t, read(t, []source.Object{object("popover", "https://eu.posthog.com", nil)}, nil), format), "external_surveys", format)
	}
	assert.Contains(t, render(t, read(t, []source.Object{live}, nil), JSON), `"url": "https://eu.posthog.com/project/7/surveys/s"`)
}
