package sdk_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flagsReply is the response to a request for flags.
type flagsReply struct {
	Flags map[string]struct {
		Key     string
		Enabled bool
		Variant *string
		Reason  struct {
			Code           string
			ConditionIndex *int `json:"condition_index"`
			Description    string
		}
		Metadata map[string]json.RawMessage
	}
	ErrorsWhileComputingFlags *bool
	RequestID                 string
	EvaluatedAt               int64
}

// flags requests a person's flags as the browser SDK does. request is an object without the token.
func (c caller) flags(token, request string) flagsReply {
	c.t.Helper()
	body := `{"token":"` + token + `",` + strings.TrimPrefix(request, "{")
	var reply flagsReply
	require.NoError(c.t, json.Unmarshal([]byte(c.post("/flags/?v=2", body).is(http.StatusOK).body), &reply))
	return reply
}

// values returns each flag's variant, or on or off, followed by the reason.
func (r flagsReply) values() map[string]string {
	values := map[string]string{}
	for key, flag := range r.Flags {
		value := "off"
		switch {
		case flag.Variant != nil:
			value = *flag.Variant
		case flag.Enabled:
			value = "on"
		}
		values[key] = value + " " + flag.Reason.Code
	}
	return values
}

const flagsFixtures = `{"clock":"2026-01-02T03:04:05Z","projects":[{"id":1,"group_types":["team","company"]},{"id":2,"api_token":"phc_two"}],
	"feature_flags":[
	{"id":1,"project_id":1,"key":"pro","version":7,"filters":{"groups":[{"properties":[{"key":"plan","value":"pro","type":"person"}]}]}},
	{"id":2,"project_id":1,"key":"colours","filters":{"groups":[{"variant":"red"}],"multivariate":{"variants":[{"key":"red","rollout_percentage":50},{"key":"blue","rollout_percentage":50}]},"payloads":{"red":"{\"a\":1}"}}},
	{"id":3,"project_id":1,"key":"off","active":false,"filters":{"groups":[{}]}},
	{"id":4,"project_id":1,"key":"gone","deleted":true,"filters":{"groups":[{}]}},
	{"id":5,"project_id":1,"key":"again","deleted":true,"filters":{"groups":[{}]}},
	{"id":6,"project_id":1,"key":"again","filters":{"groups":[{}]}},
	{"id":7,"project_id":1,"key":"lately","filters":{"groups":[{"properties":[{"key":"joined","operator":"is_date_after","value":"7d","type":"person"}]}]}},
	{"id":8,"project_id":1,"key":"listed","filters":{"groups":[{"properties":[{"key":"id","type":"cohort","value":1}]}]}},
	{"id":9,"project_id":1,"key":"chosen","filters":{"groups":[{"properties":[{"key":"id","type":"cohort","value":2}]}]}},
	{"id":10,"project_id":1,"key":"acme","filters":{"aggregation_group_type_index":1,"groups":[{"properties":[{"key":"size","type":"group","group_type_index":1,"operator":"gt","value":"10"}]}]}},
	{"id":11,"project_id":1,"key":"survey-targeting-x","filters":{"groups":[{"properties":[{"key":"1","type":"flag","operator":"flag_evaluates_to","value":true}]}]}},
	{"id":12,"project_id":2,"key":"elsewhere","filters":{"groups":[{}]}}],
	"cohorts":[{"id":1,"project_id":1,"members":["anna@example.com","nobody"]},
	{"id":2,"project_id":1,"filters":{"properties":{"type":"OR","values":[{"type":"AND","values":[{"key":"plan","type":"person","value":"pro"}]}]}}}],
	"persons":[{"project_id":1,"distinct_ids":["anna","anna@example.com"],"properties":{"plan":"pro","joined":"2026-01-01"}}]}`

// An app receives every flag of its project with a reason, based on stored data about the person and
// on the request.
func TestFlags(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, flagsFixtures) {
		c := app(t, srv)
		anna := c.flags("phc_test", `{"distinct_id":"anna"}`)
		assert.Equal(t, map[string]string{
			"pro": "on condition_match", "colours": "red condition_match", "off": "off flag_disabled", "gone": "off flag_disabled",
			"again": "on condition_match", "lately": "on condition_match", "listed": "on condition_match", "chosen": "off no_condition_match",
			"acme": "off no_group_type", "survey-targeting-x": "on condition_match",
		}, anna.values(), profile)
		assert.False(t, *anna.ErrorsWhileComputingFlags)
		assert.Len(t, anna.RequestID, 36)
		assert.Equal(t, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).UnixMilli(), anna.EvaluatedAt)

		pro := anna.Flags["pro"]
		assert.Equal(t, "Matched condition set 1", pro.Reason.Description)
		assert.Equal(t, 0, *pro.Reason.ConditionIndex)
		assert.Equal(t, "7", string(pro.Metadata["version"]))
		assert.Equal(t, "null", string(pro.Metadata["payload"]))
		assert.Equal(t, `"{\"a\":1}"`, string(anna.Flags["colours"].Metadata["payload"]))

		// The server adds the properties that an app sends to a group's stored properties. A dump contains all
		// of them.
		ofGroup := func(set string) string {
			return captured("$groupidentify", "anna", `,"$group_type":"company","$group_key":"acme","$group_set":`+set)
		}
		c.capture(ofGroup(`{"size":11}`))
		c.capture(ofGroup(`{"city":"Bonn"}`))
		srv.SetFixtures(srv.Dump())
		for asked, want := range map[string]string{
			`"groups":{"company":"acme"}`: "on condition_match", `"groups":{"company":"other"}`: "off no_condition_match",
			`"groups":{"company":"acme"},"group_properties":{"company":{"size":9}}`: "off no_condition_match",
		} {
			assert.Equal(t, want, c.flags("phc_test", `{"distinct_id":"anna",`+asked+`}`).values()["acme"], asked)
		}

		// Properties in the request override stored properties.
		free := c.flags("phc_test", `{"distinct_id":"anna","person_properties":{"plan":"free"},"groups":{"company":"acme","planet":1},"group_properties":{"company":{"size":11}}}`).values()
		assert.Equal(t, []string{"off no_condition_match", "on condition_match", "on condition_match", "on condition_match"},
			[]string{free["pro"], free["lately"], free["listed"], free["acme"]}, profile)
		assert.Equal(t, "off no_condition_match", c.flags("phc_test", `{"distinct_id":7}`).values()["pro"], profile)
	}
}

// TestFlagsOnTheWire compares the exact response, which SDKs of all languages parse.
func TestFlagsOnTheWire(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, `{"clock":"2026-01-02T03:04:05Z","feature_flags":[{"id":1,"project_id":1,"key":"a\"b","filters":{"groups":[{"properties":[{"key":"x","value":"y"}]}]}}]}`) {
		body := app(t, srv).post("/flags?v=2", `{"api_key":"phc_test","distinct_id":"a"}`).is(http.StatusOK).body
		var id struct{ RequestID string }
		require.NoError(t, json.Unmarshal([]byte(body), &id))
		assert.Equal(t, `{"flags":{"a\"b":{"key":"a\"b","enabled":false,"variant":null,`+
			`"reason":{"code":"no_condition_match","condition_index":0,"description":"No matching condition set"},`+
			`"metadata":{"id":1,"version":1,"description":null,"payload":null,"has_experiment":false}}},`+
			`"errorsWhileComputingFlags":false,"requestId":"`+id.RequestID+`","evaluatedAt":1767323045000}`, body)
	}
}

// Older SDKs request other versions. Some request the remote config in the same response.
func TestVersionsOfFlags(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, flagsFixtures) {
		c := app(t, srv)
		const body = `{"token":"phc_test","distinct_id":"anna","flag_keys_to_evaluate":["pro","colours","off"]}`
		for path, want := range map[string]string{
			"/decide/?v=3":            `"featureFlags":{"colours":"red","off":false,"pro":true},"featureFlagPayloads":{"colours":"{\"a\":1}"}`,
			"/decide/":                `"featureFlags":{"colours":"red"`,
			"/decide/?v=4":            `"flags":{"colours":{"key":"colours"`,
			"/flags/?v=1":             `"featureFlags":{"colours":"red","off":false,"pro":true},"featureFlagPayloads":{"colours":"{\"a\":1}"}`,
			"/flags/":                 `"flags":{"colours":{"key":"colours"`,
			"/flags/?v=2&config=true": `"flags":{"colours":{"key":"colours"`,
		} {
			reply := c.post(path, body).is(http.StatusOK).body
			assert.True(t, strings.HasPrefix(reply, "{"+want), "%s: %s", path, reply)
			assert.Equal(t, path != "/flags/?v=1", strings.Contains(reply, `"surveys":`), path)
		}
	}
}

func TestFlagsAskedFor(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, flagsFixtures) {
		c := app(t, srv)
		assert.Empty(t, c.flags("phc_test", `{"distinct_id":"anna","disable_flags":true}`).Flags)
		assert.Empty(t, c.flags("phc_none", `{"distinct_id":"anna"}`).Flags)
		assert.Equal(t, map[string]string{"elsewhere": "on condition_match"}, c.flags("phc_two", `{"distinct_id":"anna"}`).values())
		assert.Equal(t, map[string]string{"survey-targeting-x": "on condition_match"}, c.flags("phc_test", `{"$distinct_id":"anna","flag_keys":["survey-targeting-x"]}`).values())

		only := c.post("/flags/?v=2&only_evaluate_survey_feature_flags=true", `{"token":"phc_test","distinct_id":"anna"}`).is(http.StatusOK).body
		assert.Contains(t, only, "survey-targeting-x")
		assert.NotContains(t, only, "colours")

		form := "data=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(`{"token":"phc_test","distinct_id":"anna"}`)))
		assert.Contains(t, c.post("/flags/?v=2&compression=base64", form).is(http.StatusOK).body, `"pro":{"key":"pro","enabled":true`)
	}
}

func TestRefusedRequestsForFlags(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, flagsFixtures) {
		c := app(t, srv)
		c.post("/flags/?v=2", `{"distinct_id":"a"}`).is(http.StatusUnauthorized)
		c.post("/flags/?v=2", ``).is(http.StatusUnauthorized)
		for _, body := range []string{
			`{"token":"phc_test"}`, `{"token":"phc_test","distinct_id":null}`, `{"token":"phc_test","distinct_id":{}}`, `[{"token":"phc_test"}]`,
			`{"token":"phc_test","distinct_id":"a","person_properties":[1]}`, `{"token":"phc_test","distinct_id":"a","groups":"x"}`,
			`{"token":"phc_test","distinct_id":"a","group_properties":true}`, `{"token":"a b","distinct_id":"a"}`, `token=phc_test`,
		} {
			refused := c.post("/flags/?v=2", body).is(http.StatusBadRequest)
			assert.NotEmpty(t, refused.header.Get("Access-Control-Allow-Origin"))
		}
		c.get("/flags/?v=2&token=phc_test").is(http.StatusMethodNotAllowed)
		c.do(http.MethodOptions, "/flags/?v=2", "").is(http.StatusNoContent)
	}
}

// A rollout is spread by the person, the person before sign-in, or the device.
func TestSpreadOfFlags(t *testing.T) {
	t.Parallel()
	const half = `"filters":{"groups":[{"rollout_percentage":50}]}`
	for _, srv := range deliveringServers(t, `{"feature_flags":[{"id":1,"project_id":1,"key":"persons",`+half+`},
		{"id":2,"project_id":1,"key":"kept","ensure_experience_continuity":true,`+half+`},
		{"id":3,"project_id":1,"key":"devices","bucketing_identifier":"device_id",`+half+`}]}`) {
		c := app(t, srv)
		seen := map[string]map[string]bool{}
		for id := range strings.SplitSeq("abcdefghijklmnop", "") {
			own := c.flags("phc_test", `{"distinct_id":"`+id+`"}`).values()
			with := c.flags("phc_test", `{"distinct_id":"other","$anon_distinct_id":"`+id+`","$device_id":"`+id+`"}`).values()
			other := c.flags("phc_test", `{"distinct_id":"other","person_properties":{"$device_id":"`+id+`"}}`).values()
			assert.Equal(t, own["kept"], with["kept"], id)
			assert.Equal(t, with["devices"], other["devices"], id)
			assert.Equal(t, "off out_of_rollout_bound", own["devices"], "a device is needed")
			for key, value := range map[string]string{"kept": with["kept"], "devices": with["devices"], "persons": own["persons"]} {
				if seen[key] == nil {
					seen[key] = map[string]bool{}
				}
				seen[key][value] = true
			}
			assert.Equal(t, with["persons"], other["persons"])
		}
		for key, values := range seen {
			assert.Len(t, values, 2, key)
		}
	}
}
