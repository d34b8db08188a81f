package page

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestInWords(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		`{"operation":"surveys_create","to":1,"status":503,"retry_after":"2"}`: "next surveys_create: 503, retry after 2 s · 0 of 1 hit",
		`{"status":500}`: "every request: 500 · no hit yet",
		`{"method":"GET","path":"/x","html":true}`:                             "every GET /x: HTML page · no hit yet",
		`{"to":3,"drop":"after"}`:                                              "next 3 requests: dropped after the work · 0 of 3 hit",
		`{"from":2,"to":2,"cut_body":5}`:                                       "number 2 of requests: cut after 5 B · 0 of 1 hit",
		`{"from":2,"to":4,"delay_ms":300}`:                                     "numbers 2 to 4 of requests: delayed 300 ms · 0 of 3 hit",
		`{"from":2,"delay_ms":1500,"html":true}`:                               "from number 2 on, every request: delayed 1.5 s, HTML page · no hit yet",
		`{"retry_after":7}`:                                                    "every request: 429, retry after 7 s · no hit yet",
		`{"throttle":{"requests":1,"per_seconds":60}}`:                         "every request: 429 above 1 request in 60 s · no hit yet",
		`{"edit":{},"empty_for_null":true,"reorder_keys":true,"status":201.0}`: "every request: edited right before, empty texts for null, keys reordered · no hit yet",
	} {
		words := InWords(json.RawMessage(document))
		rule := Rule{Words: words}
		assert.Equal(t, want, strings.TrimSpace(words.Count+" "+rule.Subject()+": "+words.Effect()+" · "+rule.HitsText()), document)
	}

	long := InWords(json.RawMessage(`{"path":"/` + strings.Repeat("ü", 9000) + `","retry_after":"` + strings.Repeat("x", 9000) + `"}`))
	assert.Less(t, len(long.Subject)+len(long.Effect()), 800)
}
