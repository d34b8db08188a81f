package snapshot_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
)

// anonymized is the snapshot of a survey with a description, without people.
func anonymized(t *testing.T, description string) string {
	t.Helper()
	appearance, err := json.Marshal(map[string]any{description: description})
	require.NoError(t, err)
	raw, err := json.Marshal(map[string]any{
		"id": "01902021-0000-7000-8000-000000000001", "name": "NPS", "description": description, "appearance": json.RawMessage(appearance),
		"created_at": "2026-11-22T14:00:00.123456+00:00",
	})
	require.NoError(t, err)
	var survey api.Survey
	require.NoError(t, json.Unmarshal(raw, &survey))

	builder := snapshot.Builder{ProjectID: "1", Anonymize: true}
	require.NoError(t, builder.AddSurvey(survey))
	document, err := builder.Document()
	require.NoError(t, err)
	var written bytes.Buffer
	require.NoError(t, document.Write(&written))
	assert.Contains(t, written.String(), "01902021-0000-7000-8000-000000000001")
	assert.Contains(t, written.String(), "2026-11-22T14:00:00.123456+00:00")
	return written.String()
}

// Addresses and phone numbers are in no value and in no key, however they are spelled; the
// text around them stays, and so does a document that has none.
func TestAnonymize(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"Ask john@x.org.":                                         "Ask person-1@example.com.",
		"mailto:john%40x.org?subject=a":                           "mailto:person-1%40example.com?subject=a",
		`Ask "john doe"@x.org now`:                                "Ask person-1@example.com now",
		"JOHN@x.org, john%40x.org, a@b.c":                         "person-2@example.com, person-2%40example.com, person-1@example.com",
		"Call +49 (30) 901820, please":                            "Call +15550000001, please",
		"tel:+4930901820 or +49 30 901820":                        "tel:+15550000001 or +15550000001",
		"tel:555-123-4567":                                        "tel:+15550000001",
		"(415) 555-2671 and 415.555.2671":                         "+15550000001 and +15550000001",
		"030 901820 or 0171/1234567":                              "+15550000002 or +15550000001",
		"+15550000001":                                            "+15550000001",
		"2026-11-22 14:00, 10.0.0.3, 1,000,000, 12345678, v1.2.3": "2026-11-22 14:00, 10.0.0.3, 1,000,000, 12345678, v1.2.3",
		"from 2020 2021, #415, 100 200":                           "from 2020 2021, #415, 100 200",
	} {
		document := anonymized(t, text)
		quoted, err := json.Marshal(want)
		require.NoError(t, err)
		assert.Contains(t, document, `"description": `+string(quoted), text)
		assert.Contains(t, document, string(quoted)+": "+string(quoted), text)
		assert.Equal(t, document, anonymized(t, want), "once more changes nothing: %s", text)
	}
}

// Two spellings of an address as keys stay two keys.
func TestAnonymizeKeepsEveryKey(t *testing.T) {
	t.Parallel()
	var survey api.Survey
	require.NoError(t, json.Unmarshal([]byte(`{"id": "01902021-0000-7000-8000-000000000001", "appearance": {"a@x.org": 1, "A@x.org": 2, "tel:030 123": null}}`), &survey))
	builder := snapshot.Builder{ProjectID: "1", Anonymize: true}
	require.NoError(t, builder.AddSurvey(survey))
	document, err := builder.Document()
	require.NoError(t, err)

	var read struct {
		Appearance map[string]any `json:"appearance"`
	}
	require.NoError(t, json.Unmarshal(document.Surveys[0], &read))
	assert.Len(t, read.Appearance, 3)
	assert.Contains(t, read.Appearance, "person-1@example.com 2")
}
