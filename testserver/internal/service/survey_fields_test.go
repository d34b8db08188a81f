package service_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// make creates a survey from the given fields, its name, and its type. It returns the response and the
// survey's path.
func (c caller) make(more string) (answer, string) {
	c.t.Helper()
	if more != "" {
		more = "," + more
	}
	a := c.post(surveys, `{"name":"S","type":"popover"`+more+`}`).is(http.StatusCreated)
	return a, surveys + a.object()["id"].(string) + "/"
}

// Response keys that only some responses contain.
var (
	onlyRead  = []string{"linked_flag_id", "linked_insight_id", "feature_flag_keys", "user_access_level"}
	onlyWrite = []string{"targeting_flag_id", "targeting_flag_filters", "remove_targeting_flag", "_create_in_folder"}
)

func keysOf(o object) []string {
	var keys []string
	for name := range o {
		keys = append(keys, name)
	}
	slices.Sort(keys)
	return keys
}

func TestHostedAnswerShapes(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")

	var read, write []string
	for _, name := range api.Fields("Survey") {
		if !slices.Contains(onlyWrite, name) && name != "search_match_type" {
			read = append(read, name)
			if !slices.Contains(onlyRead, name) {
				write = append(write, name)
			}
		}
	}

	created, path := c.make(`"linked_flag_id":1,"targeting_flag_filters":` + tenPercent + `,"remove_targeting_flag":false,"_create_in_folder":"F","unheard_of":1`)
	for name, row := range map[string]struct {
		got  object
		want []string
	}{
		"0 two serializers: create":   {created.object(), write},
		"0 two serializers: update":   {c.patch(path, `{"targeting_flag_filters":`+tenPercent+`}`).object(), write},
		"0 two serializers: retrieve": {c.get(path).object(), read},
		"0 two serializers: list":     {c.get(surveys).results()[0], read},
		"1 nested flag":               {c.get(path).object()["targeting_flag"].(object), api.Fields("FeatureFlag")},
		"1 nested user":               {c.get(path).object()["created_by"].(object), api.Fields("User")},
	} {
		assert.Equal(t, row.want, keysOf(row.got), name)
	}

	for _, name := range onlyWrite {
		assert.Empty(t, created.raw(name)+c.get(path).raw(name), "0 write-only: %s is in no answer", name)
	}

	assert.Equal(t, `{"url":"x"}`, c.patch(path, `{"conditions":{"url":"x"}}`).raw("conditions"), "0 conditions are an object when written")
	assert.Equal(t, `{"url":"x"}`, c.get(path).raw("conditions"), "0 conditions are an object when read")
}

// The default values of a survey.
func TestHostedDefaults(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	created, path := c.make("")
	read := c.get(path)

	for name, want := range map[string]string{
		"id": `"019b0000-0000-0000-0000-000000000001"`, "description": `""`, "schedule": `"once"`,
		"linked_flag": "null", "targeting_flag": "null", "questions": "null", "conditions": "null", "appearance": "null",
		"created_at": `"2026-01-02T03:04:05.678901Z"`, "start_date": "null", "end_date": "null", "archived": "false",
		"responses_limit": "null", "iteration_count": "null", "iteration_frequency_days": "null",
		"iteration_start_dates": "[]", "current_iteration": "null", "current_iteration_start_date": "null",
		"response_sampling_start_date": "null", "response_sampling_interval_type": `"week"`,
		"response_sampling_interval": "null", "response_sampling_limit": "null", "response_sampling_daily_limits": "null",
		"enable_partial_responses": "false", "enable_iframe_embedding": "false", "base_language": `"en"`,
		"translations": "null", "form_content": "null",
	} {
		assert.Equal(t, want, created.raw(name), "1 %s", name)
		assert.Equal(t, want, read.raw(name), "1 %s", name)
	}

	assert.NotEqual(t, "null", created.raw("internal_targeting_flag"), "1 internal_targeting_flag")
	assert.Equal(t, "1", read.flag("created_by", "id"), "1 created_by")
	assert.Equal(t, "null", read.raw("linked_flag_id"), "1 linked_flag_id")
	assert.Equal(t, "null", read.raw("linked_insight_id"), "1 linked_insight_id")
	assert.Equal(t, `"manager"`, read.raw("user_access_level"), "1 user_access_level")
	assert.Equal(t, `null`, read.flag("created_by", "hedgehog_config"), "1 nested user")

	for name, want := range map[string]string{"version": "1", "evaluation_runtime": `"all"`, "evaluation_contexts": "[]", "bucketing_identifier": `"distinct_id"`} {
		assert.Equal(t, want, read.flag("internal_targeting_flag", name), "1 nested flag")
	}
}

// One request sets every writable field, and the response contains the values.
func TestHostedFields(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, `{"insights":[{"id":5,"project_id":1}]}`)

	for _, row := range []struct{ name, sent, stored string }{
		{"1 id", `"id":"00000000-0000-4000-8000-000000000000"`, `"019b0000`},
		{"1 name", `"name":"Another"`, `"Another"`},
		{"1 description", `"description":"<b>as it is"`, `"<b>as it is"`},
		{"1 type", `"type":"external_survey"`, `"external_survey"`},
		{"1 type", `"type":"widget"`, `"widget"`},
		{"1 schedule", `"schedule":"recurring"`, `"recurring"`},
		{"1 linked_flag_id", `"linked_flag_id":1`, `1`},
		{"1 linked_insight_id", `"linked_insight_id":5`, `5`},
		{"1 questions", `"questions":[]`, `[]`},
		{"1 conditions", `"conditions":{}`, `{}`},
		{"1 appearance", `"appearance":{"anything":[1,null]}`, `{"anything":[1,null]}`},
		{"1 created_at", `"created_at":"1999-01-01T00:00:00Z"`, `"2026-01-02T03:04:05.678901Z"`},
		{"1 start_date", `"start_date":"2026-05-01T00:00:00Z"`, `"2026-05-01T00:00:00Z"`},
		{"1 end_date", `"end_date":"2025-01-01T00:00:00Z"`, `"2025-01-01T00:00:00Z"`},
		{"1 archived", `"archived":true`, `true`},
		{"1 archived", `"archived":"no"`, `false`},
		{"1 responses_limit", `"responses_limit":2147483647`, `2147483647`},
		{"1 responses_limit", `"responses_limit":"12"`, `12`},
		{"1 iteration_count", `"iteration_count":500`, `500`},
		{"1 iteration_frequency_days", `"iteration_frequency_days":366`, `366`},
		{"1 iteration_start_dates overwritten", `"iteration_start_dates":["2026-01-01T00:00:00Z"]`, `[]`},
		{"1 current_iteration overwritten", `"current_iteration":3`, `null`},
		{"1 current_iteration_start_date overwritten", `"current_iteration_start_date":"2026-01-01"`, `null`},
		{"1 response_sampling_start_date", `"response_sampling_start_date":"2026-01-02","response_sampling_interval_type":null`, `"2026-01-02T00:00:00Z"`},
		{"1 response_sampling_interval_type", `"response_sampling_interval_type":"month"`, `"month"`},
		{"1 response_sampling_interval", `"response_sampling_interval":3`, `3`},
		{"1 response_sampling_limit", `"response_sampling_limit":0`, `0`},
		{"1 response_sampling_daily_limits", `"response_sampling_daily_limits":"[]"`, `null`},
		{"1 enable_partial_responses", `"enable_partial_responses":true`, `true`},
		{"1 enable_partial_responses", `"enable_partial_responses":null`, `null`},
		{"1 enable_iframe_embedding", `"enable_iframe_embedding":true`, `true`},
		{"1 base_language", `"base_language":"pt-br"`, `"pt-br"`},
		{"1 base_language", `"base_language":""`, `"en"`},
		{"1 translations", `"translations":{"es":{"name":"Uno"}}`, `{"es":{"name":"Uno"}}`},
		{"1 form_content", `"form_content":{"type":["doc"]}`, `{"type":["doc"]}`},
	} {
		_, path := c.make("")
		c.patch(path, "{"+row.sent+"}").is(http.StatusOK)

		name, _, _ := strings.Cut(strings.TrimPrefix(row.sent, `"`), `"`)
		stored := c.get(path).raw(name)

		if strings.HasSuffix(row.stored, "0000") {
			assert.Contains(t, stored, row.stored, row.name)
		} else {
			assert.Equal(t, row.stored, stored, row.name)
		}

		c.delete(path).is(http.StatusNoContent)
	}
}

// The four flag keys of a survey are always present, in this order.
func TestHostedFlagKeys(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make("")
	keys := c.get(path).raw("feature_flag_keys")
	assert.Regexp(t, `^\[{"key":"linked_flag_key","value":null},{"key":"targeting_flag_key","value":null},`+
		`{"key":"internal_targeting_flag_key","value":"survey-targeting-[0-9a-f]{10}-custom"},`+
		`{"key":"internal_response_sampling_flag_key","value":null}\]$`, keys, "1 feature_flag_keys")
	c.patch(path, `{"linked_flag_id":1,"targeting_flag_filters":`+tenPercent+`,"response_sampling_start_date":"2026-01-02T00:00:00Z",
		"response_sampling_interval":1,"response_sampling_limit":10}`).is(http.StatusOK)
	assert.Regexp(t, `"value":"test-flag".*"value":"survey-targeting-[0-9a-f]{10}"}.*-custom".*"survey-targeting-[0-9a-f]{10}-sampling"`,
		c.get(path).raw("feature_flag_keys"), "1 feature_flag_keys")
}

func property(key, value, operator string) string {
	return `{"key":"` + key + `","type":"person","value":"` + value + `","operator":"` + operator + `"}`
}

func group(properties ...string) string {
	return `{"variant":"","properties":[` + strings.Join(properties, ",") + `],"rollout_percentage":100,"aggregation_group_type_index":null}`
}

func filters(groups ...string) string {
	return `{"groups":[` + strings.Join(groups, ",") + `],"aggregation_group_type_index":null}`
}

func TestHostedFlagsOfANewSurvey(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	response, path := c.make(`"start_date":"2026-01-01T00:00:00Z","targeting_flag_filters":{"groups":[{"properties":[],"rollout_percentage":10}],"payloads":{"true":1}}`)
	id := response.object()["id"].(string)
	untouched := []string{property("$survey_dismissed/"+id, "is_not_set", "is_not_set"), property("$survey_responded/"+id, "is_not_set", "is_not_set")}
	assert.Regexp(t, `^"survey-targeting-[0-9a-f]{10}-custom"$`, response.flag("internal_targeting_flag", "key"), "1.1 internal flag")
	assert.Equal(t, `"Targeting flag for survey S"`, response.flag("internal_targeting_flag", "name"), "1.1 internal flag")
	assert.Equal(t, filters(group(untouched...)), response.flag("internal_targeting_flag", "filters"), "1.1 internal flag")
	assert.Equal(t, "true", response.flag("internal_targeting_flag", "active"), "1.1 internal flag active")

	assert.Regexp(t, `^"survey-targeting-[0-9a-f]{10}"$`, response.flag("targeting_flag", "key"), "1.1 targeting flag")
	assert.Equal(t, "false", response.flag("targeting_flag", "active"), "1.1 targeting flag created inactive")
	assert.Equal(t, `{"groups":[{"properties":[],"rollout_percentage":10,"aggregation_group_type_index":null}],"payloads":{"true":"1"},"aggregation_group_type_index":null}`,
		response.flag("targeting_flag", "filters"), "1.1 aggregation_group_type_index")
	assert.Equal(t, "true", c.patch(path, `{}`).flag("targeting_flag", "active"), "1.1 targeting flag synced by the first PATCH")

	c.patch(path, `{"name":"Renamed"}`).is(http.StatusOK)
	assert.Equal(t, `"Targeting flag for survey S"`, c.get(path).flag("internal_targeting_flag", "name"), "1.1 renaming does not rename flags")
	assert.Equal(t, `"Targeting flag for survey S"`, c.get(path).flag("targeting_flag", "name"), "1.1 renaming does not rename flags")

	for _, row := range []struct{ name, more, active string }{
		{"1.1 internal flag active: draft", `"archived":false`, "false"},
		{"1.1 internal flag active: ended", `"start_date":"2026-01-01T00:00:00Z","end_date":"2026-01-01T00:00:00Z"`, "false"},
		{"1.1 internal flag active: archived", `"start_date":"2026-01-01T00:00:00Z","archived":true`, "false"},
		{"1.1 internal flag active: to come", `"start_date":"2030-01-01T00:00:00Z"`, "true"},
	} {
		response, path := c.make(row.more)
		assert.Equal(t, row.active, response.flag("internal_targeting_flag", "active"), row.name)
		c.delete(path).is(http.StatusNoContent)
	}
	assert.NotContains(t, srv.Dump(), "-sampling")
}

func TestHostedInternalFlagFilters(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	response, path := c.make(`"iteration_count":3,"iteration_frequency_days":7,"conditions":{"seenSurveyWaitPeriodInDays":14}`)
	own := response.object()["id"].(string) + "/1"
	untouched := []string{property("$survey_dismissed/"+own, "is_not_set", "is_not_set"), property("$survey_responded/"+own, "is_not_set", "is_not_set")}
	unseen := property("$last_seen_survey_date", "is_not_set", "is_not_set")
	long := property("$last_seen_survey_date", "14d", "is_date_before")
	assert.Equal(t, filters(group(append(untouched, unseen)...), group(append(untouched, long)...)),
		response.flag("internal_targeting_flag", "filters"), "1.1 iterations and days to wait")
	c.patch(path, `{"start_date":"2026-01-01T00:00:00Z","current_iteration":2,"conditions":{"seenSurveyWaitPeriodInDays":0}}`).is(http.StatusOK)
	assert.Contains(t, c.get(path).flag("internal_targeting_flag", "filters"), "/2", "1.1 iterations")
	assert.NotContains(t, c.get(path).flag("internal_targeting_flag", "filters"), "$last_seen", "1.1 days to wait")
}

func TestHostedSamplingFlag(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	sampled := `"response_sampling_start_date":"2026-01-02T00:00:00Z","response_sampling_interval":1,"response_sampling_limit":10`
	_, path := c.make(sampled)
	flags := srv.Dump()
	assert.Regexp(t, `"key":"survey-targeting-[0-9a-f]{10}-sampling","filters":`+regexpQuote(filters(group()))+`,"deleted":false,"active":false`, flags, "1.1 sampling flag")
	c.patch(path, `{"start_date":"2026-01-01T00:00:00Z"}`).is(http.StatusOK)
	assert.Equal(t, 1, strings.Count(srv.Dump(), "-sampling"), "1.1 sampling flag is made once")
	srv.SetFixtures(srv.Dump())
	c.patch(path, `{}`).is(http.StatusOK)
	assert.Equal(t, 1, strings.Count(srv.Dump(), "-sampling"), "1.1 sampling flag is kept by fixtures")
	c.delete(path).is(http.StatusNoContent)
	assert.Equal(t, 1, strings.Count(srv.Dump(), "-sampling"), "7 DELETE leaves the sampling flag")
	assert.NotContains(t, srv.Dump(), "-custom", "7 DELETE takes the internal flag")
}

func regexpQuote(s string) string {
	return strings.NewReplacer("{", `\{`, "[", `\[`, "]", `\]`, "}", `\}`, "$", `\$`).Replace(s)
}

// Values that differ between writing and reading: strings, dates, and languages.
func TestHostedNormalisation(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make("")

	for _, row := range []struct{ name, sent, stored string }{
		{"1.2(1) name", `"name":" \t Outer  blanks\u00a0\n"`, `"Outer  blanks"`},
		{"1.2(1) description", `"description":"\n a \n"`, `"a"`},
		{"1.2(1) description", `"description":"   "`, `""`},
		{"1.2(1) schedule", `"schedule":" always "`, `"always"`},
		{"1.2(1) base_language", `"base_language":" es "`, `"es"`},
		{"1.2(1) JSON is not trimmed", `"appearance":{"thankYouMessageHeader":" a "}`, `{"thankYouMessageHeader":" a "}`},
		{"1.2(1) questions are not trimmed", `"questions":[{"id":"1","question":" a "}]`, `[{"id":"1","question":" a "}]`},
		{"1.2(4) naive is UTC", `"start_date":"2023-04-01T12:00:10"`, `"2023-04-01T12:00:10Z"`},
		{"1.2(4) offset", `"start_date":"2023-04-01T12:00:10+02:00"`, `"2023-04-01T10:00:10Z"`},
		{"1.2(4) offset over midnight", `"end_date":"2023-04-01T00:30:00+05:30"`, `"2023-03-31T19:00:00Z"`},
		{"1.2(4) no seconds", `"end_date":"2023-04-01T12:00"`, `"2023-04-01T12:00:00Z"`},
		{"1.2(4) fraction of zero", `"end_date":"2023-04-01T12:00:00.000Z"`, `"2023-04-01T12:00:00Z"`},
		{"1.2(4) fraction", `"end_date":"2023-04-01T12:00:00.5Z"`, `"2023-04-01T12:00:00.500000Z"`},
		{"1.2(4) finer than microseconds", `"end_date":"2023-04-01T12:00:00.1234569Z"`, `"2023-04-01T12:00:00.123456Z"`},
		{"1.2(4) date only", `"end_date":"2023-04-01"`, `"2023-04-01T00:00:00Z"`},
		{"1.2(4) blank for T", `"end_date":"2023-04-01 12:00:00Z"`, `"2023-04-01T12:00:00Z"`},
		{"1.2(8) base_language", `"base_language":"Pt_BR"`, `"pt-br"`},
		{"1.2(8) keys", `"translations":{"Ro_RO":{"name":"x"}}`, `{"ro-ro":{"name":"x"}}`},
		{"1.2(8) unknown fields", `"translations":{"ro":{"name":"x","zz":"y","type":1}}`, `{"ro":{"name":"x"}}`},
		{"1.2(8) empty entries", `"translations":{"ro":{"zz":"y"},"fr":{},"de":{"name":""}}`, `{"de":{"name":""}}`},
		{
			"1.2(8) question translations", `"questions":[{"id":"1","question":"q","translations":{"Ro_RO":{"question":"x","zz":1}}}]`,
			`[{"id":"1","question":"q","translations":{"ro-ro":{"question":"x"}}}]`,
		},
		{
			"1.2(8) choices of a question without", `"questions":[{"id":"1","question":"q","translations":{"ro":{"choices":["x"],"question":"y"}}}]`,
			`[{"id":"1","question":"q","translations":{"ro":{"question":"y"}}}]`,
		},
	} {
		name, _, _ := strings.Cut(strings.TrimPrefix(row.sent, `"`), `"`)
		assert.Equal(t, row.stored, c.patch(path, "{"+row.sent+"}").is(http.StatusOK).raw(name), row.name)
		assert.Equal(t, row.stored, c.get(path).raw(name), row.name)
		c.patch(path, `{"translations":null,"base_language":"en"}`).is(http.StatusOK)
	}
}

const uuidForm = `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`

func TestHostedQuestionIDs(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")

	created, path := c.make(`"questions":[{"question":"a"},{"id":"custom-id-1","question":"b"},{"id":"","question":"c"},{"id":null,"question":"d"}]`)
	read := c.get(path)
	assert.Equal(t, created.questionIDs(), read.questionIDs(), "1.2(2) the same when read")
	ids := read.questionIDs()

	assert.Equal(t, "custom-id-1", ids[1], "1.2(2) ids of any form are kept")
	for i, id := range ids {
		if i != 1 {
			assert.Regexp(t, "^"+uuidForm+"$", id, "1.2(2) a UUID v4")
		}
	}
	assert.Equal(t, `{"question":"a","id":"`+ids[0]+`"}`, string(created.questions()[0]), "1.2(2) at the end when it was not sent")

	c.patch(path, `{"description":"x"}`).is(http.StatusOK)
	assert.Equal(t, ids, c.get(path).questionIDs(), "1.2(2) kept by other updates")

	again := c.patch(path, `{"questions":[{"question":"a"}]}`).questionIDs()
	assert.Len(t, again, 1, "1.2(2) the list is replaced whole")
	assert.NotEqual(t, ids[0], again[0], "1.2(2) a new id each time")

	kept := c.patch(path, `{"questions":[{"question":"new","id":"`+again[0]+`"}]}`).questionIDs()
	assert.Equal(t, again, kept, "1.2(2) an id that is sent stays")

	c.patch(path, `{"questions":[{"question":"n","type":"unheard_of","zz":{"y":[9007199254740993,null]},"branching":{"type":"odd"},"id":"1","scale":11}]}`).is(http.StatusOK)
	assert.JSONEq(t, `[{"question":"n","type":"unheard_of","zz":{"y":[9007199254740993,null]},"branching":{"type":"odd"},"id":"1","scale":11}]`,
		c.get(path).raw("questions"), "2 unknown keys, kinds, branchings and scales pass")
	assert.Contains(t, c.get(path).raw("questions"), "9007199254740993", "2 unknown keys pass")
}

// questions returns the encoded questions in a response.
func (a answer) questions() []json.RawMessage {
	a.t.Helper()
	var questions []json.RawMessage
	require.NoError(a.t, json.Unmarshal([]byte(a.raw("questions")), &questions))
	return questions
}

func (a answer) questionIDs() []string {
	a.t.Helper()
	var ids []string
	for _, raw := range a.questions() {
		var q struct{ ID string }
		require.NoError(a.t, json.Unmarshal(raw, &q))
		ids = append(ids, q.ID)
	}
	return ids
}

// The effect of cleaning on texts. It does not change text without markup.
func TestHostedCleaning(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make("")

	for _, row := range []struct{ name, sent, stored string }{
		{"1.2(3) no markup: less than", `a < b && c > d`, `a < b && c > d`},
		{"1.2(3) no markup: entity", `Q&amp;A &lt;b&gt;`, `Q&amp;A &lt;b&gt;`},
		{"1.2(3) no markup: open tag", `a <b`, `a <b`},
		{"1.2(3) no markup: heart", `I <3 you`, `I <3 you`},
		{"1.2(3) script", `<b>We'll use it to make notebooks better.<script>alert(0)</script>`, `<b>We'll use it to make notebooks better.</b>`},
		{"1.2(3) script alone", `<script>alert(0)</script>`, ``},
		{"1.2(3) style", `a<style>p{}</style>b`, `ab`},
		{"1.2(3) comment", `a<!-- b -->c`, `ac`},
		{"1.2(3) doctype", `<!DOCTYPE html>a`, `a`},
		{"1.2(3) unclosed", `<p>one<p>two <i>x`, `<p>one</p><p>two <i>x</i></p>`},
		{"1.2(3) unknown tag", `<form>a <button>b</button></form><blink>c</blink>`, `a bc`},
		{"1.2(3) not media", `<video src="x">v</video><svg><path d="m"/></svg>z`, `vz`},
		{"1.2(3) link", `<a href="https://example.com" onclick="x()">a</a>`, `<a href="https://example.com" rel="noopener">a</a>`},
		{"1.2(3) link with rel", `<a href="/x" rel="nofollow" target="_blank">a</a>`, `<a href="/x" target="_blank" rel="noopener">a</a>`},
		{"1.2(3) link with script", `<a href=" java&#10;script:x()">a</a>`, `<a rel="noopener">a</a>`},
		{"1.2(3) image", `<img src=x.png alt="a&quot;b" onerror=x align=left>`, `<img src="x.png" alt="a&quot;b" align="left">`},
		{"1.2(3) attributes of all tags", `<span style="color: red" lang=en title=t width=1 height=2 class=c id=i>a</span>`, `<span style="color: red" lang="en" title="t" width="1" height="2">a</span>`},
		{"1.2(3) bare signs beside a tag", `R&D <b>"it's"</b> 1 < 2 > 0`, `R&amp;D <b>"it's"</b> 1 &lt; 2 &gt; 0`},
		{"1.2(3) hard blank beside a tag", "a\u00a0<b>b</b>", `a&nbsp;<b>b</b>`},
		{"1.2(3) void", `a<br/>b<hr>`, `a<br>b<hr>`},
		{"1.2(3) nothing to change", `<ul><li><em>a</em></li></ul>`, `<ul><li><em>a</em></li></ul>`},
		{"1.2(3) capitals", `<B>a</B>`, `<b>a</b>`},
		{"1.2(3) table", `<table><tr><td bgcolor=red>a`, `<table><tbody><tr><td bgcolor="red">a</td></tr></tbody></table>`},
	} {
		c.patch(path, `{"questions":[{"id":"1","question":`+quoted("."+row.sent)+`}]}`).is(http.StatusOK)
		assert.JSONEq(t, `[{"id":"1","question":`+quoted("."+row.stored)+`}]`, c.get(path).raw("questions"), row.name)
	}

	c.patch(path, `{"questions":[{"id":"1","question":"<script>x</script>"}]}`).is(http.StatusOK)
	assert.JSONEq(t, `[{"id":"1","question":""}]`, c.get(path).raw("questions"), "1.2(3) nothing left")
}

// Fields whose texts are cleaned, and fields whose texts are not.
func TestHostedCleanedFields(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make("")
	const dirty, clean = `<i>x<script>y</script>`, `<i>x</i>`
	text := `"question":"DIRTY","description":"DIRTY","buttonText":"DIRTY","lowerBoundLabel":"DIRTY","upperBoundLabel":"DIRTY"`
	sent := `{"questions":[{"id":"1",` + text + `,"choices":["DIRTY","b"],"link":"https://x/DIRTY",
		"translations":{"de":{` + text + `,"choices":["DIRTY","c"],"link":"https://x/DIRTY"}},"other":"KEEP","placeholder":"KEEP"}],
		"appearance":{"thankYouMessageHeader":"DIRTY","thankYouMessageDescription":"DIRTY","thankYouMessageCloseButtonText":"DIRTY","submitButtonText":"KEEP"},
		"translations":{"de":{"name":"DIRTY","description":"DIRTY","thankYouMessageHeader":"DIRTY","thankYouMessageDescription":"DIRTY","thankYouMessageCloseButtonText":"DIRTY"}},
		"conditions":{"selector":"KEEP"},"form_content":{"k":"KEEP"},"description":"KEEP","name":"KEEP"}`
	written := c.patch(path, strings.NewReplacer("DIRTY", dirty, "KEEP", dirty).Replace(sent)).is(http.StatusOK)
	var want map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(strings.NewReplacer("KEEP", dirty, "DIRTY", clean).Replace(sent)), &want))
	for name, value := range want {
		assert.JSONEq(t, string(value), written.raw(name), "1.2(3) fields: %s", name)
		assert.JSONEq(t, string(value), c.get(path).raw(name), "1.2(3) fields: %s", name)
	}
}

const actionFixtures = `{"projects":[{"id":1},{"id":2}],"actions":[{"id":3,"project_id":1,"name":"Signed up"},{"id":2,"project_id":1,"name":"Paid"},{"id":9,"project_id":2}]}`

// The database orders keys by length, and then by bytes.
func TestHostedKeyOrder(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	created, path := c.make(`"questions":[{"type":"open","question":"q","id":"1","zz":{"bb":1,"a":2,"a":3}}],"appearance":{"zz":1,"b":2}`)
	assert.Equal(t, `[{"type":"open","question":"q","id":"1","zz":{"bb":1,"a":2,"a":3}}]`, created.raw("questions"), "1.2(10) as it was sent")
	assert.Equal(t, `[{"id":"1","zz":{"a":3,"bb":1},"type":"open","question":"q"}]`, c.get(path).raw("questions"), "1.2(10) as it is stored")
	updated := c.patch(path, `{"appearance":{"zz":1,"b":3}}`)
	assert.Equal(t, `{"zz":1,"b":3}`, updated.raw("appearance"), "1.2(10) as it was sent")
	assert.Equal(t, c.get(path).raw("questions"), updated.raw("questions"), "1.2(10) what was not sent is as it is stored")
}
