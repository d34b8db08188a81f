package testserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// specification contains the scenarios of PostHog/sdk-specs on surveys
// (openspec/specs/surveys/spec.md and acceptance/private/surveys.feature, August 2026), each with its test
// or the reason why there is no test.
var specification = []struct {
	scenario string
	run      func(t *testing.T, browser *browsertest.Browser)
	without  string
}{
	{"Survey definitions are loaded and cached", specCached, ""},
	{
		"Web-only-conditioned surveys are excluded on non-web SDKs", nil,
		"The SDK decides it: the service, and so the server, gives the same feed to all of them. TestFeed has the conditions that it decides by.",
	},
	{"Eligible survey is shown once per presentation rules", specShownOnce, ""},
	{"Survey response captures a survey sent event", specSent, ""},
	{"Surveys respect opt-out state", specOptedOut, ""},
	{"Intro screen is shown before the first question when enabled", specIntro, ""},
	{"Intro screen is off by default", specWithoutIntro, ""},
	{"Advancing the intro screen records no response and no event", specIntroAdvances, ""},
	{"Intro screen is skipped for a resumed in-progress survey", specIntroResumed, ""},
	{"Dismissing the intro screen emits survey dismissed", specIntroDismissed, ""},
}

func TestSpecificationOfSDKs(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	seen := map[string]bool{}
	for _, row := range specification {
		require.False(t, seen[row.scenario], row.scenario)
		seen[row.scenario] = true
		require.NotEqual(t, row.run == nil, row.without == "", "%s must have a test, or a reason why not", row.scenario)
		if row.run != nil {
			t.Run(row.scenario, func(t *testing.T) {
				t.Parallel()
				row.run(t, browser)
			})
		}
	}
	assert.Len(t, specification, 10)
}

// specSurvey returns a fixture with the scenarios' survey. intro contains the appearance keys of an intro screen, or
// is empty.
func specSurvey(intro string) string {
	return `{"surveys":[{"project_id":1,"id":"` + firstSurvey + `","name":"NPS Survey","type":"popover","start_date":"2025-01-01T00:00:00Z",
		"enable_partial_responses":true,"appearance":{"displayThankYouMessage":true` + intro + `},
		"questions":[{"id":"a","type":"open","question":"A?"},{"id":"b","type":"open","question":"B?","optional":true}]}]}`
}

const withIntro = `,"displayIntroScreen":true,"introScreenHeader":"Welcome","introScreenButtonText":"Start"`

// requestsFor returns the number of requests for an operation.
func requestsFor(srv *testserver.Instance, operation string) int {
	count := 0
	for _, r := range srv.Journal() {
		if r.Operation == operation {
			count++
		}
	}
	return count
}

func specCached(t *testing.T, browser *browsertest.Browser) {
	srv, host := hostingIn(t, browser, specSurvey(""))
	page := host.open(t, appView{Person: "ann"})
	assert.Equal(t, []string{"NPS Survey"}, page.offered())
	before := requestsFor(srv, "sdk_surveys")
	var names []string
	page.Evaluate(t, `new Promise((done) => app.getSurveys((surveys) => done(surveys.map((survey) => survey.name))))`, &names)
	assert.Equal(t, []string{"NPS Survey"}, names)
	assert.Equal(t, before, requestsFor(srv, "sdk_surveys"))
}

func specShownOnce(t *testing.T, browser *browsertest.Browser) {
	srv, host := hostingIn(t, browser, specSurvey(""))
	page := host.open(t, appView{Person: "ann"})
	page.press(".form-cancel")
	srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey dismissed"})
	assert.Empty(t, page.offered())
	page.again(appView{Person: "ann"})
	assert.Empty(t, page.offered())
	assert.Len(t, srv.Events(testserver.EventFilter{Event: "survey shown"}), 1)
}

// The property contains the question's ID. SDKs no longer send the older property for the first question.
func specSent(t *testing.T, browser *browsertest.Browser) {
	srv, host := hostingIn(t, browser, specSurvey(""))
	page := host.open(t, appView{Person: "ann"})
	page.write("textarea", "Great")
	page.submit()
	sent := srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent"})
	assert.Equal(t, firstSurvey, sent.Properties["$survey_id"])
	assert.Equal(t, "Great", sent.Answer("a"))
}

// specOptedOut opens pages whose person has not consented: posthog-js sends nothing, and shows no survey, even if the
// app asks for it.
func specOptedOut(t *testing.T, browser *browsertest.Browser) {
	srv, host := hostingIn(t, browser, specSurvey(""))
	optedOut := appView{Person: "ann", Options: `{"opt_out_capturing_by_default":true,"disable_surveys_automatic_display":true}`}
	page := host.open(t, optedOut)
	page.offered()
	page.leave()
	page.again(optedOut)

	const render = `app.renderSurvey("` + firstSurvey + `", "#inline"), document.querySelector("#inline textarea") !== null`
	assert.Equal(t, []string{"NPS Survey"}, page.offered(), "an app must still receive the survey")
	assert.False(t, page.is(render), "a survey must not be shown to a person who opted out")
	assert.Zero(t, requestsFor(srv, "sdk_capture"))
	assert.Empty(t, srv.Events(testserver.EventFilter{}))

	page.Evaluate(t, `app.opt_in_capturing(), true`, new(bool))
	assert.True(t, page.is(render), "the survey must be shown after the person opted in")
}

func specIntro(t *testing.T, browser *browsertest.Browser) {
	_, host := hostingIn(t, browser, specSurvey(withIntro))
	page := host.open(t, appView{Person: "ann"})
	assert.Equal(t, "Welcome", page.shows(".intro-screen-header"))
	var question bool
	page.Evaluate(t, `inSurvey(".survey-question") !== null`, &question)
	assert.False(t, question)
}

func specWithoutIntro(t *testing.T, browser *browsertest.Browser) {
	_, host := hostingIn(t, browser, specSurvey(""))
	page := host.open(t, appView{Person: "ann"})
	assert.Equal(t, "A?", page.shows(".survey-question"))
	var intro bool
	page.Evaluate(t, `inSurvey(".intro-screen") !== null`, &intro)
	assert.False(t, intro)
}

func specIntroAdvances(t *testing.T, browser *browsertest.Browser) {
	srv, host := hostingIn(t, browser, specSurvey(withIntro))
	page := host.open(t, appView{Person: "ann"})
	page.shows(".intro-screen")
	page.submit()
	assert.Equal(t, "A?", page.shows(".survey-question"))
	// The first event is the answer to the first question, so nothing was sent earlier.
	page.write("textarea", "Great")
	page.submit()
	sent := srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent"})
	assert.Equal(t, "Great", sent.Answer("a"))
	events := srv.Events(testserver.EventFilter{SurveyID: firstSurvey})
	assert.Len(t, events, 2)
	assert.Equal(t, "survey shown", events[0].Event)
	assert.Equal(t, 1, responsesOf(t, srv, firstSurvey))
}

func specIntroResumed(t *testing.T, browser *browsertest.Browser) {
	_, host := hostingIn(t, browser, specSurvey(withIntro))
	page := host.open(t, appView{Person: "ann"})
	page.shows(".intro-screen")
	page.submit()
	page.write("textarea", "Great")
	page.submit()
	page.again(appView{Person: "ann"})
	assert.Equal(t, "B?", page.shows(".survey-question"))
}

func specIntroDismissed(t *testing.T, browser *browsertest.Browser) {
	srv, host := hostingIn(t, browser, specSurvey(withIntro))
	page := host.open(t, appView{Person: "ann"})
	page.shows(".intro-screen")
	page.press(".form-cancel")
	dismissed := srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey dismissed"})
	assert.Equal(t, false, dismissed.Properties["$survey_partially_completed"])
	assert.Zero(t, responsesOf(t, srv, firstSurvey))
}
