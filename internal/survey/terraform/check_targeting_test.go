package terraform_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// property is a group of filters that compares one property.
func property(keys string) object { return filters(`{"properties":[{` + keys + `}]}`) }

// compared is a property of people that is compared by an operator.
func compared(operator, value string) object {
	return property(fmt.Sprintf(`"key":"a","type":"person","operator":%q,"value":%s`, operator, value))
}

// raw are filters as a whole.
func raw(text string) object { return with(object{"targeting_flag_filters": text}) }

const (
	// some is a group that does not match everyone.
	some  = `"groups":[{"rollout_percentage":5}]`
	atTop = "targeting_flag_filters"
	atOne = atTop + ".groups[0].properties[0]"
)

// filterRules are the rules of the service for the filters of a flag, by its numbers.
// T6 is about regular expressions, T11 and T16 about what only the service knows.
var filterRules = map[string]hearing{
	"T1 none":                 fault(atTop, "has no groups").of(raw(`{"payloads":{}}`)),
	"T1 empty":                fault(atTop+".groups", "is empty").of(raw(`{"groups":[]}`)),
	"T2 top":                  fault(atTop+".aggregation_group_type_index", "must be a number").of(raw(`{"aggregation_group_type_index":"0",` + some + `}`)),
	"T2 group":                fault(atTop+".groups[0].aggregation_group_type_index", "whole number").of(filters(`{"rollout_percentage":5,"aggregation_group_type_index":0.5}`)),
	"T2 property":             fault(atOne+".group_type_index", "must be a number").of(property(`"key":"a","type":"person","value":"b","group_type_index":true`)),
	"T3 early exit":           fault(atTop+".early_exit", "true or false").of(raw(`{"early_exit":1,` + some + `}`)),
	"T4 variant":              fault(atTop+".groups[0].variant", "must be a text").of(filters(`{"rollout_percentage":5,"variant":1}`)),
	"T5 text":                 fault(atTop+".groups[0].rollout_percentage", "must be a number").of(filters(`{"rollout_percentage":"5"}`)),
	"T5 negative":             fault(atTop+".groups[0].rollout_percentage", "0 or more").of(filters(`{"rollout_percentage":-1}`)),
	"T5 much":                 fault(atTop+".groups[0].rollout_percentage", "0 to 100").of(filters(`{"rollout_percentage":100.5}`)),
	"T6 regex":                fault(atOne+".value", "missing closing").of(compared("not_regex", `"(a"`)),
	"T7 no percentage":        fault(atTop+".multivariate.variants[0].rollout_percentage", "must be set").of(raw(`{"multivariate":{"variants":[{"key":"a"}]},` + some + `}`)),
	"T7 text":                 fault(atTop+".multivariate.variants[0].rollout_percentage", "must be a number").of(raw(`{"multivariate":{"variants":[{"key":"a","rollout_percentage":"100"}]},` + some + `}`)),
	"T8 event":                fault(atOne+".type", "person, cohort, flag").of(property(`"key":"a","type":"event","value":"b"`)),
	"T8 none":                 fault(atOne+".type", "must be set").of(property(`"key":"a","value":"b"`)),
	"T9 flag":                 fault(atOne+".operator", "flag_evaluates_to").of(property(`"key":"3","type":"flag","value":true,"operator":"exact"`)),
	"T10 person":              fault(atOne+".type", "only properties of type group").of(raw(`{"aggregation_group_type_index":0,"groups":[{"properties":[{"key":"a","type":"person","value":"b"}]}]}`)),
	"T10 other":               fault(atOne+".group_type_index", "must be 0").of(raw(`{"aggregation_group_type_index":0,"groups":[{"properties":[{"key":"a","type":"group","group_type_index":1,"value":"b"}]}]}`)),
	"T11 key":                 fault(atOne+".key", "by its id").of(property(`"key":"beta","type":"flag","value":true,"operator":"flag_evaluates_to"`)),
	"T12 sum":                 fault(atTop+".multivariate.variants", "add up to 90").of(raw(`{"multivariate":{"variants":[{"key":"a","rollout_percentage":50},{"key":"b","rollout_percentage":40}]},` + some + `}`)),
	"T13 variant":             fault(atTop+".groups[0].variant", "does not define").of(filters(`{"rollout_percentage":5,"variant":"a"}`)),
	"T14 operator":            fault(atOne+".operator", "not an operator of feature flags").of(compared("contains", `"b"`)),
	"T15 operator":            fault(atOne+".operator", "cannot compare with").of(compared("between", `["1","2"]`)),
	"T17 date":                fault(atOne+".value", "must be a date").of(compared("is_date_after", `"yesterday"`)),
	"T17 number":              fault(atOne+".value", "must be a date").of(compared("is_date_before", `14`)),
	"T18 number":              fault(atOne+".value", "numbers too").of(compared("gte", `21`)),
	"T18 list":                fault(atOne+".value", "one string").of(compared("icontains", `["a"]`)),
	"T19 in":                  fault(atOne+".operator", "type cohort").of(compared("in", `["a"]`)),
	"T20 number":              fault(atOne+".value", "version in quotes").of(compared("semver_gt", `1`)),
	"T20 word":                fault(atOne+".value", "such as 1.2.3").of(compared("semver_eq", `"latest"`)),
	"T20 wildcard":            fault(atOne+".value", "such as 1.2.3").of(compared("semver_lt", `"1.*"`)),
	"T21 text":                fault(atOne+".value", "wants a list").of(compared("icontains_multi", `"a"`)),
	"T22 list":                fault(atTop+".payloads", "must be an object").of(raw(`{"payloads":[],` + some + `}`)),
	"T22 null":                fault(atTop+".payloads", "is null").of(raw(`{"payloads":null,` + some + `}`)),
	"T22 text":                fault(atTop+".payloads.true", "quotes of its own").of(raw(`{"payloads":{"true":"hello"},` + some + `}`)),
	"T23 boolean":             fault(atTop+".payloads.a", "Payloads can be for: true").of(raw(`{"payloads":{"a":"1"},` + some + `}`)),
	"T23 variants":            fault(atTop+".payloads.true", "Payloads can be for: a").of(raw(`{"multivariate":{"variants":[{"key":"a","rollout_percentage":100}]},"payloads":{"true":"1"},` + some + `}`)),
	"T24 size":                fault(atTop, "524288 at most").of(raw(`{"x":"` + strings.Repeat("x", 512*1024) + `",` + some + `}`)),
	"no key":                  fault(atOne+".key", "must be set").of(property(`"type":"person","value":"b"`)),
	"no value":                fault(atOne+".value", "must be set").of(property(`"key":"a","type":"person","operator":"exact"`)),
	"reserved":                fault(atTop+".version", "reserved").of(raw(`{"version":2,` + some + `}`)),
	"same variant twice":      fault(atTop+".multivariate.variants[1].key", "variants[0]").of(raw(`{"multivariate":{"variants":[{"key":"a","rollout_percentage":50},{"key":"a","rollout_percentage":50}]},` + some + `}`)),
	"variant without a key":   fault(atTop+".multivariate.variants[0].key", "must be set").of(raw(`{"multivariate":{"variants":[{"rollout_percentage":100}]},` + some + `}`)),
	"variants, no list":       fault(atTop+".multivariate.variants", "must be a list").of(raw(`{"multivariate":{"variants":{}},` + some + `}`)),
	"group, no object":        fault(atTop+".groups[0]", "must be an object").of(raw(`{"groups":["everyone"]}`)),
	"lists where numbers are": fault(atOne+".group_type_index", "must be a number").of(raw(`{"aggregation_group_type_index":[0],"groups":[{"properties":[{"key":"a","type":"group","group_type_index":[1],"value":"b"}]}]}`)),

	"set":              silence.of(property(`"key":"a","type":"person","operator":"is_set"`)),
	"no operator":      silence.of(property(`"key":"a","type":"person","value":["b","c"]`)),
	"relative date":    silence.of(compared("is_date_after", `"-14d"`)),
	"absolute date":    silence.of(compared("is_date_exact", `"2026-01-31"`)),
	"version":          silence.of(compared("semver_caret", `"1.2.3-beta.1"`)),
	"version wildcard": silence.of(compared("semver_wildcard", `"1.2.*"`)),
	"several":          silence.of(compared("not_icontains_multi", `["a","b"]`)),
	"thirds":           silence.of(raw(`{"multivariate":{"variants":[{"key":"a","rollout_percentage":33.3333333},{"key":"b","rollout_percentage":33.3333333},{"key":"c","rollout_percentage":33.3333334}]},` + some + `}`)),
	"payload":          silence.of(raw(`{"payloads":{"true":"{\"a\":1}"},` + some + `}`)),
}

func TestTargetingRules(t *testing.T) {
	t.Parallel()
	assertHeard(t, filterRules)
}

// Every rule but T16, about cohorts that only the service knows, has a row.
func TestTargetingRulesAreComplete(t *testing.T) {
	t.Parallel()
	for rule := 1; rule <= 24; rule++ {
		found := false
		for name := range filterRules {
			found = found || strings.HasPrefix(name, fmt.Sprintf("T%d ", rule))
		}
		assert.Equal(t, rule != 16, found, "T%d", rule)
	}
}

// What the flag of an imported survey holds is accepted, beside a change too.
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

const tomorrow = "2026-01-03T00:00:00Z" // of the provider's clock

// What the service has made of surveys in the course of 2026, by the lines of its
// changes.
func TestChecksOfTheServiceAsItIs(t *testing.T) {
	t.Parallel()

	assertHeard(t, map[string]hearing{
		"C2 once":                fault("schedule", `is "once"`).of(with(object{"schedule": "once", "iteration_count": 3, "iteration_frequency_days": 7})),
		"C2 always":              fault("schedule", `is "always"`).of(with(object{"schedule": "always", "iteration_count": 3, "iteration_frequency_days": 7})),
		"C2 recurring":           silence.of(with(object{"schedule": "recurring", "iteration_count": 3, "iteration_frequency_days": 7})),
		"C2 once, switched off":  silence.of(with(object{"schedule": "once", "iteration_count": 0})),
		"C6 start alone":         fault("response_sampling_limit", "0 samples nothing").of(with(object{"response_sampling_start_date": tomorrow})),
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
		"C52 cancelling event":   fault("conditions.cancelEvents.values[0].name", "known by its name").of(when(`{"cancelEvents":{"values":[{}]}}`)),
		"C52 cancelling, a list": fault("conditions.cancelEvents", "must be an object").of(when(`{"cancelEvents":["e"]}`)),
		"C52 event operator":     suspicion("conditions.events.values[0].propertyFilters.p.operator", "Known values: gt, lt").of(when(`{"events":{"values":[{"name":"e","propertyFilters":{"p":{"values":["1"],"operator":"between"}}}]}}`)),
		"C31 description":        silence.of(with(object{"translations": `{"de":{"description":"Wozu"}}`})),
		"C31 dropped":            suspicion("translations.de.introScreenHeader", "drops").of(with(object{"translations": `{"de":{"introScreenHeader":"Hallo","thankYouMessageHeader":"Danke"}}`})),
		"C31 far from any key":   suspicion("translations.de.text", "drops it. It keeps name, description").of(with(object{"translations": `{"de":{"text":"X"}}`})),
		"C31 far, of a question": suspicion("questions[0].translations.de.text", "drops it. It keeps question, description").asked(open(object{"translations": `{"de":{"text":"X","question":"Warum?"}}`})),
		"C31 choices":            fault("questions[0].translations.de.choices", "has a length of 1").asked(single(object{"translations": `{"de":{"choices":["x"]}}`})),
	})
}

// The service skips blanks in front of a scheme, and keeps them.
func TestC28BlanksInFrontOfALink(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	assert.Empty(t, survey.Plan(asking(linked(" \n https://example.com"))).Diagnostics.Text())
}

// Iterations make a survey recurring, and without them it is shown once again.
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

// A change that has to be approved first is no mistake in the configuration.
func TestC11ChangeThatAwaitsApproval(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"approval_required", "change_request_pending"} {
		env := acctest.Start(t)
		env.SetFaults(testserver.Fault{Operation: "surveys_create", Status: http.StatusConflict, Body: object{
			"type": "invalid_request", "code": code, "detail": "This change requires approval.", "attr": nil,
		}})
		errs := env.Resource(t, "posthog_survey").Apply(posed(object{})).Errors()
		require.Len(t, errs, 1, errs.Text())
		assert.Contains(t, errs.Text(), "change request approved in the web interface", code)
		assert.Equal(t, 1, env.Operations()["surveys_create"], "it is not sent again")
	}
}
