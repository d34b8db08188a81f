package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// fullSurvey sets every field that can be cleared.
const fullSurvey = `"description":"d","schedule":"recurring","linked_flag_id":1,"linked_insight_id":5,"targeting_flag_filters":` + tenPercent + `,
"questions":[{"id":"1","question":"q"}],"conditions":{"url":"x"},"appearance":{"a":1},"start_date":"2026-01-01T00:00:00Z",
"end_date":"2026-01-03T00:00:00Z","archived":true,"responses_limit":9,"iteration_count":2,"iteration_frequency_days":7,
"response_sampling_start_date":"2026-01-02T00:00:00Z","response_sampling_interval":1,"response_sampling_limit":7,
"enable_partial_responses":true,"translations":{"de":{"name":"N"}},"form_content":{"x":1}`

// For every field, one request each omits it, sets it to null, and sets it to an empty value.
func TestHostedPatch(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, `{"insights":[{"id":5,"project_id":1}]}`)
	_, path := c.make(fullSurvey)
	whole := c.get(path).object()

	c.patch(path, `{}`).is(http.StatusOK)
	after := c.get(path).object()

	for name, value := range whole {
		// An update turns flags on or off and increases their versions.
		if !strings.HasSuffix(name, "_flag") {
			assert.Equal(t, value, after[name], "1.3 %s absent: kept", name)
		}
	}

	for _, row := range []struct{ name, sent, stored string }{
		{"1.3 name same again", `"name":"S"`, `"S"`},
		{"1.3 description empty", `"description":""`, `""`},
		{"1.3 schedule null", `"schedule":null`, `null`},
		{"1.3 questions null", `"questions":null`, `null`},
		{"1.3 questions empty", `"questions":[]`, `[]`},
		{"1.3 questions replaced", `"questions":[{"id":"2","question":"r"}]`, `[{"id":"2","question":"r"}]`},
		{"1.3 conditions null", `"conditions":null`, `null`},
		{"1.3 conditions empty", `"conditions":{}`, `{}`},
		{"1.3 appearance null", `"appearance":null`, `null`},
		{"1.3 appearance replaced, not merged", `"appearance":{"b":2}`, `{"b":2}`},
		{"1.3 translations null", `"translations":null`, `null`},
		{"1.3 translations empty", `"translations":{}`, `{}`},
		{"1.3 translations replaced, not merged", `"translations":{"fr":{"name":"M"}}`, `{"fr":{"name":"M"}}`},
		{"1.3 form_content null", `"form_content":null`, `null`},
		{"1.3 form_content replaced, not merged", `"form_content":{"y":1}`, `{"y":1}`},
		{"1.3 start_date null", `"start_date":null`, `null`},
		{"1.3 end_date null", `"end_date":null`, `null`},
		{"1.3 end_date before start_date", `"end_date":"2020-01-01T00:00:00Z"`, `"2020-01-01T00:00:00Z"`},
		{"1.3 responses_limit null", `"responses_limit":null`, `null`},
		{"1.3 responses_limit 0", `"responses_limit":0`, `0`},
		{"1.3 iteration_frequency_days null", `"iteration_frequency_days":null`, `null`},
		{"1.3 iteration_frequency_days 0", `"iteration_frequency_days":0`, `0`},
		{"1.3 iteration_count null", `"iteration_count":null`, `null`},
		{"1.3 response_sampling_start_date null", `"response_sampling_start_date":null`, `null`},
		{"1.3 response_sampling_interval_type null", `"response_sampling_interval_type":null`, `null`},
		{"1.3 response_sampling_limit null, without a start", `"response_sampling_limit":null`, `null`},
		{"1.3 response_sampling_interval null, without a start", `"response_sampling_interval":null`, `null`},
		{"1.3 enable_partial_responses null", `"enable_partial_responses":null`, `null`},
	} {
		name, _, _ := strings.Cut(strings.TrimPrefix(row.sent, `"`), `"`)
		assert.Equal(t, row.stored, c.patch(path, "{"+row.sent+"}").is(http.StatusOK).raw(name), row.name)
		assert.Equal(t, row.stored, c.get(path).raw(name), row.name)
	}

	for _, row := range []struct{ name, sent, code, attr, detail string }{
		{"1.3 name null", `"name":null`, "null", "name", "This field may not be null."},
		{"1.3 name empty", `"name":""`, "blank", "name", "This field may not be blank."},
		{"1.3 description null", `"description":null`, "null", "description", "This field may not be null."},
		{"1.3 type null", `"type":null`, "null", "type", "This field may not be null."},
		{"1.3 type bad", `"type":"full_screen"`, "invalid_choice", "type", `"full_screen" is not a valid choice.`},
		{"1.3 schedule empty", `"schedule":""`, "blank", "schedule", "This field may not be blank."},
		{"1.3 targeting_flag_id null", `"targeting_flag_id":null`, "null", "targeting_flag_id", "This field may not be null."},
		{"1.3 archived null", `"archived":null`, "null", "archived", "This field may not be null."},
	} {
		before := c.get(path).body
		c.patch(path, "{"+row.sent+"}").fails(http.StatusBadRequest, row.code, row.attr, row.detail)
		assert.Equal(t, before, c.get(path).body, row.name)
	}

	for _, row := range []struct{ name, sent string }{
		{"1.3 linked_flag_id 0", `"linked_flag_id":0`},
		{"1.3 targeting_flag_id 0", `"targeting_flag_id":0`},
		{"1 enable_iframe_embedding null", `"enable_iframe_embedding":null`},
	} {
		a := c.patch(path, "{"+row.sent+"}")
		assert.Equal(t, http.StatusInternalServerError, a.status, row.name)
		a.fails(http.StatusInternalServerError, "error", "", "A server error occurred.")
	}
}

func TestHostedPatchOfLinks(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, actionFixtures)
	srv.CreateFlag(map[string]any{"id": 50, "key": "linked"})
	_, path := c.make(`"linked_flag_id":50`)
	assert.Equal(t, "50", c.patch(path, `{}`).flag("linked_flag", "id"), "1.3 linked_flag_id absent: kept")
	assert.Equal(t, "null", c.patch(path, `{"linked_flag_id":null}`).raw("linked_flag"), "1.3 linked_flag_id null: unlinked")
	assert.Equal(t, "null", c.get(path).raw("linked_flag_id"), "1.3 linked_flag_id null: unlinked")
	assert.Contains(t, srv.Dump(), `"key":"linked"`, "1.3 linked_flag_id null: the flag is kept")

	linked := `{"conditions":{"actions":{"values":[{"id":2,"name":"n"}]},"url":"x"}}`
	raw := `{"actions":{"values":[{"id":2,"name":"n"}]},"url":"x"}`
	const full = `"is_action":true`
	assert.Contains(t, c.patch(path, linked).raw("conditions"), full)
	other := c.patch(path, `{"description":"x"}`)
	assert.JSONEq(t, raw, other.raw("conditions"), "1.3 conditions absent: the stored JSON is kept, the links are cleared")
	assert.JSONEq(t, raw, c.get(path).raw("conditions"), "1.3 conditions absent: links are cleared")
	srv.SetFixtures(srv.Dump())
	assert.JSONEq(t, raw, c.get(path).raw("conditions"), "1.3 conditions absent: links stay cleared through fixtures")
	for name, row := range map[string]string{
		"1.3 conditions null: actions cleared":         `null`,
		"1.3 conditions empty: actions cleared":        `{}`,
		"1.3 conditions actions null: cleared":         `{"actions":null}`,
		"1.3 conditions actions without values":        `{"actions":{}}`,
		"1.3 conditions actions values null: cleared":  `{"actions":{"values":null}}`,
		"1.3 conditions actions values empty: cleared": `{"actions":{"values":[]}}`,
	} {
		assert.Contains(t, c.patch(path, linked).raw("conditions"), full)
		// The response shows actions without values as an empty list.
		shown := row
		if strings.Contains(row, "{}") && row != "{}" || strings.Contains(row, `"values":null`) {
			shown = `{"actions":{"values":[]}}`
		}
		assert.Equal(t, shown, c.patch(path, `{"conditions":`+row+`}`).raw("conditions"), name)
		assert.Equal(t, shown, c.get(path).raw("conditions"), name)
	}
	// PostHog's web app sends conditions together with their links.
	c.patch(path, linked).is(http.StatusOK)
	c.patch(path, `{}`).is(http.StatusOK)
	srv.PatchSurvey(c.get(path).object()["id"].(string), map[string]any{"conditions": map[string]any{"url": "y"}})
	assert.Contains(t, c.get(path).raw("conditions"), full)
}

func TestHostedPatchOfRecurrence(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make(`"start_date":"2026-01-01T00:00:00Z","iteration_count":2,"iteration_frequency_days":7`)
	frequency := func() string { return c.get(path).raw("iteration_frequency_days") }
	c.patch(path, `{"description":"x"}`).is(http.StatusOK)
	assert.Equal(t, "7", frequency(), "1.3 iteration_count absent: kept")
	off := c.patch(path, `{"iteration_count":3}`).is(http.StatusOK)
	assert.Equal(t, "null", off.raw("iteration_frequency_days"), "1.3 iteration_count without frequency")
	assert.Equal(t, "[]", off.raw("iteration_start_dates"), "1.3 iteration_count without frequency turns recurrence off")
	c.patch(path, `{"iteration_count":2,"iteration_frequency_days":7}`).is(http.StatusOK)
	c.patch(path, `{"iteration_count":null}`).is(http.StatusOK)
	assert.Equal(t, "7", frequency(), "1.3 iteration_count null: recurrence off, the frequency stays")
	assert.Equal(t, "[]", c.get(path).raw("iteration_start_dates"), "1.3 iteration_count null: recurrence off")
	c.patch(path, `{"iteration_count":0,"iteration_frequency_days":7}`).is(http.StatusOK)
	assert.Equal(t, "[]", c.get(path).raw("iteration_start_dates"), "1.3 iteration_count 0: off")
}

func TestHostedPatchOfTargeting(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	_, path := c.make(`"targeting_flag_filters":` + tenPercent)
	first := c.get(path).flag("targeting_flag", "id")
	for _, nothing := range []string{`"targeting_flag_filters":null`, `"targeting_flag_filters":{}`, `"remove_targeting_flag":null`, `"remove_targeting_flag":false`, ``} {
		updated := c.patch(path, "{"+nothing+"}").is(http.StatusOK)
		assert.Equal(t, first, updated.flag("targeting_flag", "id"), "1.3 no-op: %s", nothing)
		assert.Equal(t, "1", updated.flag("targeting_flag", "version"), "1.3 no-op: %s", nothing)
	}
	edited := c.patch(path, `{"targeting_flag_filters":{"groups":[{"properties":[],"rollout_percentage":20}],"payloads":{"true":1}}}`)
	assert.Equal(t, first, edited.flag("targeting_flag", "id"), "1.3 targeting_flag_filters edits the flag")
	assert.Equal(t, "2", edited.flag("targeting_flag", "version"), "1.2(12) version")
	edited = c.patch(path, `{"targeting_flag_filters":{"groups":[]}}`)
	assert.Equal(t, `{"groups":[],"payloads":{"true":"1"},"aggregation_group_type_index":null}`, edited.flag("targeting_flag", "filters"), "1.2(9) a shallow merge")

	removed := c.patch(path, `{"remove_targeting_flag":true}`).is(http.StatusOK)
	assert.Equal(t, "null", removed.raw("targeting_flag"), "1.3 remove_targeting_flag true")
	assert.NotContains(t, srv.Dump(), `"id":`+first+`,"project_id":1,"name":"Targeting`, "1.3 remove_targeting_flag deletes for good")
	c.patch(path, `{"remove_targeting_flag":true}`).is(http.StatusOK)
	c.patch(path, `{"targeting_flag_filters":`+tenPercent+`}`).is(http.StatusOK)
	second := c.get(path).flag("targeting_flag", "id")
	c.patch(path, `{"remove_targeting_flag":true,"targeting_flag_filters":`+tenPercent+`}`).is(http.StatusOK)
	third := c.get(path).flag("targeting_flag", "id")
	assert.NotContains(t, []string{"null", first, second}, third, "1.3 remove and filters: delete, then create")

	c.patch(path, `{"targeting_flag_id":1}`).is(http.StatusOK)
	assert.Equal(t, "1", c.get(path).flag("targeting_flag", "id"), "1.3 targeting_flag_id points to another")
	assert.Contains(t, srv.Dump(), `"id":`+third+`,"project_id":1`, "1.3 targeting_flag_id: the old flag is not deleted")
	both := c.patch(path, `{"targeting_flag_filters":{"groups":[]},"targeting_flag_id":`+third+`}`).is(http.StatusOK)
	assert.Equal(t, third, both.flag("targeting_flag", "id"), "1.3 targeting_flag_id and filters: the old flag is edited, the other attached")
	assert.Contains(t, srv.Dump(), `"key":"test-flag","filters":{"groups":[]},"deleted":false`, "1.3 targeting_flag_id and filters")
	both = c.patch(path, `{"remove_targeting_flag":true,"targeting_flag_id":1}`).is(http.StatusOK)
	assert.Equal(t, "null", both.raw("targeting_flag"), "1.3 remove_targeting_flag true beside an id: none")
	c.patch(path, `{"remove_targeting_flag":true,"targeting_flag_id":1}`).is(http.StatusOK)
	assert.Equal(t, "1", c.get(path).flag("targeting_flag", "id"), "1.3 remove_targeting_flag without a flag: nothing, so the id counts")
	c.delete(path).is(http.StatusNoContent)
	assert.NotContains(t, srv.Dump(), `"key":"test-flag"`, "7 DELETE takes even a flag that was given by its id")
	c.delete(path).fails(http.StatusNotFound, "not_found", "", "Not found.")
}

// Every update turns both flags on or off with the survey, whatever it changes.
func TestHostedFlagActivity(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make(`"targeting_flag_filters":` + tenPercent)

	for _, step := range []struct{ patch, active string }{
		{`{"description":"draft"}`, "false"},
		{`{"start_date":"2026-01-01T00:00:00Z"}`, "true"},
		{`{"description":"unrelated"}`, "true"},
		{`{"end_date":"2026-01-02T00:00:00Z"}`, "false"},
		{`{"description":"unrelated to a stopped one"}`, "false"},
		{`{"end_date":null}`, "true"},
		{`{"archived":true}`, "false"},
		{`{"archived":false}`, "true"},
		{`{"start_date":null}`, "false"},
	} {
		for _, a := range []answer{c.patch(path, step.patch).is(http.StatusOK), c.get(path)} {
			assert.Equal(t, step.active, a.flag("internal_targeting_flag", "active"), "1.3 flag activity after %s", step.patch)
			assert.Equal(t, step.active, a.flag("targeting_flag", "active"), "1.2(12) active after %s", step.patch)
		}
	}

	assert.Equal(t, "10", c.get(path).flag("internal_targeting_flag", "version"), "1.2(12) every PATCH revises the internal flag")
	assert.Equal(t, "1", c.get(path).flag("targeting_flag", "version"), "1.2(12) switching is no revision")
}

// Clearing the end date of a recurring survey resumes it in the same iteration.
func TestHostedResumeOfARecurringSurvey(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	for _, row := range []struct{ name, more, patch, start, current string }{
		{"C3 1.3 resume after the last iteration", `"start_date":"2025-01-01T00:00:00Z","current_iteration":2`, `{"end_date":null}`, `"2025-01-01T00:00:00Z"`, "2"},
		{"1.3 resume before the end", `"start_date":"2025-12-20T00:00:00Z","current_iteration":2`, `{"end_date":null}`, `"2025-12-20T00:00:00Z"`, "2"},
	} {
		_, path := c.make(`"iteration_count":2,"iteration_frequency_days":7,"end_date":"2026-01-01T00:00:00Z",` + row.more)
		resumed := c.patch(path, row.patch).is(http.StatusOK)
		for _, a := range []answer{resumed, c.get(path)} {
			assert.Equal(t, row.start, a.raw("start_date"), row.name)
			assert.Equal(t, row.current, a.raw("current_iteration"), row.name)
		}
		c.delete(path).is(http.StatusNoContent)
	}
}
