package terraform_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// An imported survey's flag values are accepted, even if the plan changes something else.
func TestTargetingThatIsThereIsKept(t *testing.T) {
	t.Parallel()
	for name, odd := range map[string]string{
		"operators": `{"groups":[{"properties":[{"key":"a","type":"person","operator":"sounds_like","value":"b"},{"key":"b","type":"person","operator":"gt","value":5}]}]}`,
		"variants":  `{"groups":[{"rollout_percentage":5,"variant":"gone"}],"multivariate":{"variants":[{"key":"a","rollout_percentage":50}]},"payloads":{"b":"x"}}`,
		"empty":     `{"groups":[]}`,
	} {
		for _, profile := range profiles {
			survey := imported(t, profile, `{"targeting_flag":{"id":9,"key":"survey-targeting-abcdef0123","filters":`+odd+`}}`)
			config := spelledOut(survey)
			config["description"] = "another"
			require.Empty(t, survey.Plan(config).Diagnostics.Errors().Text(), "%s, %s", name, profile)
		}
	}
}

const tomorrow = "2026-01-03T00:00:00Z" // by the provider's clock

// These are behaviors that changed in PostHog during 2026, by the number of each change.
func TestChecksOfTheServiceAsItIs(t *testing.T) {
	t.Parallel()

	assertHeard(t, map[string]hearing{
		"C2 once":                fault("schedule", `is "once"`).of(with(object{"schedule": "once", "iteration_count": 3, "iteration_frequency_days": 7})),
		"C2 always":              fault("schedule", `is "always"`).of(with(object{"schedule": "always", "iteration_count": 3, "iteration_frequency_days": 7})),
		"C2 recurring":           silence.of(with(object{"schedule": "recurring", "iteration_count": 3, "iteration_frequency_days": 7})),
		"C2 once, switched off":  silence.of(with(object{"schedule": "once", "iteration_count": 0})),
		"C6 start alone":         fault("response_sampling_limit", "Use 0 to turn off sampling").of(with(object{"response_sampling_start_date": tomorrow})),
		"C6 start and interval":  fault("response_sampling_limit", "must be set").of(with(object{"response_sampling_start_date": tomorrow, "response_sampling_interval": 1})),
		"C6 no interval":         fault("response_sampling_interval", "must be set").of(with(object{"response_sampling_start_date": tomorrow, "response_sampling_limit": 5})),
		"C6 limit of 0":          silence.of(with(object{"response_sampling_start_date": tomorrow, "response_sampling_limit": 0})),
		"C28 open bracket":       fault("questions[0].link", "bracket").asked(linked("https://[::1/x")),
		"C28 brackets":           silence.asked(linked("https://[::1]/x")),
		"C32 cancel events":      silence.of(external(object{"conditions": `{"cancelEvents":{"values":[{"name":"e"}]}}`})),
		"C52 tab":                fault("appearance.tabPosition", "top, left, right, bottom").of(looks(`{"tabPosition":"center"}`)),
		"C52 intro":              fault("appearance.displayIntroScreen", "true or false").of(looks(`{"displayIntroScreen":"yes"}`)),
		"C52 intro format":       fault("appearance.introScreenDescriptionContentType", "text, html").of(looks(`{"introScreenDescriptionContentType":"md"}`)),
		"C52 intro, misspelt":    suspicion("appearance.introScreenHeadr", "introScreenHeader?").of(looks(`{"introScreenHeadr":"Hello"}`)),
		"C52 buttons":            fault("appearance.hideCancelButton", "true or false").of(looks(`{"hideCancelButton":1}`)),
		"C52 cancelling event":   fault("conditions.cancelEvents.values[0].name", "identified by name").of(when(`{"cancelEvents":{"values":[{}]}}`)),
		"C52 cancelling, a list": fault("conditions.cancelEvents", "must be an object").of(when(`{"cancelEvents":["e"]}`)),
		"C52 event operator":     suspicion("conditions.events.values[0].propertyFilters.p.operator", "Known values: gt, lt").of(when(`{"events":{"values":[{"name":"e","propertyFilters":{"p":{"values":["1"],"operator":"between"}}}]}}`)),
		"C31 description":        silence.of(with(object{"translations": `{"de":{"description":"Wozu"}}`})),
		"C31 dropped":            suspicion("translations.de.introScreenHeader", "drops").of(with(object{"translations": `{"de":{"introScreenHeader":"Hallo","thankYouMessageHeader":"Danke"}}`})),
		"C31 far from any key":   suspicion("translations.de.text", "drops it. It stores name, description").of(with(object{"translations": `{"de":{"text":"X"}}`})),
		"C31 far, of a question": suspicion("questions[0].translations.de.text", "drops it. It stores question, description").asked(open(object{"translations": `{"de":{"text":"X","question":"Warum?"}}`})),
		"C31 choices":            fault("questions[0].translations.de.choices", "has 1 items").asked(single(object{"translations": `{"de":{"choices":["x"]}}`})),
	})
}

// PostHog ignores whitespace before a scheme, and stores it.
func TestC28BlanksInFrontOfALink(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	assert.Empty(t, survey.Plan(asking(linked(" \n https://example.com"))).Diagnostics.Text())
}

// Iterations make a survey recurring. Without them, it is shown once.
func TestC2IterationsDecideTheSchedule(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	repeated := posed(object{"iteration_count": 3, "iteration_frequency_days": 7})
	require.Empty(t, survey.Apply(repeated).Text())
	assert.Equal(t, "recurring", only(t, env)["schedule"])

	require.Empty(t, survey.Refresh().Text())
	assert.True(t, survey.IsEmpty(survey.Plan(repeated)))
	assert.True(t, survey.IsEmpty(survey.Plan(posed(object{"iteration_count": 3, "iteration_frequency_days": 7, "schedule": "recurring"}))))

	require.Empty(t, survey.Apply(posed(object{})).Text())
	assert.Equal(t, "once", only(t, env)["schedule"])
}

// A change that needs approval first is not an error in the configuration.
func TestC11ChangeThatAwaitsApproval(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"approval_required", "change_request_pending"} {
		env := acctest.Start(t)
		env.SetFaults(testserver.Fault{Operation: "surveys_create", Status: http.StatusConflict, Body: object{
			"type": "invalid_request", "code": code, "detail": "This change requires approval.", "attr": nil,
		}})
		errs := env.Resource(t, "posthog_survey").Apply(posed(object{})).Errors()
		require.Len(t, errs, 1, errs.Text())
		assert.Contains(t, errs.Text(), "change request approved in PostHog", code)
		assert.Equal(t, 1, env.Operations()["surveys_create"], "the request must not be repeated")
	}
}
