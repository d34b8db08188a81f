package testserver_test

import (
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
	out, err := exec.CommandContext(t.Context(), "go", "test", "-count=1", "./testdata/suite").CombinedOutput()
	require.Error(t, err, string(out))
	text := string(out)
	assert.Contains(t, text, "PASS\n1 request reached 1 of 21 operations\n", "the tests themselves are green")
	assert.Contains(t, text, "\nanswers cut off: 1\n  surveys_partial_update of survey \"NPS\" (019b0000-0000-7000-8000-000000000001), request 1: "+
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
