package api_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// A survey decodes and encodes without loss: missing, null, and set fields stay distinct, unknown keys and
// types are kept, numbers are exact, and dates keep their form.
func TestSurveyRoundTrip(t *testing.T) {
	t.Parallel()

	for name, doc := range map[string]string{
		"absent":          `{}`,
		"null":            `{"name":null,"conditions":null,"questions":null,"responses_limit":null}`,
		"unknown key":     `{"name":"n","brand_new":{"deep":[1,null,9007199254740993]}}`,
		"unknown kind":    `{"questions":[{"type":"nps_grid","rows":[1.50,9007199254740993],"id":null}]}`,
		"odd value":       `{"questions":[{"type":"rating","scale":"ten"}]}`,
		"exact numbers":   `{"conditions":{"n":9007199254740993},"responses_limit":9007199254740993}`,
		"dates as is":     `{"start_date":"2023-04-01T12:00:10","end_date":"2024-01-01T00:00:00.000000+02:00"}`,
		"unknown enum":    `{"type":"full_screen","schedule":"monthly"}`,
		"flag and filter": `{"linked_flag":{"id":1,"filters":{"groups":[{"v":12345678901234567890}]},"new_key":0}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			var s api.Survey
			require.NoError(t, json.Unmarshal([]byte(doc), &s))
			back, err := json.Marshal(s)
			require.NoError(t, err)

			assert.Equal(t, exact(t, []byte(doc)), exact(t, back))
		})
	}
}

// exact decodes JSON without rounding numbers, unlike assert.JSONEq.
func exact(t *testing.T, doc []byte) any {
	t.Helper()
	var v map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(doc, &v))
	for k, raw := range v {
		var inner any
		if json.Unmarshal(raw, &inner) == nil {
			v[k] = json.RawMessage(sorted(t, raw))
		}
	}
	return v
}

// sorted re-encodes JSON with sorted keys, and keeps the digits of numbers.
func sorted(t *testing.T, raw []byte) []byte {
	t.Helper()

	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) == nil && object != nil {
		for k := range object {
			object[k] = sorted(t, object[k])
		}
		out, err := json.Marshal(object)
		require.NoError(t, err)
		return out
	}

	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && list != nil {
		for i := range list {
			list[i] = sorted(t, list[i])
		}
		out, err := json.Marshal(list)
		require.NoError(t, err)
		return out
	}

	return raw
}
