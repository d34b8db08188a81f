package page

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestShortPath(t *testing.T) {
	t.Parallel()
	entry := Entry{Path: "/api/projects/1/surveys/0190d6a4-0000-7000-8000-0123456789ab/", Query: "after=0190D6A4-0000-7000-8000-0123456789AC&limit=2"}
	assert.Equal(t, "/api/projects/1/surveys/…456789ab/?after=…456789AC&limit=2", entry.Short())
	assert.Equal(t, "/x", Entry{Path: "/x"}.Short())
	assert.Empty(t, Entry{}.Short())
}

// The server's clock stands between two rows when it changed, and nowhere else.
func TestClockNotes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 11, 12, 0, 0, 0, time.UTC)
	hour := func(n int) time.Time { return at.Add(time.Duration(n) * time.Hour) }
	clocks := []time.Time{hour(1), hour(2), at, at, hour(99), hour(6), hour(7)}

	j := Journal{}
	for i, clock := range clocks {
		j.Entries = append([]Entry{{Number: int64(i + 1), Time: hour(i + 1), Clock: clock}}, j.Entries...)
	}
	var notes []string
	for _, row := range j.Rows() {
		notes = append([]string{row.ClockNote}, notes...)
	}
	assert.Equal(t, []string{"", "", "clock: 2026-03-11 12:00:00", "", "clock: 2026-03-15 15:00:00", "clock: runs", ""}, notes)
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
		attr, detail := ProblemOf([]byte(body))
		assert.Equal(t, want, [2]string{attr, detail}, body)
		assert.NotContains(t, Entry{Attr: attr, Problem: detail}.ProblemText(), "<nil>")
	}
}

// The command has no key, and each of its words is one for a shell.
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
