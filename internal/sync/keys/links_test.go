package keys

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Every format contains the public page of an external survey, and no public page for other surveys. The URL comes
// from the state, or from PostHog for a live survey.
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

// If an app sets this property when a person answers, PostHog does not show the survey to the person again. A
// recurring survey has one property for each iteration.
func TestPropertyOfPersonWhoAnswered(t *testing.T) {
	t.Parallel()
	survey := func(iterations any) []source.Object {
		attributes := map[string]any{"iteration_count": iterations, "questions": []any{map[string]any{"id": "q", "type": "open", "question": "Why?"}}}
		return []source.Object{{Kind: source.Survey, ID: "s1", Name: "NPS", Attributes: attributes}}
	}

	for format, want := range map[Format][2]string{
		TypeScript:  {`respondedKey: "$survey_responded/s1",`, `respondedKey: (iteration: number) => "$survey_responded/s1/" + iteration,`},
		JSON:        {"\"responded_key\": \"$survey_responded/s1\",\n      \"recurring\": false", "\"responded_key\": \"$survey_responded/s1\",\n      \"recurring\": true"},
		Environment: {"NPS_RESPONDED='$survey_responded/s1'", "NPS_RESPONDED='$survey_responded/s1'"},
		Markdown:    {"| Property of a person who answered | `$survey_responded/s1` |", "`$survey_responded/s1` followed by `/` and the iteration |"},
	} {
		for _, once := range []any{nil, json.Number("0"), 0} {
			assert.Contains(t, render(t, read(t, survey(once), nil), format), want[0])
		}
		for _, recurring := range []any{json.Number("3"), 3.0, int64(3)} {
			assert.Contains(t, render(t, read(t, survey(recurring), nil), format), want[1])
		}
	}
}
