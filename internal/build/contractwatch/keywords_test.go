package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Query parameters are compared with those that all operations of a path share; one of the
// operation replaces one of the path.
func TestCompareQueryParameters(t *testing.T) {
	t.Parallel()
	const text = `
paths:
  /things/{id}/:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
      - {name: limit, in: query, schema: {type: %s}}
    get:
      parameters: [%s]
      responses: {"200": {description: No body.}}
`
	compareThese := func(ours, theirs string) []string {
		a, err := parse([]byte(ours))
		require.NoError(t, err)
		b, err := parse([]byte(theirs))
		require.NoError(t, err)
		var lines []string
		for _, d := range compare(a, b) {
			lines = append(lines, d.String())
		}
		return lines
	}
	limit, search := "{name: limit, in: query, schema: {type: integer}}", "{name: search, in: query, schema: {type: string}}"
	ours := fmt.Sprintf(text, "integer", search)

	assert.Empty(t, compareThese(ours, ours))
	assert.Empty(t, compareThese(ours, fmt.Sprintf(text, "string", limit+", "+search)))
	assert.Equal(t, []string{
		"GET /things/{}/ query limit: type: openapi.yaml has integer, the service string",
		"GET /things/{}/ query search: parameter: openapi.yaml has string, the service no such parameter",
		"GET /things/{}/ query team: parameter: openapi.yaml has no such parameter, the service string",
	}, compareThese(ours, fmt.Sprintf(text, "string", "{name: team, in: query, required: true, schema: {type: string}}")))
	assert.Equal(t, []string{
		"GET /things/{}/ query search: deprecated: openapi.yaml has no, the service yes",
		"GET /things/{}/ query search: required: openapi.yaml has no, the service yes",
	}, compareThese(ours, fmt.Sprintf(text, "integer", "{name: search, in: query, deprecated: true, required: true, schema: {type: string}}")))
}

func TestCompareKeywords(t *testing.T) {
	t.Parallel()
	const body = `
requestBody: {content: {application/json: {schema: {properties: {name: {type: %s}, id: {type: string}}}}}}
responses: {"200": {description: No body.}}`
	ours := fmt.Sprintf(body, "string")
	for keyword, want := range map[string]string{
		"string, maxLength: 400":   "maxLength: openapi.yaml has no limit, the service 400",
		"string, format: uri":      "format: openapi.yaml has none, the service uri",
		"string, readOnly: true":   "readOnly: openapi.yaml has no, the service yes",
		"string, deprecated: true": "deprecated: openapi.yaml has no, the service yes",
	} {
		theirs := fmt.Sprintf(body, keyword)
		assert.Equal(t, []string{"GET /things/ request name: " + want}, differencesOf(t, ours, theirs))
		assert.Len(t, differencesOf(t, theirs, ours), 1, "the other way around: %s", keyword)
		assert.Empty(t, differencesOf(t, theirs, theirs))
	}

	// How a generator holds a number says nothing of the interface.
	assert.Empty(t, differencesOf(t, fmt.Sprintf(body, "integer, format: int64"), fmt.Sprintf(body, "integer")))
	// Our document has a keyword of its own for what the service ignores.
	assert.Empty(t, differencesOf(t, fmt.Sprintf(body, "string, x-read-only: true"), fmt.Sprintf(body, "string, readOnly: true")))
	assert.Equal(t, []string{"GET /things/: deprecated: openapi.yaml has no, the service yes"}, differencesOf(t, ours, ours+"\ndeprecated: true"))
}

func TestOneDifferenceIsSingular(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0 differences.\n", 1: "1 difference.\n", 2: "2 differences.\n"} {
		var out bytes.Buffer
		require.NoError(t, write(&out, "text", make([]difference, n)))
		assert.Contains(t, "\n"+out.String(), "\n"+want)
	}
}
