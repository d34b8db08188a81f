package terraform_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// hearing is a configuration with its plan's diagnostic.
type hearing struct {
	config object
	// severity is error, warning, or empty for no diagnostic.
	severity string
	// at is the path of the diagnostic, and says is a part of its text.
	at, says string
}

var silence = hearing{}

func fault(at, says string) hearing      { return hearing{severity: "error", at: at, says: says} }
func suspicion(at, says string) hearing  { return hearing{severity: "warning", at: at, says: says} }
func (h hearing) of(c object) hearing    { h.config = c; return h }
func (h hearing) asked(q ...any) hearing { return h.of(asking(q...)) }

func assertHeard(t *testing.T, hearings map[string]hearing) {
	t.Helper()
	for name, h := range hearings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := acctest.Start(t).Resource(t, "posthog_survey").Plan(h.config)
			errs, warnings := plan.Diagnostics.Errors(), warningsOf(plan.Diagnostics)
			if h.severity != "error" {
				assert.Empty(t, errs.Text())
				errs = warnings
				assertTaken(t, h.config)
			}
			if h.severity == "" {
				assert.Empty(t, plan.Diagnostics.Text())
				return
			}
			assertLocated(t, h.at, errs)
			assert.Contains(t, errs.Text(), h.says)
		})
	}
}

// assertTaken asserts that PostHog accepts a configuration that the plan accepts.
func assertTaken(t *testing.T, config object) {
	t.Helper()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	errs := env.Resource(t, "posthog_survey").Apply(config).Errors()
	assert.Empty(t, errs.Text())
}

func warningsOf(all acctest.Diagnostics) acctest.Diagnostics {
	var warnings acctest.Diagnostics
	for _, one := range all {
		if one.Severity == tfprotov6.DiagnosticSeverityWarning {
			warnings = append(warnings, one)
		}
	}
	return warnings
}

// oddSurveys are surveys that PostHog may contain but would refuse to create. Each is imported and stays unchanged.
var oddSurveys = map[string]string{
	"numbers":        `{"iteration_count":900,"iteration_frequency_days":0,"end_date":"2025-01-01T00:00:00Z","start_date":"2026-01-01T00:00:00Z"}`,
	"type":           `{"type":"full_screen"}`,
	"conditions":     `{"conditions":{"urlMatchType":"fuzzy","deviceTypes":"Desktop","linkedFlagVariant":"gone","seenSurveyWaitPeriodInDays":"30","urls":1}}`,
	"conditions []":  `{"conditions":["url"]}`,
	"appearance":     `{"appearance":{"position":"up","whiteLabel":"no","shuffleQuestions":true,"surveyPopupDelaySeconds":-1,"zIndex":5,"colour":1},"questions":[{"type":"open","question":"Q","id":"q","branching":{"type":"end"}}]}`,
	"external":       `{"type":"external_survey","linked_flag_id":1,"conditions":{"url":"/"},"appearance":{"surveyPopupDelaySeconds":1}}`,
	"kind":           `{"questions":[{"id":"1","type":"nps_grid","question":"","rows":[1]},{"id":"2","type":"open","question":"","scale":5,"choices":["a","a",""],"display":"stars","link":"ftp://x"}]}`,
	"rating":         `{"questions":[{"id":"1","type":"rating","question":"Q","scale":4,"display":"emoji"},{"id":"2","type":"rating","question":"R","isNpsQuestion":true,"scale":12}]}`,
	"choices":        `{"questions":[{"id":"1","type":"single_choice","question":"Q"},{"id":"2","type":"multiple_choice","question":"R","choices":[]},{"id":"3","type":"single_choice","question":"S","choices":["a",1]}]}`,
	"untyped":        `{"questions":[{"id":"1","type":"open","question":7,"description":{},"buttonText":["x"],"validation":"email"}]}`,
	"same id":        `{"questions":[{"id":"1","type":"open","question":"Q"},{"id":"1","type":"open","question":"R"}]}`,
	"branching":      `{"questions":[{"id":"1","type":"open","question":"Q","branching":{"type":"response_based","responseValues":{"a":"b","0":9}}},{"id":"2","type":"single_choice","question":"R","choices":["a","b"],"branching":{"type":"response_based","responseValues":{"2":"next","0":"2","1":7}}},{"id":"3","type":"open","question":"S","branching":{"type":"specific_question"}},{"id":"4","type":"open","question":"T","branching":{"type":"specific_question","index":9}},{"id":"5","type":"open","question":"U","branching":{"type":"end","index":0}},{"id":"6","type":"open","question":"V","branching":{"type":"jump","index":0}}]}`,
	"loop":           `{"questions":[{"id":"1","type":"open","question":"Q","branching":{"type":"specific_question","index":0}},{"id":"2","type":"open","question":"R"}]}`,
	"rules":          `{"questions":[{"id":"1","type":"open","question":"Q","validation":[{"type":"min_length","value":-3},{"type":"max_length"},{"type":"no"}]}]}`,
	"texts":          `{"questions":[{"id":"1","type":"open","question":"Q","translations":["de"]},{"id":"2","type":"open","question":"R","translations":{"english":{"question":1}}}]}`,
	"no group":       `{"targeting_flag":{"id":9,"key":"survey-targeting-abcdef0123","filters":{"payloads":{}}}}`,
	"group":          `{"targeting_flag":{"id":9,"key":"survey-targeting-abcdef0123","filters":{"groups":[{"variant":"gone","properties":[{"type":"event","operator":"regex","value":["("]}]},{}]}}}`,
	"current":        `{"current_iteration":7,"iteration_count":2}`,
	"blank question": `{"questions":[{"id":"1","type":"link","question":"  ","link":"mailto:nobody"}]}`,
}

func TestOddSurveysAreKept(t *testing.T) {
	t.Parallel()
	for _, c := range inProfiles(slices.Sorted(maps.Keys(oddSurveys))) {
		t.Run(string(c.profile)+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			odd := oddSurveys[c.name]
			survey := imported(t, c.profile, odd)
			config := spelledOut(survey)
			validated := survey.Validate(config)
			assert.Empty(t, validated.Errors().Text(), "terraform validate must accept the configuration that an import generates")
			if config["questions"] != nil {
				assert.Empty(t, validated.Text(), "terraform validate must not warn if questions have an id")
			}
			plan := survey.Plan(config)
			assert.Empty(t, plan.Diagnostics.Text(), "the plan must accept values that the survey already has")
			assert.True(t, survey.IsEmpty(plan))

			// Another change in the same plan doesn't make the old value an error, and neither does another position.
			config["description"] = "another"
			if questions, ok := config["questions"].([]any); ok && !strings.Contains(odd, "branching") {
				config["questions"] = slices.Insert(slices.Clone(questions), 0, any(open(object{"question": "New?"})))
			}
			plan = survey.Plan(config)
			assert.Empty(t, plan.Diagnostics.Errors().Text(), "the plan must accept such values even if other attributes change")
		})
	}
}

type inProfile struct {
	profile testserver.Profile
	name    string
}

// inProfiles pairs names with the profiles of the test server.
func inProfiles(names []string) []inProfile {
	var all []inProfile
	for _, profile := range profiles {
		for _, name := range names {
			all = append(all, inProfile{profile, name})
		}
	}
	return all
}

// imported imports a survey that is on the server.
func imported(t *testing.T, profile testserver.Profile, keys string) *acctest.Resource {
	t.Helper()
	const id = "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d"
	survey := map[string]any{"project_id": "1", "id": id, "name": "Odd", "type": "popover"}
	require.NoError(t, json.Unmarshal([]byte(keys), &survey))
	fixtures := object{"surveys": []any{survey}}
	document, err := json.Marshal(fixtures)
	require.NoError(t, err)
	object := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(string(document))).Resource(t, "posthog_survey")
	require.Empty(t, object.Import("1/"+id).Text())
	return object
}

// spelledOut returns a configuration with all values from the state.
func spelledOut(survey *acctest.Resource) object {
	config := object{}
	for _, name := range []string{
		"name", "description", "type", "archived", "linked_flag_id", "targeting_flag_id", "targeting_flag_filters", "questions", "conditions",
		"appearance", "start_date", "end_date", "responses_limit", "iteration_count", "iteration_frequency_days", "iteration_start_dates",
		"current_iteration", "current_iteration_start_date",
	} {
		if value := survey.State(name); value != nil {
			config[name] = value
		}
	}
	return config
}

// An invalid value in the state doesn't make another invalid value of the same attribute acceptable.
func TestOddSurveysAreNotChangedForOthers(t *testing.T) {
	t.Parallel()

	for at, c := range map[string]struct {
		odd    string
		change func(object)
	}{
		"iteration_count":              {`{"iteration_count":900,"iteration_frequency_days":1}`, func(o object) { o["iteration_count"] = 901 }},
		"conditions.urlMatchType":      {`{"conditions":{"urlMatchType":"fuzzy"}}`, func(o object) { o["conditions"] = `{"urlMatchType":"vague"}` }},
		"questions[0].scale":           {`{"questions":[{"id":"1","type":"rating","question":"Q","scale":4}]}`, func(o object) { questionOf(o, 0)["scale"] = 6 }},
		"questions[0].branching.index": {`{"questions":[{"id":"1","type":"open","question":"Q","branching":{"type":"specific_question","index":8}}]}`, func(o object) { questionOf(o, 0)["branching"].(object)["index"] = 9 }},
		"questions[1].link": {`{"questions":[{"id":"1","type":"link","question":"Q","link":"ftp://x"}]}`, func(o object) {
			o["questions"] = append(o["questions"].([]any), object{"type": "link", "question": "R", "link": "ftp://x"})
		}},
		"targeting_flag_filters.groups": {`{"targeting_flag":{"id":9,"key":"survey-targeting-abcdef0123","filters":{"groups":[{}]}}}`, func(o object) { o["targeting_flag_filters"] = `{"groups":[{"rollout_percentage":5},{}]}` }},
	} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()

			survey := imported(t, testserver.Documented, c.odd)
			config := spelledOut(survey)
			c.change(config)

			errs := survey.Plan(config).Diagnostics.Errors()
			require.NotEmpty(t, errs)
			assert.Contains(t, errs.Text(), at)
		})
	}
}

func questionOf(config object, i int) object { return config["questions"].([]any)[i].(object) }

// Setting another project_id creates a new survey, whose values must be valid.
func TestOddSurveysAreNotMoved(t *testing.T) {
	t.Parallel()
	survey := imported(t, testserver.Documented, `{"questions":[{"id":"1","type":"rating","question":"Q","scale":4}]}`)
	config := spelledOut(survey)
	config["project_id"] = "2"
	assertLocated(t, "questions[0].scale", survey.Plan(config).Diagnostics.Errors())
}

// B4: the plan explains the effect of changing dates or status.
func TestB4RunInWords(t *testing.T) {
	t.Parallel()
	const future, past = "2030-01-01T00:00:00Z", "2025-01-01T00:00:00Z"
	for name, c := range map[string]struct {
		before, change object
		want           string
	}{
		"future end":         {object{"status": "running"}, object{"end_date": future}, "An end_date in the future stops the survey immediately"},
		"launch":             {nil, object{"status": "running"}, "This plan launches the survey"},
		"stop":               {object{"status": "running"}, object{"status": "completed"}, ""},
		"draft again":        {object{"status": "running"}, object{"status": "draft"}, "This plan makes the survey a draft again"},
		"out of the archive": {object{"status": "running", "archived": true}, object{"status": "running", "archived": false}, "This plan shows the survey again"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			survey := acctest.Start(t).Resource(t, "posthog_survey")
			require.Empty(t, survey.Apply(merged(asking(open(nil)), c.before)).Errors().Text())
			plan := survey.Plan(merged(asking(open(nil)), c.change))
			if c.want == "" {
				assert.Empty(t, plan.Diagnostics.Text())
				return
			}
			assert.Len(t, plan.Diagnostics, 1, plan.Diagnostics.Text())
			assert.Contains(t, plan.Diagnostics.Text(), c.want)

			survey.ApplyPlan(plan)
			assert.Empty(t, survey.Plan(merged(asking(open(nil)), c.change)).Diagnostics.Text(), "a later plan must not repeat the warning")
		})
	}
}

// B4: creating a survey with status "running" launches it.
func TestB4CreateLaunches(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	assert.Contains(t, survey.Plan(with(object{"status": "running"})).Diagnostics.Text(), "changes from draft to running")
}

// B4: a status or a date that is known only after apply may launch the survey.
func TestB4UnknownMayLaunch(t *testing.T) {
	t.Parallel()
	const said = "This plan may launch the survey"
	for _, unknown := range []string{"status", "start_date"} {
		survey := acctest.Start(t).Resource(t, "posthog_survey")
		config := merged(asking(open(nil)), object{unknown: tftypes.UnknownValue})
		assert.Contains(t, survey.Plan(config).Diagnostics.Text(), said, "unknown %s of a new survey", unknown)
		require.Empty(t, survey.Apply(asking(open(nil))).Errors().Text())
		assert.Contains(t, survey.Plan(config).Diagnostics.Text(), said, "unknown %s of a draft", unknown)
		require.Empty(t, survey.Apply(with(object{"status": "running"})).Errors().Text())
		assert.NotContains(t, survey.Plan(config).Diagnostics.Text(), said, "unknown %s of a running survey", unknown)
	}
}

// terraform validate refuses values that PostHog can never store.
func TestValidate(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	for at, config := range map[string]object{
		"questions[1]":                                asking(open(nil), nil),
		"questions[0].choices[1]":                     asking(object{"type": "single_choice", "question": "Q", "choices": []any{"a", nil}}),
		"questions[0].validation[0]":                  asking(open(object{"validation": []any{nil}})),
		`questions[0].branching.response_values["0"]`: asking(object{"type": "single_choice", "question": "Q", "choices": []any{"a", "b"}, "branching": object{"type": "response_based", "response_values": object{"0": nil}}}),
	} {
		assertLocated(t, at, survey.Validate(config).Errors())
	}

	for at, config := range map[string]object{
		"name":                     with(object{"name": ""}),
		"iteration_start_dates[0]": with(object{"iteration_start_dates": []any{"soon"}}),
		"type":                     with(object{"type": "popovr"}),
		"questions[1].type":        asking(open(nil), object{"type": "single", "question": "Q"}),
		"questions[0].extra":       asking(open(object{"extra": `{"buttonText":"Go"}`})),
	} {
		validated := survey.Validate(config)
		assert.Empty(t, validated.Errors().Text())
		assertLocated(t, at, validated)
	}

	for name, config := range quietInputs {
		assert.Empty(t, survey.Validate(config).Text(), name)
	}
}
