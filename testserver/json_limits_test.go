package testserver_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// surveyWith is a survey with a field, as a request has it.
func surveyWith(name, value string) string {
	return `{"name":"S","type":"popover","questions":[],"` + name + `":` + value + `}`
}

// A number without end is none of the server's work.
func TestHugeNumbers(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			c := call(t, testserver.Start(t, testserver.Options{Profile: profile}))
			c.post(surveys, surveyWith("responses_limit", strings.Repeat("9", 900))).is(http.StatusBadRequest)
			c.post(surveys, surveyWith("responses_limit", "1."+strings.Repeat("0", 5000))).is(http.StatusBadRequest)

			start := time.Now()
			for _, field := range []string{"responses_limit", "name", "appearance", "archived", "start_date"} {
				for _, value := range []string{"1e999999999", "-1e999999999", "1e-999999999"} {
					assert.Less(t, c.post(surveys, surveyWith(field, value)).status, 501, "%s: %s", field, value)
				}
			}
			c.post(surveys, surveyWith("responses_limit", strings.Repeat("9", 8<<20))).is(http.StatusBadRequest)
			assert.Less(t, time.Since(start), 10*time.Second)
		})
	}
}

// Nesting that Python does not read is an error of the service, and what is within it has
// a bound for the work that it makes.
func TestDeepNesting(t *testing.T) {
	t.Parallel()
	nested := func(depth int, inside string) string {
		return strings.Repeat("[", depth) + inside + strings.Repeat("]", depth)
	}
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Profile: profile})
			c := call(t, srv).undocumentedAnswers()
			start := time.Now()
			large := `"` + strings.Repeat("x", 19<<20) + `"`

			for _, depth := range []int{900, 1000, 9000, 1 << 20} {
				c.post(surveys, surveyWith("conditions", `{"a":`+nested(depth, "1")+`}`)).is(http.StatusInternalServerError)
			}
			c.post(surveys, surveyWith("type", nested(800, large))).is(http.StatusRequestEntityTooLarge)
			c.post(surveys, surveyWith("type", nested(40, large))).is(http.StatusBadRequest)
			c.post(surveys, surveyWith("type", nested(800, "1"))).is(http.StatusBadRequest)

			for _, deep := range []string{nested(1000, "")} {
				require.Error(t, srv.Server.SetFixtures(strings.NewReader(`{"surveys":[{"project_id":1,"name":"S","type":"api","conditions":{"a":`+deep+`}}]}`)))
				c.put(control+"faults", `{"rules":[{"status":500,"body":`+deep+`}]}`).is(http.StatusBadRequest)
			}
			assert.Less(t, time.Since(start), 60*time.Second)
		})
	}
}

// The number of rules is bounded, over HTTP and on the page.
func TestFaultRulesAreBounded(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).undocumentedAnswers()
	rules := func(n int) string { return `{"rules":[` + strings.Repeat(`{"status":500},`, n-1) + `{"status":500}]}` }
	c.put(control+"faults", rules(1001)).fails(http.StatusBadRequest, "invalid_input", "", "faults: there can be at most 1000 rules")
	c.put(control+"faults", rules(1000)).is(http.StatusNoContent)
	require.Error(t, srv.Server.SetFaults(make([]testserver.Fault, 1001)...))

	form := c.with("Content-Type", "application/x-www-form-urlencoded")
	a := form.post(control+"page/faults", "rule={\"status\":500}").is(http.StatusBadRequest)
	assert.Contains(t, a.body, "at most 1000 rules")
	c.put(control+"faults", `{"rules":[{"status":500,"body":"`+strings.Repeat("x", 1<<20)+`"}]}`).is(http.StatusNoContent)
	assert.Less(t, len(c.get("/").body), 100_000)
	assert.Len(t, srv.Server.Faults(), 1)
}
