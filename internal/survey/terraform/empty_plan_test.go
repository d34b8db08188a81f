package terraform_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

type object = map[string]any

func with(keys object) object {
	all := object{"name": "Quiet", "type": "popover"}
	maps.Copy(all, keys)
	return all
}

func asking(questions ...any) object { return with(object{"questions": questions}) }

// quietInputs are valid configurations that plan no change after apply and after import.
var quietInputs = map[string]object{
	"minimal":              with(nil),
	"description empty":    with(object{"description": ""}),
	"description":          with(object{"description": "What it is for"}),
	"archived":             with(object{"archived": true}),
	"defaults spelled out": with(object{"archived": false, "description": "", "deletion_policy": "delete"}),
	"draft":                with(object{"status": "draft"}),
	"running":              with(object{"status": "running"}),
	"completed":            with(object{"status": "completed"}),
	"date":                 with(object{"start_date": "2026-01-01T10:00:00Z"}),
	"date with offset":     with(object{"start_date": "2026-01-01T10:00:00+02:00"}),
	"date with fraction":   with(object{"start_date": "2026-01-01T10:00:00.000Z"}),
	"date, microseconds":   with(object{"start_date": "2026-01-01T10:00:00.123456Z"}),
	"date without seconds": with(object{"start_date": "2026-01-01T10:00Z"}),
	"date without offset":  with(object{"start_date": "2026-01-01T10:00:00"}),
	"dates and status":     with(object{"start_date": "2026-01-01T10:00:00Z", "end_date": "2026-02-01T10:00:00Z", "status": "completed"}),
	"linked flag":          with(object{"linked_flag_id": 1}),
	"linked flag variant":  with(object{"linked_flag_id": 1, "conditions": `{"linkedFlagVariant":"any"}`}),
	"targeting flag":       with(object{"targeting_flag_id": 1}),
	"targeting filters":    with(object{"targeting_flag_filters": `{"groups":[{"properties":[{"key":"a","type":"person","value":"b","operator":"exact"}],"rollout_percentage":50}]}`}),
	"filters, pretty":      with(object{"targeting_flag_filters": "{\n  \"groups\": [ {\"rollout_percentage\": 50.0, \"properties\": [{\"value\":\"b\",\"key\":\"a\",\"type\":\"person\"}]} ]\n}"}),
	"filters, normalized":  with(object{"targeting_flag_filters": otherFilters}),
	"conditions":           with(object{"conditions": `{"url":"/a","urlMatchType":"exact"}`}),
	"conditions, pretty":   with(object{"conditions": "{\n  \"urlMatchType\" : \"exact\",\n  \"url\" : \"/a\"\n}\n"}),
	"conditions empty":     with(object{"conditions": `{}`}),
	"conditions, HTML":     with(object{"conditions": `{"selector":"a > b[title=\"& <c>\"]"}`}),
	"conditions, nulls":    with(object{"conditions": `{"url":null,"actions":null,"events":null}`}),
	"appearance":           with(object{"appearance": `{"position":"left","zIndex":"1e3","n":1.50}`}),
	"appearance, big":      with(object{"appearance": `{"n":9007199254740993,"f":0.1000}`}),
	"no questions":         with(object{"questions": []any{}}),
	"open":                 asking(object{"type": "open", "question": "Why?"}),
	"question id":          asking(object{"type": "open", "question": "Why?", "id": "mine"}),
	"question, HTML":       asking(object{"type": "open", "question": "<b>Why</b> & <script>how</script>?", "description": "a < b &amp; c"}),
	"question, blanks":     asking(object{"type": "open", "question": " Why? ", "description": ""}),
	"question, unicode":    asking(object{"type": "open", "question": "Warum \u2028 \U0001F600 e\u0301?"}),
	"rating":               asking(object{"type": "rating", "question": "How?", "scale": 10, "display": "number", "lower_bound_label": "no"}),
	"choices":              asking(object{"type": "multiple_choice", "question": "Which?", "choices": []any{"a", "b"}, "shuffle_options": false, "has_open_choice": true}),
	"branching":            asking(object{"type": "rating", "question": "How?", "scale": 5, "branching": object{"type": "response_based", "response_values": object{"negative": "1", "positive": "end"}}}, object{"type": "open", "question": "Why?"}),
	"branching, no keys":   asking(object{"type": "rating", "question": "How?", "branching": object{"type": "response_based", "response_values": object{}}}),
	"HTML of every sort": with(object{
		"questions": []any{
			object{"type": "open", "question": "plain <b>bold</b>"},
			object{"type": "open", "question": "<a href=\"https://example.com\">link</a>", "description": "<script>alert(0)</script>after"},
			object{"type": "open", "question": "<i>unclosed", "description": "Q&A <br> more & more"},
			object{"type": "open", "question": "<!-- comment -->text", "description": "<unknown>kept</unknown>"},
			object{"type": "open", "question": "a < b & c > d", "description": "&amp; &lt;b&gt;"},
			object{"type": "open", "question": "<p style=\"color:red\" onclick=\"x()\">styled</p>"},
			object{"type": "single_choice", "question": "<h2>Which?</h2>", "choices": []any{"<b>a</b>", "b & <i>c</i>"}, "button_text": "<u>Go</u>"},
			object{"type": "rating", "question": "How?", "scale": 5, "lower_bound_label": "<b>no", "upper_bound_label": "yes<style>b{}</style>"},
		},
		"appearance": `{"displayThankYouMessage":true,"thankYouMessageHeader":"<b>Thanks</b> & <script>bye</script>","thankYouMessageDescription":"<a href='https://example.com'>more"}`,
	}),
	"extra":              asking(object{"type": "open", "question": "Why?", "extra": `{ "originalQuestionIndex" : 0, "since": null }`}),
	"validation":         asking(object{"type": "open", "question": "Why?", "validation": []any{object{"type": "min_length", "value": 3}, object{"type": "email"}}}),
	"languages, spelled": with(object{"base_language": "pt_BR", "translations": `{"zh-Hant":{"name":"F"},"DE":{"name":"<b>G</b><script>x</script>"}}`}),
	"language empty":     with(object{"base_language": ""}),
	"translations, dropped": with(object{
		"translations": `{"de":{"name":"F"},"fr":{}}`,
		"questions":    []any{object{"type": "open", "question": "Why?", "translations": `{"pt-BR":{"question":"P","link":""},"fr":{}}`}},
	}),
	"question translations": asking(object{"type": "open", "question": "Why?", "translations": `{"de": {"question": "Warum?"}}`}),
	"limits":                with(object{"responses_limit": 0, "iteration_count": 0, "iteration_frequency_days": 0}),
	"recurring":             with(object{"start_date": "2026-01-01T10:00:00Z", "iteration_count": 3, "iteration_frequency_days": 7}),
	"hosted only":           with(object{"schedule": "always", "base_language": "de", "enable_partial_responses": true, "translations": `{"fr":{"thankYouMessageHeader":"Merci"}}`}),
	"hosted sampling":       with(object{"response_sampling_start_date": "2036-01-01T00:00:00Z", "response_sampling_interval": 1, "response_sampling_limit": 10}),
}

// PostHog stores otherFilters in another form.
const otherFilters = `{"aggregation_group_type_index":0,"groups":[{"properties":[{"key":"a","type":"group","group_type_index":0,"value":"5","operator":"min"}]}],"payloads":{"true":{"a":[1]}},"super_groups":[]}`

// written are configurations of fields that the API document declares writable, but that PostHog always computes. They
// plan no change in only one profile.
var written = map[string]object{
	"iterations": with(object{"iteration_start_dates": []any{"2026-01-01T10:00:00+02:00"}, "current_iteration": 1, "current_iteration_start_date": "2026-01-01T10:00:00+02:00"}),
}

// writeOnly are the attributes that the documented profile accepts and never returns.
var writeOnly = []string{
	"schedule", "base_language", "enable_partial_responses", "translations",
	"response_sampling_start_date", "response_sampling_interval", "response_sampling_limit",
}

func TestQuietAfterApplyAndImport(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		inputs := maps.Clone(quietInputs)
		if profile == testserver.Documented {
			maps.Copy(inputs, written)
		}
		for name, config := range inputs {
			t.Run(string(profile)+"/"+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile))
				survey := env.Resource(t, "posthog_survey")
				applied := survey.Apply(config)
				require.Empty(t, applied.Errors().Text())
				assertQuiet(t, survey, config, "after apply")
				require.Empty(t, survey.Refresh().Text())
				assertQuiet(t, survey, config, "after refresh")

				returned := maps.Clone(config)
				if profile == testserver.Documented {
					maps.DeleteFunc(returned, func(key string, _ any) bool { return slices.Contains(writeOnly, key) })
				}
				if len(returned) == len(config) {
					assert.NotContains(t, applied.Text(), "does not know")
				}
				imported := env.Resource(t, "posthog_survey")
				id, _ := survey.State("id").(string)
				require.Empty(t, imported.Import("1/"+id).Text())
				assertQuiet(t, imported, returned, "after import")
			})
		}
	}
}

func assertQuiet(t *testing.T, survey *acctest.Resource, config object, when string) {
	t.Helper()
	plan := survey.Plan(config)
	require.False(t, plan.Diagnostics.HasError(), plan.Diagnostics.Text())
	if !survey.IsEmpty(plan) {
		for name := range plan.Attributes(t) {
			assert.Equal(t, survey.State(name), plan.Attribute(t, name), "%s: %s", when, name)
		}
		assert.Fail(t, "the plan is not empty "+when)
	}
}

// Removing attributes from the configuration keeps those that must not be reset, and clears the rest.
func TestSilentConfiguration(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	applied := survey.Apply(with(object{"start_date": "2026-01-01T10:00:00Z", "description": "text", "archived": true, "responses_limit": 5}))
	require.False(t, applied.HasError(), applied.Text())
	plan := survey.Plan(with(nil))
	assert.Equal(t, "2026-01-01T10:00:00Z", plan.Attribute(t, "start_date"))
	assert.Equal(t, "running", plan.Attribute(t, "status"))
	assert.Empty(t, plan.Attribute(t, "description"))
	assert.Equal(t, false, plan.Attribute(t, "archived"))
	assert.Nil(t, plan.Attribute(t, "responses_limit"))
}

// After an edit to one word, all computed attributes stay known.
func TestOneWordEdit(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	config := asking(object{"type": "open", "question": "Why?"})
	require.False(t, survey.Apply(config).HasError())
	config["description"] = "another word"
	plan := survey.Plan(config)
	for name, planned := range plan.Attributes(t) {
		if name != "description" {
			assert.Equal(t, survey.State(name), planned, name)
		}
		assert.NotEqual(t, tftypes.UnknownValue, planned, name)
	}
}

// An empty extra sends nothing, so PostHog keeps the undocumented keys.
func TestExtraWithoutKeys(t *testing.T) {
	t.Parallel()

	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile))
		o := env.Resource(t, "posthog_survey")
		config := map[string]any{"name": "S", "type": "popover", "questions": []any{
			map[string]any{"type": "open", "question": "Why?", "extra": "{}"},
		}}
		require.Empty(t, o.Apply(config).Text())
		require.True(t, o.IsEmpty(o.Plan(config)))
	}
}
