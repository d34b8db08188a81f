package testserver_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// archive is what the tests read of an HTTP Archive.
type archive struct {
	Log struct {
		Entries []struct {
			Time    float64
			Comment string
			Request struct {
				Method, URL string
				Query       []struct{ Name, Value string } `json:"queryString"`
				PostData    *struct{ MimeType, Text string }
			}
			Response struct {
				Status   int
				BodySize int
				Redirect string `json:"redirectURL"`
				Content  struct{ Text, MimeType, Encoding, Comment string }
			}
		}
	}
}

// readArchive holds a document against the schema of the format.
func readArchive(t *testing.T, document string) archive {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("testdata/har-1.2.schema.json")
	require.NoError(t, err)
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(document)))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(instance))

	var read archive
	require.NoError(t, json.Unmarshal([]byte(document), &read))
	for _, entry := range instance.(map[string]any)["log"].(map[string]any)["entries"].([]any) {
		_, err := time.Parse(time.RFC3339, entry.(map[string]any)["startedDateTime"].(string))
		assert.NoError(t, err)
	}
	return read
}

// The archive is one that the network panel of a browser opens, whatever the requests.
func TestHAR(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Clock: ticking()})
	c := call(t, srv).undocumentedAnswers()
	assert.Empty(t, readArchive(t, c.get(control+"requests?format=har").body).Log.Entries)

	c.post(surveys, `{"name":"S","type":"api"}`).is(http.StatusCreated)
	c.get(surveys + "?search=a%20b&&limit=%zz&x").is(http.StatusOK)
	c.with("Content-Type", "").post(surveys, "\xff").is(http.StatusUnsupportedMediaType)
	c.do("PURGE", "/no/where", "").is(http.StatusNotFound)
	srv.SetFaults(
		testserver.Fault{To: 1, Drop: "before"}, testserver.Fault{From: 2, To: 2, HTML: true},
		testserver.Fault{From: 3, Status: 200, Body: "\x00 text", Headers: map[string]string{"Location": "/there", "Content-Type": "text/plain"}},
	)
	_, err := c.try(http.MethodPost, surveys, "{}")
	require.Error(t, err)
	c.get(surveys).is(http.StatusOK)
	c.get(surveys).is(http.StatusOK)

	a := c.get(control + "requests?format=har").is(http.StatusOK)
	assert.Equal(t, `attachment; filename="posthog-testserver.har"`, a.header.Get("Content-Disposition"))
	entries := readArchive(t, a.body).Log.Entries
	require.Len(t, entries, 7)

	assert.Equal(t, srv.URL+surveys, entries[0].Request.URL)
	assert.Equal(t, `{"name":"S","type":"api"}`, entries[0].Request.PostData.Text)
	assert.Equal(t, "application/json", entries[0].Request.PostData.MimeType)
	assert.Equal(t, http.StatusCreated, entries[0].Response.Status)
	assert.Equal(t, len(entries[0].Response.Content.Text), entries[0].Response.BodySize)
	assert.Positive(t, entries[0].Time)
	assert.Equal(t, []struct{ Name, Value string }{{"search", "a b"}, {"limit", "%zz"}, {"x", ""}}, entries[1].Request.Query)
	assert.Zero(t, entries[4].Response.Status)
	assert.Equal(t, `the connection was closed without an answer; fault: {"to":1,"drop":"before"}`, entries[4].Comment)
	assert.Equal(t, "text/html; charset=utf-8", entries[5].Response.Content.MimeType)
	assert.Equal(t, "\x00 text", entries[6].Response.Content.Text)
	assert.Equal(t, "/there", entries[6].Response.Redirect)

	c.get(control+"requests?format=xml").fails(http.StatusBadRequest, "invalid_input", "", `requests: format is json or har, is "xml"`)
}

// The schema refuses what is no archive: a test against it can fail.
func TestHARSchemaRefuses(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile("testdata/har-1.2.schema.json")
	require.NoError(t, err)
	for _, document := range []string{
		`{}`, `{"log":{"version":"1.2","creator":{"name":"a","version":"1"}}}`,
		`{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[{}]}}`,
		`{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[],"unknown":1}}`,
	} {
		instance, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(document)))
		require.NoError(t, err)
		assert.Error(t, schema.Validate(instance), document)
	}
}
