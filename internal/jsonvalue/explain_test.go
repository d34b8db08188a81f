package jsonvalue

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestErrorsHaveLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                       "the JSON is empty",
		" \n":                    "the JSON is empty",
		"{\n\"a\": 1,\n":         "line 2: the JSON is incomplete",
		"{\"a\": \"b":            "line 1: the JSON is incomplete",
		"version 4":              `line 1: not valid JSON at "v"`,
		"{\n  \"a\": 1,\n  ä\n}": `line 3: not valid JSON at "ä"`,
		"{\n  \"a\": [1]}":       "line 2: a has the wrong type: array",
		"[]":                     "line 1: the JSON has the wrong type: array",
		"{\"a\": \"b\"} x":       "text after the JSON value",
	} {
		var into struct {
			A string `json:"a"`
		}
		assert.EqualError(t, Unmarshal([]byte(text), &into), want, text)
	}
}

func TestUnknownKeysHaveLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\n  \"a\": \"b\",\n  \"c\": 1\n}": `line 3: the key "c" is not supported. Remove it, or correct its spelling`,
		"{\n  \"c\" : 1}":                   `line 2: the key "c" is not supported. Remove it, or correct its spelling`,
		"{\n  \"\\u0063\": 1}":              `line 1: the key "c" is not supported. Remove it, or correct its spelling`,
	} {
		var into struct {
			A string `json:"a"`
		}
		assert.EqualError(t, UnmarshalKnown([]byte(text), &into), want, text)
	}
}
