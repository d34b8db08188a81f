package testserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// answered is a running survey with responses.
const answered = `{"surveys":[{"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"NPS","type":"popover",
"start_date":"2026-01-01T00:00:00Z","questions":[{"id":"a","type":"open","question":"Why?"},{"id":"b","type":"open","question":"What else?"}]}],
"responses":[{"survey_id":"019b0000-0000-7000-8000-000000000001","count":42,"at":"2026-01-01T12:00:00Z"}]}`

const answeredPath = surveys + "019b0000-0000-7000-8000-000000000001/"

// Both profiles report the questions whose answers a write detached.
func TestReportDetachedAnswers(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		srv := testserver.Start(t, testserver.Options{Profile: profile, Worlds: true, Fixtures: strings.NewReader(answered)})
		c := call(t, srv).with("Authorization", "Bearer phx_test_suite")
		// Other texts, another order, and new questions detach no answers.
		c.patch(answeredPath, `{"name":"Renamed"}`).is(http.StatusOK)
		c.patch(answeredPath, `{"questions":[{"id":"b","type":"open","question":"And?"},{"id":"a","type":"open","question":"Why?"},{"type":"open","question":"New?"}]}`).is(http.StatusOK)
		assert.Empty(t, srv.Server.Report().DetachedAnswers)
		// A refused write changes nothing.
		c.patch(answeredPath, `{"questions":[],"type":"nothing"}`).is(http.StatusBadRequest)
		assert.Empty(t, srv.Server.Report().DetachedAnswers)

		c.patch(answeredPath, `{"questions":[{"id":"a","type":"open","question":"Why?"},{"type":"open","question":"And?"}]}`).is(http.StatusOK)
		cuts := srv.Server.Report().DetachedAnswers
		require.Len(t, cuts, 1, profile)
		assert.Equal(t, "suite", cuts[0].World)
		assert.Equal(t, int64(4), cuts[0].Sequence)
		assert.Equal(t, "Renamed", cuts[0].SurveyName)
		assert.Equal(t, int64(42), cuts[0].Responses)
		assert.Contains(t, cuts[0].Questions, testserver.CutQuestion{ID: "b", Text: "And?"})

		// A survey without responses has no answers to detach.
		path := c.newSurvey(`{"name":"New","type":"api","questions":[{"id":"a","type":"open","question":"Why?"}]}`)
		c.patch(path, `{"questions":[]}`).is(http.StatusOK)
		assert.Len(t, srv.Server.Report().DetachedAnswers, 1)

		// Problems of a dropped world remain in the report.
		assert.True(t, srv.Server.DropWorld("suite"))
		assert.Len(t, srv.Server.Report().DetachedAnswers, 1)
		assert.Positive(t, srv.Server.Report().Requests)
	}
}

func TestReportUndocumentedFields(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	for range 2 {
		c.post(surveys, `{"name":"S","type":"api","colour":"red","questions":[{"type":"open"},
			{"id":"x","type":"open","tone":1,"branching":{"type":"end","to":[{"deep":1}]},"a.b":1}],"appearance":{"anything":1},"":1}`)
	}
	c.patch(apps+"1/", `{"nam\u0065":"x","Name":"y"}`).is(http.StatusNotFound)

	var sent []string
	for _, field := range srv.Server.Report().UndocumentedFields {
		sent = append(sent, field.String())
	}
	assert.Equal(t, []string{
		`surveys_create: "", sent by 2 requests, first by request 1`, `surveys_create: colour, sent by 2 requests, first by request 1`, `surveys_create: questions[]."a.b", sent by 2 requests, first by request 1`,
		`surveys_create: questions[].branching.to, sent by 2 requests, first by request 1`, `surveys_create: questions[].tone, sent by 2 requests, first by request 1`,
	}, sent)
}

// A strict server refuses undocumented fields, and stores nothing.
func TestStrict(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		srv := testserver.Start(t, testserver.Options{Profile: profile, Strict: true})
		c := call(t, srv)
		detail := "The document does not contain this field, and the server was started with -strict."
		c.post(surveys, `{"name":"S","type":"api","questions":[{"type":"open","question":"?"},{"type":"open","question":"?","tone":1}]}`).
			fails(http.StatusBadRequest, "unknown_field", "questions[1].tone", detail)
		c.post(surveys, `{"name":"S","type":"api","colour":"red"}`).fails(http.StatusBadRequest, "unknown_field", "colour", detail)
		c.post(apps, `{"name":"S","plugin_type":"source","colour":"red"}`).fails(http.StatusBadRequest, "unknown_field", "colour", detail)
		// A client must not send a response back unchanged.
		readOnly := "This field is read-only: the document contains it only in responses, and the server was started with -strict."
		c.post(surveys, `{"name":"S","type":"api","created_at":"2026-01-01T00:00:00Z"}`).fails(http.StatusBadRequest, "unknown_field", "created_at", readOnly)
		assert.Empty(t, srv.Surveys("1"))
		report := srv.Server.Report()
		require.Len(t, report.UndocumentedFields, 4)
		assert.Contains(t, report.String(), "surveys_create: created_at, sent by 1 request, first by request 4; the document contains it only in responses: it is read-only\n")

		c.newSurvey(`{"name":"S","type":"api","appearance":{"anything":1},"questions":[{"id":"q","type":"open","question":"?"}]}`)
	}
}

func TestReportUnusedFaults(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).undocumentedAnswers()
	srv.SetFaults(
		testserver.Fault{Operation: "surveys_list", Status: 503}, testserver.Fault{Operation: "surveys_create", Status: 500, From: 3},
		testserver.Fault{Operation: "surveys_destroy", Status: 500},
	)
	c.get(surveys).is(http.StatusServiceUnavailable)
	c.newSurvey(`{"name":"S","type":"api"}`)
	srv.SetFaults(testserver.Fault{Status: 502})

	var unused []string
	for _, fault := range srv.Server.Report().UnusedFaults {
		unused = append(unused, fault.String())
	}
	assert.Equal(t, []string{
		`{"operation":"surveys_create","from":3,"status":500}: 1 request of this kind`,
		`{"operation":"surveys_destroy","status":500}: no requests of this kind`,
		`{"status":502}: no requests of this kind`,
	}, unused)
}

func TestReportFormats(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(answered), Worlds: true})
	c := call(t, srv)
	c.patch(answeredPath, `{"questions":[],"colour":"<red>"}`).is(http.StatusOK)
	c.get(answeredPath).is(http.StatusOK)
	srv.SetFaults(testserver.Fault{Operation: "surveys_list", Status: 503})
	c.with("Authorization", "Bearer phx_test_other").get(surveys).is(http.StatusOK)

	text := c.get(control + "report").is(http.StatusOK)
	assert.Equal(t, "text/plain; charset=utf-8", text.header.Get("Content-Type"))
	assert.Equal(t, text.body, c.get(control+"report?format=text").body)
	want := []string{
		"\nundocumented fields: 1\n  surveys_partial_update: colour, sent by 1 request, first by request 1\n",
		"\nfaults that never took effect: 1\n  {\"operation\":\"surveys_list\",\"status\":503}: no requests of this kind\n",
		"\ndetached answers: 1\n  surveys_partial_update of survey \"NPS\" (019b0000-0000-7000-8000-000000000001), request 1: the survey has 42 responses, " +
			"and these questions lost their IDs: \"Why?\" (a), \"What else?\" (b)\n",
	}
	for _, part := range want {
		assert.Contains(t, text.body, part)
	}
	assert.True(t, strings.HasPrefix(text.body, "3 problems in 3 requests\n\ndetached answers: 1\n"), text.body)

	report, err := json.Marshal(srv.Server.Report())
	require.NoError(t, err)
	assert.JSONEq(t, string(report), c.get(control+"report?format=json").is(http.StatusOK).body)
	assert.Equal(t, 3, srv.Server.Report().Findings())

	// A world has its own report.
	assert.Contains(t, c.get(control+"report?world=other").body, "no problems in 1 request\n")
	c.get(control+"report?format=pdf").fails(http.StatusBadRequest, "invalid_input", "", `report: unknown format "pdf". Use text or json`)
}

// The report is safe to print in a terminal, whatever clients send.
func TestReportIsPrintable(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).undocumentedAnswers()
	for i, hostile := range []string{"\x1b]0;t\a", "a\rb", "\u009b31m", "\u202etxet", "\x7f", "a\u2028b", "]]><failure/>&\x00\"'"} {
		quoted, err := json.Marshal(hostile)
		require.NoError(t, err)
		c.post(surveys, `{"name":"S `+strconv.Itoa(i)+`","type":"api",`+string(quoted)+`:1}`).is(http.StatusCreated)
		srv.SetFaults(testserver.Fault{Path: "/" + hostile, Status: 500})
	}
	for line := range strings.SplitSeq(strings.TrimSpace(c.get(control+"report").body), "\n") {
		for _, r := range line {
			assert.True(t, unicode.IsPrint(r), "%q", line)
		}
	}
}

// The report lists the surveys that apps received and did not show, including surveys that are deleted at the
// end of a run, and surveys of dropped worlds.
func TestReportOfSurveysNeverShown(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Worlds: true, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	other := srv.CreateSurvey(testserver.Object{"name": "other\x1b", "type": "popover", "start_date": "2026-02-01T00:00:00Z"})["id"].(string)
	assert.Empty(t, srv.Report().NeverShown, "the report must be empty before an app requests surveys")

	c := app(t, srv)
	c.get("/array/phc_test/config").is(http.StatusOK)
	unseen := testserver.NeverShown{SurveyID: shownToApps, SurveyName: "S"}
	assert.Equal(t, []testserver.NeverShown{unseen, {SurveyID: other, SurveyName: "other\x1b"}}, srv.Report().NeverShown)
	c.capture(strings.Replace(ofSurvey("survey shown", "ann", ""), shownToApps, other, 1))
	srv.DeleteSurvey(shownToApps)

	world, err := srv.Server.World("w")
	require.NoError(t, err)
	c.feed("phc_test_w")
	srv.Server.DropWorld("w")
	require.NotNil(t, world)

	report := srv.Report()
	assert.Equal(t, []testserver.NeverShown{unseen, {World: "w", SurveyID: shownToApps, SurveyName: "S"}}, report.NeverShown)
	assert.Contains(t, report.String(), "surveys that apps received and did not show: 2\n  \"S\" ("+shownToApps+")\n  \"S\" ("+shownToApps+") in world w\n")
	assert.Zero(t, report.Findings())
	_, page := getPage(t, srv.URL+"/?tab=report")
	assert.Contains(t, page, "surveys that apps received and did not show")
}

// The journal shows the events in a request.
func TestPageNamesEvents(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	batch := []string{captured("survey shown", "a", "")}
	for i := range 7 {
		batch = append(batch, captured(fmt.Sprintf("e%d<", i/2), "a", ""))
	}
	app(t, srv).capture("[" + strings.Join(append(batch, captured("x", "a", ""), captured("y", "a", "")), ",") + "]")
	_, page := getPage(t, srv.URL)
	assert.Contains(t, page, "sdk_capture: survey shown, e0&lt; (2), e1&lt; (2), e2&lt; (2), e3&lt;, and 2 others")
}

// All tests of the suite in testdata pass, but the report fails the run.
func TestReportFailsASuite(t *testing.T) {
	t.Parallel()
	// go vet would analyze every package that the suite imports, which takes too long.
	out, err := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-count=1", "./testdata/suite").CombinedOutput()
	require.Error(t, err, string(out))
	text := string(out)
	assert.Contains(t, text, "PASS\n1 problem in ", "the tests must pass, and the report must follow")
	assert.Contains(t, text, "\ndetached answers: 1\n  surveys_partial_update of survey \"NPS\" (019b0000-0000-7000-8000-000000000001), request 1 of world TestAddQuestion: "+
		"the survey has 42 responses, and these questions lost their IDs: \"Why?\" (why)\n")
	assert.Contains(t, text, "\nFAIL\n")
}

// The process's report includes the servers of ended and running tests.
func TestReportOfTheProcess(t *testing.T) {
	t.Parallel()
	odd := strings.ToLower(t.Name())
	sent := func() (times int64) {
		for _, field := range testserver.Report().UndocumentedFields {
			if field.Path == odd {
				times = field.Times
			}
		}
		return times
	}
	t.Run("over", func(t *testing.T) {
		call(t, testserver.Start(t)).newSurvey(`{"name":"S","type":"api","` + odd + `":1}`)
	})
	assert.Equal(t, int64(1), sent())
	call(t, testserver.Start(t)).newSurvey(`{"name":"S","type":"api","` + odd + `":1}`)
	assert.Equal(t, int64(2), sent())
}

// Responses that a test adds count like responses from an app, and belong to a survey.
func TestAddResponses(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		srv := testserver.Start(t, testserver.Options{Profile: profile})
		id, _ := srv.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "responses_limit": json.Number("3")})["id"].(string)
		srv.AddResponses(id, 1)
		srv.RunJobs()
		assert.Nil(t, srv.Survey(id)["end_date"])
		srv.AddResponses(id, 2)
		srv.RunJobs()
		assert.NotNil(t, srv.Survey(id)["end_date"], "the response limit must stop the survey")

		require.ErrorContains(t, srv.Server.AddResponses(id, -1), "must not be negative")
		require.Error(t, srv.Server.AddResponses("019b0000-0000-7000-8000-00000000dead", 1))
		assert.Contains(t, srv.Dump(), `"responses":`)
	}
}

// A package has a server only while its tests run.
func TestWorldOfNoServer(t *testing.T) {
	t.Parallel()
	failing := &fatalTest{TestingT: t}
	assert.Nil(t, testserver.WorldOf(failing))
	assert.Contains(t, failing.message, "call testserver.Run in TestMain")
}

// fatalTest records the message of a failure instead of ending the test.
type fatalTest struct {
	testserver.TestingT
	message string
}

func (f *fatalTest) Fatalf(format string, args ...any) { f.message = fmt.Sprintf(format, args...) }
