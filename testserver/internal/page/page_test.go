package page

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
)

func TestFilterMatches(t *testing.T) {
	t.Parallel()
	refused := record.Entry{
		Sequence: 17, Method: "POST", Path: "/api/Projects/1/surveys/", Query: "x=500", Operation: "surveys_create", Ended: true,
		Outcome: record.Outcome{Status: 400, AnswerBody: []byte(`{"attr":"name"}`)},
	}
	dropped, served, waiting := refused, refused, refused
	dropped.Status, dropped.Faults, dropped.Method = 0, []json.RawMessage{[]byte(`{}`)}, "GET"
	served.Status, served.AnswerBody = 200, nil
	waiting.Status, waiting.Ended = 0, false

	for _, want := range []struct {
		filter                            Filter
		refused, dropped, served, waiting bool
	}{
		{Filter{}, true, true, true, true},
		{Filter{Errors: true}, true, true, false, false},
		{Filter{Faults: true}, false, true, false, false},
		{Filter{Writes: true}, true, false, true, true},
		{Filter{Errors: true, Writes: true}, true, false, false, false},
		{Filter{Search: "400"}, true, false, false, false},
		{Filter{Search: "404"}, false, false, false, false},
		{Filter{Search: "x=500"}, true, true, true, true},
		{Filter{Search: "4XX"}, true, false, false, false},
		{Filter{Search: "#17"}, true, true, true, true},
		{Filter{Search: "#18"}, false, false, false, false},
		{Filter{Search: "  projects SURVEYS_create  API"}, true, true, true, true},
		{Filter{Search: `"ATTR":"name"`}, true, true, false, true},
		{Filter{Search: "surveys nowhere"}, false, false, false, false},
	} {
		got := []bool{want.filter.matches(&refused, nil), want.filter.matches(&dropped, nil), want.filter.matches(&served, nil), want.filter.matches(&waiting, nil)}
		assert.Equal(t, []bool{want.refused, want.dropped, want.served, want.waiting}, got, "%+v", want.filter)
	}
}

func TestShortPath(t *testing.T) {
	t.Parallel()
	entry := Entry{Path: "/api/projects/1/surveys/0190d6a4-0000-7000-8000-0123456789ab/", Query: "after=0190D6A4-0000-7000-8000-0123456789AC&limit=2"}
	assert.Equal(t, "/api/projects/1/surveys/…456789ab/?after=…456789AC&limit=2", entry.Short())
	assert.Equal(t, "/x", Entry{Path: "/x"}.Short())
	assert.Empty(t, Entry{}.Short())
}

func TestProblemOf(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][2]string{
		`{"type":"validation_error","attr":"name","detail":"Too long."}`: {"name", "Too long."},
		`{"attr":null,"detail":"Not found."}`:                            {"", "Not found."},
		`{"attr":7,"detail":{}}`:                                         {},
		`[]`:                                                             {},
		`<html>`:                                                         {},
	} {
		attr, detail := ReadProblem([]byte(body))
		assert.Equal(t, want, [2]string{attr, detail}, body)
		assert.NotContains(t, Entry{Attr: attr, Problem: detail}.ProblemText(), "<nil>")
	}
}

// The command omits the API key, and quotes each argument for the shell.
func TestCurl(t *testing.T) {
	t.Parallel()
	const key = ` -H "Authorization: Bearer $POSTHOG_API_KEY"`
	assert.Equal(t, "curl http://h/x"+key, Curl("GET", "http://h/x", "", ""))
	assert.Equal(t, "curl --head http://h/x"+key, Curl("HEAD", "http://h/x", "", ""))
	assert.Equal(t, `curl -X PATCH 'http://h/x?a=b&c=$(id)'`+key+` -H 'Content-Type: application/json' --data-raw '{"a":"it'\''s"}'`,
		Curl("PATCH", "http://h/x?a=b&c=$(id)", "application/json", `{"a":"it's"}`))
	assert.Equal(t, `curl --globoff -X GET 'http://h/x?ids[]=1'`+key+` -H Content-Type: --data-raw '{}'`, Curl("GET", "http://h/x?ids[]=1", "", "{}"))
	assert.Contains(t, Curl("PUT", "http://h/x", "", string(make([]byte, maxCurlBody+1))), "--data-binary @body")
}

// Only names and texts without a visible character are replaced.
func TestNamed(t *testing.T) {
	t.Parallel()
	for _, blank := range []string{"", " ", "\u2028", "\u200b", "\u00a0\u3000", "\u3164", "\u115f\u1160", "\u2800", "\ufeff", "\u202e", "\u0301", "\x00\x1b"} {
		assert.Equal(t, "(without a name)", displayName(blank), "%q", blank)
		assert.Equal(t, "(without text)", displayText(blank), "%q", blank)
	}
	for _, name := range []string{"a", " 7 ", "?", "€", "\u200bx", "問", "👍", "ـ"} {
		assert.Equal(t, name, displayName(name))
		assert.Equal(t, name, displayText(name))
	}
}
