package faults_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
)

func TestReadRefusesRules(t *testing.T) {
	t.Parallel()
	const effects = "status, headers, body, retry_after, delay_ms, drop, cut_body, html, throttle, edit, event_results, empty_for_null, reorder_keys"
	for document, want := range map[string]string{
		`{`:                             "not valid JSON: unexpected end of JSON input",
		`[]`:                            "must be an object, not an array",
		`{}`:                            `the key "rules" is missing`,
		`{"rule":[]}`:                   `rule: unknown key, did you mean "rules"?`,
		`{"rules":{}}`:                  "rules: must be an array, not an object",
		`{"rules":[5]}`:                 "rules[0]: must be an object, not a number",
		`{"rules":[{"status":500},{}]}`: "rules[1]: has no effect. Set one of " + effects,
		`{"rules":[{"method":"GET"}]}`:  "rules[0]: has no effect. Set one of " + effects,
		`{"rules":[{"html":false}]}`:    "rules[0]: has no effect. Set one of " + effects,
		`{"rules":[{"statuss":500}]}`:   `rules[0].statuss: unknown key, did you mean "status"?`,
		`{"rules":[{"status":"500"}]}`:  `rules[0].status: must be an integer, not "500"`,
		`{"rules":[{"status":99}]}`:     "rules[0].status: must be from 200 to 599, not 99",
		`{"rules":[{"delay_ms":-1}]}`:   "rules[0].delay_ms: must be 0 or more, not -1",
		`{"rules":[{"cut_body":-1}]}`:   "rules[0].cut_body: must be 0 or more, not -1",
		`{"rules":[{"drop":"now"}]}`:    `rules[0].drop: must be "before" or "after", not "now"`,
		`{"rules":[{"drop":"after","status":500}]}`:                            "rules[0].drop: cannot be combined with status, retry_after, or html, which replace the response",
		`{"rules":[{"body":{},"delay_ms":5}]}`:                                 "rules[0]: headers and body require a status",
		`{"rules":[{"html":true,"body":"x"}]}`:                                 "rules[0].body: cannot be combined with html, which sets its own body",
		`{"rules":[{"status":500,"headers":{"a":5}}]}`:                         "rules[0].headers: a must be a string, not a number",
		`{"rules":[{"status":500,"retry_after":true}]}`:                        "rules[0].retry_after: must be an integer, not a boolean",
		`{"rules":[{"retry_after":-5}]}`:                                       "rules[0].retry_after: must be 0 or more, not -5",
		`{"rules":[{"delay_ms":99999999999999999}]}`:                           "rules[0].delay_ms: must be at most 31536000000 (one year), not",
		`{"rules":[{"throttle":{"requests":1,"per_seconds":9999999999999}}]}`:  "rules[0].throttle.per_seconds: must be at most 31536000 (one year), not",
		`{"rules":[{"status":500,"operation":"survey_list"}]}`:                 `rules[0].operation: unknown operation "survey_list". Use one of `,
		`{"rules":[{"status":500,"method":"get"}]}`:                            `rules[0].method: must be uppercase. Set it to "GET"`,
		`{"rules":[{"status":500,"path":"api"}]}`:                              `rules[0].path: must begin with a slash, not "api"`,
		`{"rules":[{"status":500,"from":0}]}`:                                  "rules[0].from: must be 1 or more, not 0",
		`{"rules":[{"status":500,"from":3,"to":2}]}`:                           "rules[0].to: must not be less than from, which is 3. It is 2",
		`{"rules":[{"throttle":5}]}`:                                           "rules[0].throttle: must be an object, not a number",
		`{"rules":[{"throttle":{"requests":1}}]}`:                              `rules[0].throttle: the key "per_seconds" is missing`,
		`{"rules":[{"throttle":{"request":1}}]}`:                               `rules[0].throttle.request: unknown key, did you mean "requests"?`,
		`{"rules":[{"throttle":{"requests":0,"per_seconds":1}}]}`:              "rules[0].throttle.requests: must be 1 or more, not 0",
		`{"rules":[{"throttle":{"requests":1,"per_seconds":0}}]}`:              "rules[0].throttle.per_seconds: must be 1 or more, not 0",
		`{"rules":[{"throttle":{"requests":"1","per_seconds":1}}]}`:            "rules[0].throttle.requests: must be an integer, not \"1\"",
		`{"rules":[{"status":503,"throttle":{"requests":1,"per_seconds":1}}]}`: "rules[0].throttle: cannot be combined with status, retry_after, or html",
		`{"rules":[{"edit":[]}]}`:                                              "rules[0].edit: must be a JSON merge patch, which is an object, not an array",
		`{"rules":[{"edit":{}}]}`:                                              "rules[0].edit: is empty, so it would change nothing",
		`{"rules":[{"edit":{"name":"N"},"operation":"surveys_create"}]}`:       "rules[0].edit: surveys_create has no object to edit",
		`{"rules":[{"edit":{"name":"N"},"status":500}]}`:                       "rules[0].edit: cannot be combined with status",
		`{"rules":[{"empty_for_null":1}]}`:                                     "rules[0].empty_for_null: must be a boolean, not a number",
		`{"rules":[{"empty_for_null":false,"method":"GET"}]}`:                  "rules[0]: has no effect. Set one of " + effects,
		`{"rules":[{"reorder_keys":"yes"}]}`:                                   "rules[0].reorder_keys: must be a boolean, not a string",
	} {
		_, err := faults.Read([]byte(document), api.Operations())
		require.ErrorContains(t, err, "faults: "+want, document)
	}
}

func TestReadRules(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]int{
		`{"rules":[]}`: 0, `{"rules":[{"status":200},{"retry_after":5},{"html":true}]}`: 3, `{"rules":[{"delay_ms":31536000000,"drop":"before"}]}`: 1,
		`{"rules":[{"status":599,"method":"GET","path":"/x","from":2,"to":2,"headers":{"a":"b"},"body":[1]}]}`: 1,
		`{"rules":[{"throttle":{"requests":1,"per_seconds":31536000}}]}`:                                       1,
		`{"rules":[{"edit":{"name":"N"},"operation":"surveys_list"}]}`:                                         1,
		`{"rules":[{"edit":{"name":null},"operation":"surveys_retrieve","empty_for_null":true}]}`:              1,
	} {
		rules, err := faults.Read([]byte(document), api.Operations())
		require.NoError(t, err, document)
		assert.Len(t, rules, want, document)
	}
}
