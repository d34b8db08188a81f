package contracttest

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// recorder is a test that records its failures and continues.
type recorder struct {
	testing.TB

	errors int
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.errors++ }

var jsonHeader = http.Header{"Content-Type": {"application/json"}}

func TestSampleNoticesDeviations(t *testing.T) {
	t.Parallel()
	var sample Sample
	for _, row := range []struct {
		body   string
		errors int
	}{
		{`{"name":"a","archived":false}`, 0},
		{`{"name":"a","archived":"no"}`, 1},
		{`{"name":"b","archived":"yes"}`, 0}, // an object with the same shape was already validated
		{`[]`, 1},
		{`{"name":"a","type":5}`, 1},
		{`{"name":"a","schedule":"every_full_moon","start_date":"2026-03-01T10:00:00"}`, 0},
		{`{"name":"a","start_date":5}`, 1},
	} {
		noticed := &recorder{TB: t}
		sample.Check(noticed, "surveys_retrieve", http.StatusOK, jsonHeader, []byte(row.body))
		assert.Equal(t, row.errors > 0, noticed.errors > 0, row.body)
	}

	noticed := &recorder{TB: t}
	sample.Check(noticed, "surveys_unheard_of", http.StatusOK, jsonHeader, []byte(`{}`))
	assert.Equal(t, 1, noticed.errors)
}

func TestShape(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":"x"}`, `{"a":2,"b":"y"}`, true},
		{`{"a":1}`, `{"a":null}`, false},
		{`{"a":"x"}`, `{"a":""}`, false},
		{`{"a":true}`, `{"a":1}`, false},
		{`{"a": "b\"c"}`, `{"a": "\\"}`, true},
		{`[{"a":1}]`, `[{"a":-3.5e7}]`, true},
		{`[{"a":1},{"a":null}]`, `[{"a":3}]`, false},
	} {
		assert.Equal(t, row.same, bytes.Equal(shape([]byte(row.a)), shape([]byte(row.b))), "%s and %s", row.a, row.b)
	}
}
