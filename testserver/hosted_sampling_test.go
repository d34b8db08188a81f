package testserver_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Half of a sampling configuration breaks the service, and saves nothing.
func TestHostedHalfConfiguredSampling(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, validationFixtures)
	const start = `"response_sampling_start_date":"2026-01-02T00:00:00Z"`
	const whole = start + `,"response_sampling_interval":1,"response_sampling_limit":5`
	const cleared = `"response_sampling_start_date":null,"response_sampling_interval":null,"response_sampling_limit":null,"response_sampling_interval_type":null`
	before := srv.Dump()
	for _, row := range []struct{ name, sent string }{
		{"C6 a start alone", start},
		{"C6 start and interval", start + `,"response_sampling_interval":1`},
		{"C6 start and a limit of null", start + `,"response_sampling_interval":1,"response_sampling_limit":null`},
		{"C6 row 48 limit without interval", start + `,"response_sampling_limit":5`},
		{"C6 row 48 limit without interval", `"response_sampling_limit":5`},
	} {
		for _, a := range []answer{c.patch(mine, "{"+row.sent+"}"), c.post(surveys, `{"name":"New","type":"api",`+row.sent+`}`)} {
			a.fails(http.StatusInternalServerError, "error", "", "A server error occurred.")
			assert.Equal(t, before, srv.Dump(), row.name)
		}
	}

	c.patch(mine, "{"+whole+"}").is(http.StatusOK)
	stored := c.get(mine).body
	for _, row := range []struct{ name, sent string }{
		{"C6 the stored interval does not help the limit", `"response_sampling_limit":6`},
		{"C6 a limit of null", `"response_sampling_limit":null`},
		{"C6 an interval of null", `"response_sampling_interval":null`},
	} {
		c.patch(mine, "{"+row.sent+"}").is(http.StatusInternalServerError)
		assert.Equal(t, stored, c.get(mine).body, row.name)
	}
	assert.Equal(t, "null", c.patch(mine, "{"+cleared+"}").is(http.StatusOK).raw("response_sampling_daily_limits"), "C6 all of it cleared")
	c.patch(mine, "{"+whole+`,"response_sampling_interval_type":"day","response_sampling_limit":0}`).is(http.StatusOK)
}
