package visit_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/visit"
)

// start serves surveys until the test ends.
func start(t *testing.T, o visit.Options, objects ...source.Object) *visit.World {
	t.Helper()
	o.Now = time.Now
	world, err := visit.Start(t.Context(), objects, o)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, world.Close()) })
	return world
}

// planned returns a survey from a configuration.
func planned(name, attributes string) source.Object {
	values := map[string]any{}
	if err := jsonvalue.Unmarshal([]byte(attributes), &values); err != nil {
		panic(err) // a mistake in the test
	}
	values["name"] = name
	if values["type"] == nil {
		values["type"] = "popover"
	}
	return source.Object{Kind: source.Survey, Name: name, ParentID: "7", Attributes: values}
}

// reasons maps surveys to the reasons why the world does not offer them.
func reasons(t *testing.T, world *visit.World, who visit.Visit) map[string][]string {
	t.Helper()
	offers, err := world.Offers(who)
	require.NoError(t, err)
	found := map[string][]string{}
	for _, offer := range offers {
		found[offer.Name] = append([]string{}, offer.Reasons...)
	}
	return found
}

// Reasons for not offering surveys to a person, with the wording that all tools use.
const (
	isDraft      = `it is a draft: launch it in PostHog, or with status = "running"`
	isStopped    = `it was stopped at 2020-01-01T00:00:00Z: resume it with status = "running"`
	isArchived   = "it is archived: set archived = false"
	notTargeted  = "the targeting does not choose this person "
	notInCohort  = notTargeted + "(this person is not in cohort 5)"
	notPro       = notTargeted + `("plan" is "free". Required: exact ["pro"])`
	fromNowhere  = notTargeted + `("$initial_referring_domain" is "$direct". Required: exact ["www.example.com"])`
	fromSearch   = notTargeted + `("$initial_referrer" is "https://www.example.com/search". Required: exact ["$direct"])`
	withoutAHost = notTargeted + `("$initial_host" is not set. Required: exact ["own"])`
)

// The world offers surveys of a configuration according to their attributes, whether they were applied or not.
func TestSurveysOfCode(t *testing.T) {
	t.Parallel()
	const question = `"questions": [{"id": "q1", "type": "open", "question": "Why?"}]`
	existing := planned("Existing", `{"status": "running", `+question+`}`)
	existing.ID = "0190d6a4-0000-0000-8000-000000000009"
	world := start(t, visit.Options{},
		existing,
		planned("Draft", `{"status": "draft", `+question+`}`),
		planned("Stopped", `{"status": "completed", `+question+`}`),
		planned("Archived", `{"status": "completed", "archived": true, `+question+`}`),
		planned("Linked", `{"status": "running", "linked_flag_id": 77, "conditions": {"linkedFlagVariant": "b"}, `+question+`}`),
		planned("Dated", `{"start_date": "2026-01-01T00:00:00Z", `+question+`}`),
		planned("Pro", `{"status": "running", `+question+`, "targeting_flag_filters":
			{"groups": [{"properties": [{"key": "plan", "type": "person", "operator": "exact", "value": ["pro"]}], "rollout_percentage": 100}]}}`),
		planned("Cohort", `{"status": "running", `+question+`, "targeting_flag_filters":
			{"groups": [{"properties": [{"key": "id", "type": "cohort", "value": 5}], "rollout_percentage": 100}]}}`),
	)

	assert.Equal(t, map[string][]string{
		"Existing": {}, "Draft": {isDraft}, "Stopped": {isStopped}, "Archived": {isArchived}, "Linked": {}, "Dated": {}, "Pro": {},
		"Cohort": {notInCohort},
	}, reasons(t, world, visit.Visit{DistinctID: "ada", Properties: map[string]any{"plan": "pro"}}))
	free := reasons(t, world, visit.Visit{DistinctID: "bob", Properties: map[string]any{"plan": "free"}})
	assert.Equal(t, []string{notPro}, free["Pro"])

	offers, err := world.Offers(visit.Visit{DistinctID: "ada"})
	require.NoError(t, err)
	for _, offer := range offers {
		assert.Equal(t, offer.Name == "Existing", offer.ID == existing.ID, "apps refer to a survey by its ID in PostHog")
	}
	assert.Contains(t, world.Notes, `Only the ID of feature flag 77 of survey "Linked" is known, so it is treated as on for everyone.`)
	assert.Contains(t, world.Notes, "The members of cohort 5 are unknown, so it is treated as empty.")
	assert.Len(t, world.Notes, 2)
}

// Flags get the same person properties as from posthog-js, even in a trial without a browser.
func TestVisitSaysWhereItBegan(t *testing.T) {
	t.Parallel()
	world := start(t, visit.Options{},
		planned("Domain", `{"status": "running", "questions": [], `+targeting(`"$initial_referring_domain"`, `"www.example.com"`)+`}`),
		planned("Direct", `{"status": "running", "questions": [], `+targeting(`"$initial_referrer"`, `"$direct"`)+`}`),
		planned("Given", `{"status": "running", "questions": [], `+targeting(`"$initial_host"`, `"own"`)+`}`))

	assert.Equal(t, map[string][]string{"Domain": {fromNowhere}, "Direct": {}, "Given": {withoutAHost}},
		reasons(t, world, visit.Visit{DistinctID: "ada", Referrer: "no address"}))
	assert.Equal(t, map[string][]string{"Domain": {}, "Direct": {fromSearch}, "Given": {}}, reasons(t, world, visit.Visit{
		DistinctID: "ada", Referrer: "https://www.example.com/search", URL: "https://app.example.com/", Properties: map[string]any{"$initial_host": "own"},
	}))
}

// If a server listens on all interfaces, a browser can open its URL.
func TestAddressOfAllInterfaces(t *testing.T) {
	t.Parallel()
	world := start(t, visit.Options{Listen: "0.0.0.0:0"}, planned("S", `{"status": "running", "questions": []}`))
	assert.Regexp(t, `^http://localhost:\d+$`, world.URL)
	assert.Equal(t, map[string][]string{"S": {}}, reasons(t, world, visit.Visit{DistinctID: "ada"}))
}

// The world launches drafts on request, and only in this world.
func TestLaunch(t *testing.T) {
	t.Parallel()
	draft := planned("Draft", `{"questions": [{"type": "open", "question": "Why?"}]}`)
	visitor := visit.Visit{DistinctID: "ada"}
	assert.Equal(t, []string{isDraft}, reasons(t, start(t, visit.Options{}, draft), visitor)["Draft"])
	assert.Empty(t, reasons(t, start(t, visit.Options{Launch: true}, draft), visitor)["Draft"])
}

// The world refuses a survey that PostHog would refuse, with PostHog's explanation and the survey's name.
func TestRefusedSurvey(t *testing.T) {
	t.Parallel()
	_, err := visit.Start(t.Context(), []source.Object{planned("Odd", `{"type": "letter", "questions": []}`)}, visit.Options{Now: time.Now})
	require.ErrorContains(t, err, `survey "Odd": PostHog would reject it: `)
	assert.ErrorContains(t, err, `"letter" is not a valid choice`)

	odd := planned("Text", `{"questions": []}`)
	odd.Attributes["responses_limit"] = "many"
	_, err = visit.Start(t.Context(), []source.Object{odd}, visit.Options{Now: time.Now})
	assert.ErrorContains(t, err, `survey "Text": its attributes cannot be converted to a request`)
}

// The error contains the unknown attribute that determines the result.
func TestUnknownAttributes(t *testing.T) {
	t.Parallel()
	object := planned("New", `{"status": "running", "questions": []}`)
	object.Unknown = []string{"id", "schedule", "linked_flag_id"}
	world := start(t, visit.Options{}, object)
	assert.Equal(t, []string{`The linked_flag_id of survey "New" is known only after apply, so it is treated as not set.`}, world.Notes)
}

// A visit is a separate document.
func TestReadVisit(t *testing.T) {
	t.Parallel()
	visitor, err := visit.ReadVisit(strings.NewReader(`{"distinct_id": "ada", "groups": {"company": "acme", "team": {"key": "a", "properties": {"size": 3}}}}`))
	require.NoError(t, err)
	assert.Equal(t, visit.Visit{DistinctID: "ada", Device: "Desktop", Groups: map[string]visit.Group{
		"company": {Key: "acme"}, "team": {Key: "a", Properties: map[string]any{"size": json.Number("3")}},
	}}, visitor)

	for text, problem := range map[string]string{
		`{}`:                          "distinct_id is missing",
		`{"distinct_id": 5}`:          "distinct_id",
		`{"distinct_id": "a", "x":1}`: `the key "x" is not supported`,
		`{"distinct_id": "a"} 5`:      "text after the JSON value",
		`[]`:                          "the JSON has the wrong type: array",
		``:                            "the JSON is empty",
		`{"distinct_id": "a", "groups": {"company": 5}}`:        "groups",
		strings.Repeat("[", 100_000):                            "deep",
		`{"distinct_id": "` + strings.Repeat("a", 1<<20) + `"}`: "larger than 1048576 bytes",
	} {
		_, err := visit.ReadVisit(strings.NewReader(text))
		require.ErrorContains(t, err, problem, "%.60s", text)
	}
}

// A survey without PostHog's logo can be tried, although only paid plans allow it, because many surveys have this
// setting.
func TestWhiteLabel(t *testing.T) {
	t.Parallel()
	world := start(t, visit.Options{Launch: true}, planned("A", `{"questions": [{"type": "open", "question": "Why?"}], "appearance": {"whiteLabel": true}}`))
	assert.Equal(t, map[string][]string{"A": {}}, reasons(t, world, visit.Visit{DistinctID: "ann"}))
}

// posthog-js shows one survey after another during a visit. A wait period hides all surveys after the first.
func TestOffersWaitForOneAnother(t *testing.T) {
	t.Parallel()
	const running = `"status": "running", "questions": [{"type": "open", "question": "Why?"}]`
	world := start(t, visit.Options{},
		planned("A late", `{`+running+`, "appearance": {"surveyPopupDelaySeconds": 5}, "conditions": {"seenSurveyWaitPeriodInDays": 30}}`),
		planned("B first", `{`+running+`, "conditions": {"seenSurveyWaitPeriodInDays": 30}}`),
		planned("C after", `{`+running+`}`),
	)

	assert.Equal(t, map[string][]string{
		"A late":  {`survey "B first" is shown first in this visit, and conditions.seenSurveyWaitPeriodInDays = 30 hides this survey after any other`},
		"B first": {}, "C after": {},
	}, reasons(t, world, visit.Visit{DistinctID: "ada"}))
}

// A survey on which posthog-js throws hides all surveys of the visit.
func TestOffersOfHiddenSurveys(t *testing.T) {
	t.Parallel()
	const running = `"status": "running", "questions": [{"type": "open", "question": "Why?"}]`
	world := start(t, visit.Options{},
		planned("Throws", `{`+running+`, "conditions": {"url": "/a", "urlMatchType": "contains"}}`), planned("Fine", `{`+running+`}`))

	found := reasons(t, world, visit.Visit{DistinctID: "ada", URL: "https://example.com/a"})
	require.NotEmpty(t, found["Throws"])
	require.Len(t, found["Fine"], 1)
	assert.Contains(t, found["Fine"][0], `survey "Throws"`)
}
