package testserver_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Schedule and iterations agree after each write, by what the request holds alone.
func TestHostedScheduleAndIterations(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	const both = `"iteration_count":2,"iteration_frequency_days":7`
	for _, row := range []struct{ name, sent, schedule, count, frequency, dates string }{
		{"C2 both sent", both, `"recurring"`, `2`, `7`, `null`},
		{"C2 both sent, with null", both + `,"schedule":null`, `"recurring"`, `2`, `7`, `null`},
		{"C2 recurring stays", both + `,"schedule":"recurring"`, `"recurring"`, `2`, `7`, `null`},
		{"C2 once wipes what is sent", both + `,"schedule":"once"`, `"once"`, `null`, `null`, `[]`},
		{"C2 always wipes what is sent", both + `,"schedule":"always"`, `"always"`, `null`, `null`, `[]`},
		{"C2 one of them", `"iteration_count":2`, `"once"`, `2`, `null`, `[]`},
		{"C2 one of them", `"iteration_frequency_days":7`, `"once"`, `null`, `7`, `[]`},
		{"C2 zero", `"iteration_count":0,"iteration_frequency_days":7`, `"once"`, `0`, `7`, `[]`},
		{"C2 recurring alone", `"schedule":"recurring"`, `"recurring"`, `null`, `null`, `[]`},
		{"C2 null beside zero", `"iteration_count":0,"iteration_frequency_days":7,"schedule":null`, `null`, `null`, `null`, `[]`},
	} {
		created, path := c.make(row.sent)
		_, patched := c.makeNamed("Patched", `"description":""`)
		for _, a := range []answer{created, c.get(path), c.patch(patched, "{"+row.sent+"}").is(http.StatusOK), c.get(patched)} {
			assert.Equal(t, row.schedule, a.raw("schedule"), row.name)
			assert.Equal(t, row.count, a.raw("iteration_count"), row.name)
			assert.Equal(t, row.frequency, a.raw("iteration_frequency_days"), row.name)
			assert.Equal(t, row.dates, a.raw("iteration_start_dates"), row.name)
		}
		c.delete(path).is(http.StatusNoContent)
		c.delete(patched).is(http.StatusNoContent)
	}

	_, path := c.make(both + `,"start_date":"2026-01-01T00:00:00Z"`)
	for _, wipes := range []string{`null`, `"once"`, `"always"`} {
		c.patch(path, `{`+both+`}`).is(http.StatusOK)
		wiped := c.patch(path, `{"schedule":`+wipes+`}`).is(http.StatusOK)
		for name, want := range map[string]string{
			"schedule": wipes, "iteration_count": "null", "iteration_frequency_days": "null", "iteration_start_dates": "[]",
			"current_iteration": "null", "current_iteration_start_date": "null",
		} {
			assert.Equal(t, want, wiped.raw(name), "C2 a schedule of %s wipes what is stored", wipes)
		}
	}
}

// The column of the resumed schedule is in no answer, whatever is sent.
func TestHostedIterationAnchor(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	created, path := c.make(`"iteration_anchor_date":"2026-01-01T00:00:00Z"`)
	assert.Empty(t, created.raw("iteration_anchor_date"), "C12 not in write answers")
	assert.Empty(t, c.get(path).raw("iteration_anchor_date"), "C12 not in read answers")
	c.patch(path, `{"iteration_anchor_date":"not a date"}`).is(http.StatusOK)
}
