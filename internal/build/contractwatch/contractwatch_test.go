package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

func TestContractEqualsItself(t *testing.T) {
	t.Parallel()

	file := filepath.Join(t.TempDir(), "schema.yaml")
	require.NoError(t, os.WriteFile(file, api.Document(), 0o600))

	var out bytes.Buffer
	code, err := run(file, "text", &out)
	require.NoError(t, err)
	assert.Equal(t, 0, code)
	assert.Equal(t, "0 differences.\n", out.String())
}

const oursText = `
openapi: 3.0.3
paths:
  /things/{id}/:
    get:
      responses:
        "200": {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
    patch:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
      responses: {"200": {description: No body.}}
  /gone/:
    get: {responses: {"200": {description: No body.}}}
components:
  schemas:
    Thing:
      type: object
      required: [name]
      properties:
        name: {type: string}
        kind: {type: string, enum: [a, b]}
        count: {type: integer, nullable: true}
        free: {nullable: true, x-go-type: json.RawMessage}
        parts: {type: array, items: {type: object, properties: {size: {type: number}}}}
        old: {type: string}
`

// The service writes version 3.1, names parameters otherwise, and knows more paths.
const theirsText = `
openapi: 3.1.0
paths:
  /things/{thing_id}/:
    get:
      responses:
        "200": {content: {application/json: {schema: {$ref: '#/components/schemas/AThing'}}}}
    patch:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/AThing'}}}}
      responses: {"200": {content: {application/json: {schema: {$ref: '#/components/schemas/AThing'}}}}}
  /elsewhere/:
    get: {responses: {}}
components:
  schemas:
    AThing:
      type: object
      required: [name, kind]
      properties:
        name: {type: [string, "null"]}
        kind: {oneOf: [{type: string, enum: [a, b, c]}, {enum: [""]}]}
        count: {type: string}
        free: {type: object, properties: {inner: {type: string}}}
        parts: {type: array, items: {type: object, properties: {size: {type: number}, color: {type: string}}}}
`

func TestCompare(t *testing.T) {
	t.Parallel()

	ours, err := parse([]byte(oursText))
	require.NoError(t, err)
	theirs, err := parse([]byte(theirsText))
	require.NoError(t, err)

	var lines []string
	for _, d := range compare(ours, theirs) {
		lines = append(lines, d.String())
	}
	thing := func(what string) []string {
		return []string{
			what + " count: type: openapi.yaml has integer, the service string",
			what + " kind: enum: openapi.yaml has a|b, the service a|b|c",
			what + " kind: required: openapi.yaml has no, the service yes",
			what + " name: nullable: openapi.yaml has no, the service yes",
			what + " old: field: openapi.yaml has string, the service no such field",
			what + " parts[].color: field: openapi.yaml has no such field, the service string",
		}
	}
	want := []string{"GET /gone/: operation: openapi.yaml has it, the service does not"}
	want = append(want, thing("GET /things/{}/ answer")...)
	want = append(want, thing("PATCH /things/{}/ request")...)
	assert.Equal(t, want, lines)
}

// differencesOf compares two operations, each written as YAML.
func differencesOf(t *testing.T, ours, theirs string) []string {
	t.Helper()
	documentOf := func(operation string) document {
		indented := "      " + strings.ReplaceAll(strings.TrimSpace(operation), "\n", "\n      ")
		d, err := parse([]byte("openapi: 3.1.0\npaths:\n  /things/:\n    get:\n" + indented))
		require.NoError(t, err)
		return d
	}

	lines := []string{}
	for _, d := range compare(documentOf(ours), documentOf(theirs)) {
		lines = append(lines, d.String())
	}
	return lines
}

// A generator writes one schema for requests and answers, and marks what belongs to one
// of them alone.
func TestCompareLeavesOutWhatIsMarkedForTheOtherPart(t *testing.T) {
	t.Parallel()

	const ours = `
requestBody: {content: {application/json: {schema: {properties: {name: {type: string}, flag: {type: integer}}}}}}
responses: {"200": {content: {application/json: {schema: {properties: {id: {type: string}, name: {type: string}}}}}}}`
	const theirs = `
requestBody: {content: {application/json: {schema: {$ref: '#/paths/~1things~1/get/x-thing'}}}}
responses: {"200": {content: {application/json: {schema: {$ref: '#/paths/~1things~1/get/x-thing'}}}}}
x-thing: {required: [id, name], properties: {id: {type: string, readOnly: true}, name: {type: string}, flag: {type: %s, writeOnly: true}}}`

	assert.Equal(t, []string{
		"GET /things/ answer id: required: openapi.yaml has no, the service yes",
		"GET /things/ answer name: required: openapi.yaml has no, the service yes",
		"GET /things/ request name: required: openapi.yaml has no, the service yes",
	}, differencesOf(t, ours, fmt.Sprintf(theirs, "integer")))
	assert.Contains(t, differencesOf(t, ours, fmt.Sprintf(theirs, "string")),
		"GET /things/ request flag: type: openapi.yaml has integer, the service string")
}

// The values of a map are fields too, also where the whole body is a map.
func TestCompareValuesOfMaps(t *testing.T) {
	t.Parallel()

	const body = `responses: {"200": {content: {application/json: {schema: {type: object, additionalProperties: %s}}}}}`
	counts := fmt.Sprintf(body, "{type: integer}")
	assert.Empty(t, differencesOf(t, counts, counts))
	assert.Empty(t, differencesOf(t, counts, fmt.Sprintf(body, "{}")), "an untyped value can be anything")
	assert.Equal(t, []string{"GET /things/ answer *: type: openapi.yaml has integer, the service string"},
		differencesOf(t, counts, fmt.Sprintf(body, "{type: string}")))
	assert.Equal(t, []string{"GET /things/ answer *.count: field: openapi.yaml has no such field, the service integer"},
		differencesOf(t, fmt.Sprintf(body, "{properties: {at: {type: string}}}"),
			fmt.Sprintf(body, "{properties: {at: {type: string}, count: {type: integer}}}")))
}

// A constant is an enumeration of one value.
func TestCompareConstants(t *testing.T) {
	t.Parallel()

	const body = `responses: {"200": {content: {application/json: {schema: {properties: {kind: %s}}}}}}`
	ours := fmt.Sprintf(body, "{enum: [open, link]}")
	assert.Empty(t, differencesOf(t, ours, fmt.Sprintf(body, "{oneOf: [{const: open}, {const: link}]}")))
	assert.Equal(t, []string{"GET /things/ answer kind: enum: openapi.yaml has link|open, the service open"},
		differencesOf(t, ours, fmt.Sprintf(body, "{const: open}")))
}

// Of several successful answers the first one that has a body counts, in every run.
func TestCompareSeveralAnswers(t *testing.T) {
	t.Parallel()

	const ours = `responses: {"200": {content: {application/json: {schema: {properties: {id: {type: string}}}}}}}`
	const theirs = `
responses:
  "202": {content: {application/json: {schema: {properties: {job: {type: string}}}}}}
  "204": {description: No body.}
  "201": {content: {application/json: {schema: {properties: {id: {type: string}}}}}}
  "200": {description: No body.}`
	for range 20 {
		require.Equal(t, []string{"GET /things/ answer: status: openapi.yaml has 200, the service 200|201|202|204"}, differencesOf(t, ours, theirs))
	}
}

// YAML takes status codes for numbers where they have no quotes.
func TestCompareStatusCodesWithoutQuotes(t *testing.T) {
	t.Parallel()

	const body = `responses: {%s: {content: {application/json: {schema: {properties: {id: {type: %s}}}}}}}`
	assert.Equal(t, []string{"GET /things/ answer id: type: openapi.yaml has integer, the service string"},
		differencesOf(t, fmt.Sprintf(body, `"200"`, "integer"), fmt.Sprintf(body, "200", "string")))
}

func TestRun(t *testing.T) {
	t.Parallel()

	file := filepath.Join(t.TempDir(), "schema.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"openapi": "3.0.3", "paths": {}}`), 0o600))
	var out bytes.Buffer
	code, err := run(file, "json", &out)
	require.NoError(t, err)
	assert.Equal(t, 2, code)
	var report struct{ Differences []difference }
	require.NoError(t, json.Unmarshal(out.Bytes(), &report))
	assert.Len(t, report.Differences, len(api.AllOperations()), "none of our operations is there")

	for name, text := range map[string]string{"no document": `{"a": 1}`, "no YAML": "\t{"} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		code, err = run(file, "text", &out)
		require.Error(t, err, name)
		assert.Equal(t, 1, code, name)
	}
	code, err = run("", "text", &out)
	require.Error(t, err)
	assert.Equal(t, 1, code)
}
