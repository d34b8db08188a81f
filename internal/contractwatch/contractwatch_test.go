package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
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
