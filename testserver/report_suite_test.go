package testserver_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The suite in testdata is green but for its report, which fails the run.
func TestReportFailsASuite(t *testing.T) {
	t.Parallel()
	// To vet the suite takes a look at all that it imports.
	out, err := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-count=1", "./testdata/suite").CombinedOutput()
	require.Error(t, err, string(out))
	text := string(out)
	assert.Contains(t, text, "PASS\n1 problem in ", "the tests themselves are green")
	assert.Contains(t, text, "\nanswers cut off: 1\n  surveys_partial_update of survey \"NPS\" (019b0000-0000-7000-8000-000000000001), request 1 of world TestAddQuestion: "+
		"the survey has 42 responses, and these questions have lost their ids: \"Why?\" (why)\n")
	assert.Contains(t, text, "\nFAIL\n")
}

// The report of the process has the servers of tests that are over, and those that run.
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

// Responses that a test adds count as those of people do, and belong to a survey.
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
		assert.NotNil(t, srv.Survey(id)["end_date"], "the limit stops it")

		require.ErrorContains(t, srv.Server.AddResponses(id, -1), "must not be below 0")
		require.Error(t, srv.Server.AddResponses("019b0000-0000-7000-8000-00000000dead", 1))
		assert.Contains(t, srv.Dump(), `"responses":`)
	}
}

// A package has one server, and only while its tests run.
func TestWorldOfNoServer(t *testing.T) {
	t.Parallel()
	failing := &fatalTest{TestingT: t}
	assert.Nil(t, testserver.WorldOf(failing))
	assert.Contains(t, failing.message, "call testserver.Run in TestMain")
}

// fatalTest keeps the message of a failure instead of ending the test.
type fatalTest struct {
	testserver.TestingT
	message string
}

func (f *fatalTest) Fatalf(format string, args ...any) { f.message = fmt.Sprintf(format, args...) }
