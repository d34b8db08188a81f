package terraform_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// step is a configuration to apply, in addition to a name and a type, and the body of the resulting request. An empty
// body means that no request is sent.
type step struct {
	config object
	body   string
}

// These are filters that PostHog accepts.
const (
	half  = `{"groups":[{"properties":[{"key":"plan","type":"person","value":"paid","operator":"exact"}],"rollout_percentage":50}]}`
	third = `{"groups":[{"properties":[{"key":"plan","type":"person","value":"paid","operator":"exact"}],"rollout_percentage":30}]}`
	paid  = `{"groups":[{"rollout_percentage":30}],"payloads":{"true":"1"}}`
)

// writes lists, for every configurable attribute, the requests when it is set, changed, and removed. The first step
// of each is applied to a survey with only a name and a type.
var writes = map[string][]step{
	"name":        {{object{"name": "Other"}, `{"name":"Other"}`}},
	"type":        {{object{"type": "widget"}, `{"type":"widget"}`}},
	"description": {{object{"description": "a"}, `{"description":"a"}`}, {object{"description": "b"}, `{"description":"b"}`}, {nil, `{"description":""}`}},
	"schedule": {
		{object{"schedule": "always"}, `{"schedule":"always"}`}, {object{"schedule": "once"}, `{"schedule":"once"}`},
		{object{"schedule": "always"}, `{"schedule":"always"}`}, {nil, `{"schedule":"once"}`},
	},
	"archived": {
		{object{"archived": true}, `{"archived":true}`}, {object{"archived": false}, `{"archived":false}`},
		{object{"archived": true}, `{"archived":true}`}, {nil, `{"archived":false}`},
	},
	"status": {
		{object{"status": "running"}, `{"start_date":"2026-01-02T03:04:05Z"}`},
		{object{"status": "completed"}, `{"end_date":"2026-01-02T03:04:05Z"}`}, {nil, ""},
		{object{"status": "running"}, `{"end_date":null}`}, {object{"status": "draft"}, `{"start_date":null}`},
	},
	"start_date": {
		{object{"start_date": "2026-01-01T00:00:00Z"}, `{"start_date":"2026-01-01T00:00:00Z"}`},
		{object{"start_date": "2026-01-02T00:00:00Z"}, `{"start_date":"2026-01-02T00:00:00Z"}`}, {nil, ""},
		{object{"status": "draft"}, `{"start_date":null}`},
	},
	"end_date": {
		{object{"start_date": "2026-01-01T00:00:00Z", "end_date": "2026-02-01T00:00:00Z"}, `{"start_date":"2026-01-01T00:00:00Z","end_date":"2026-02-01T00:00:00Z"}`},
		{object{"end_date": "2026-03-01T00:00:00Z"}, `{"end_date":"2026-03-01T00:00:00Z"}`}, {nil, ""},
		{object{"status": "running"}, `{"end_date":null}`},
	},
	"linked_flag_id": {
		{object{"linked_flag_id": 1}, `{"linked_flag_id":1}`}, {object{"linked_flag_id": 2}, `{"linked_flag_id":2}`}, {nil, `{"linked_flag_id":null}`},
	},
	"linked_insight_id": {
		{object{"linked_insight_id": 1}, `{"linked_insight_id":1}`}, {object{"linked_insight_id": 2}, `{"linked_insight_id":2}`}, {nil, `{"linked_insight_id":null}`},
	},
	"targeting_flag_id": {
		{object{"targeting_flag_id": 1}, `{"targeting_flag_id":1}`}, {object{"targeting_flag_id": 2}, `{"targeting_flag_id":2}`}, {nil, `{"remove_targeting_flag":true}`},
	},
	"targeting_flag_filters": {
		{object{"targeting_flag_filters": half}, `{"targeting_flag_filters":` + half + `}`},
		{object{"targeting_flag_filters": paid}, `{"targeting_flag_filters":` + paid + `}`},
		// PostHog would keep payloads that the request omits.
		{object{"targeting_flag_filters": third}, `{"targeting_flag_filters":` + strings.Replace(third, "{", `{"payloads":{},`, 1) + `}`}, {nil, `{"remove_targeting_flag":true}`},
		{object{"targeting_flag_id": 1}, `{"targeting_flag_id":1}`},
		// Without removing the ID first, PostHog would write the filters to the linked flag, which isn't the survey's
		// own.
		{object{"targeting_flag_filters": half}, `{"targeting_flag_filters":` + half + `,"remove_targeting_flag":true}`},
		{object{"targeting_flag_id": 2}, `{"targeting_flag_id":2}`},
	},
	"questions": {
		{object{"questions": []any{object{"type": "open", "question": "Why?", "id": "a"}}}, `{"questions":[{"type":"open","question":"Why?","id":"a"}]}`},
		{object{"questions": []any{object{"type": "open", "question": "How?"}}}, `{"questions":[{"type":"open","question":"How?","id":"a"}]}`},
		{object{"questions": []any{}}, `{"questions":[]}`}, {object{"questions": []any{object{"type": "open", "question": "Why?", "id": "a"}}},
			`{"questions":[{"type":"open","question":"Why?","id":"a"}]}`}, {nil, `{"questions":null}`},
	},
	"conditions": {
		{object{"conditions": `{"url":"/a"}`}, `{"conditions":{"url":"/a"}}`}, {object{"conditions": `{"url":"/b","n":9007199254740993}`}, `{"conditions":{"url":"/b","n":9007199254740993}}`},
		{object{"conditions": `{}`}, `{"conditions":{}}`}, {object{"conditions": `{"url":"/a"}`}, `{"conditions":{"url":"/a"}}`}, {nil, `{"conditions":null}`},
	},
	"appearance": {
		{object{"appearance": `{"position":"left"}`}, `{"appearance":{"position":"left"}}`}, {object{"appearance": `{"position":"right"}`}, `{"appearance":{"position":"right"}}`},
		{nil, `{"appearance":null}`},
	},
	"translations": {
		{object{"translations": `{"de":{"name":"Umfrage"}}`}, `{"translations":{"de":{"name":"Umfrage"}}}`},
		{object{"translations": `{"fr":{"name":"Sondage"}}`}, `{"translations":{"fr":{"name":"Sondage"}}}`}, {nil, `{"translations":null}`},
	},
	"form_content": {
		{object{"form_content": `{"a":1}`}, `{"form_content":{"a":1}}`}, {object{"form_content": `{"a":2}`}, `{"form_content":{"a":2}}`}, {nil, `{"form_content":null}`},
	},
	"responses_limit": {
		{object{"responses_limit": 5}, `{"responses_limit":5}`}, {object{"responses_limit": 0}, `{"responses_limit":0}`}, {nil, `{"responses_limit":null}`},
	},
	"iteration_count": {
		{object{"iteration_count": 3, "iteration_frequency_days": 7}, `{"iteration_count":3,"iteration_frequency_days":7}`},
		{object{"iteration_count": 4, "iteration_frequency_days": 7}, `{"iteration_count":4,"iteration_frequency_days":7}`},
		{object{"iteration_frequency_days": 7}, `{"iteration_count":null,"iteration_frequency_days":7}`},
	},
	"iteration_frequency_days": {
		{object{"iteration_count": 3, "iteration_frequency_days": 7}, `{"iteration_count":3,"iteration_frequency_days":7}`},
		{object{"iteration_count": 3, "iteration_frequency_days": 14}, `{"iteration_count":3,"iteration_frequency_days":14}`},
		{object{"iteration_count": 3}, `{"iteration_count":3,"iteration_frequency_days":null}`},
	},
	"iteration_start_dates": {
		{object{"iteration_start_dates": []any{"2026-01-01T00:00:00Z"}}, `{"iteration_start_dates":["2026-01-01T00:00:00Z"]}`},
		{object{"iteration_start_dates": []any{}}, `{"iteration_start_dates":[]}`}, {nil, ""},
	},
	"current_iteration": {
		{object{"current_iteration": 1}, `{"current_iteration":1}`}, {object{"current_iteration": 2}, `{"current_iteration":2}`}, {nil, ""},
	},
	"current_iteration_start_date": {
		{object{"current_iteration_start_date": "2026-01-01T00:00:00Z"}, `{"current_iteration_start_date":"2026-01-01T00:00:00Z"}`},
		{object{"current_iteration_start_date": "2026-01-02T00:00:00Z"}, `{"current_iteration_start_date":"2026-01-02T00:00:00Z"}`}, {nil, ""},
	},
	// PostHog fails if a start is sent without an interval and a limit, unless the limit is 0.
	"response_sampling_start_date": {
		{object{"response_sampling_start_date": "2036-01-01T00:00:00Z", "response_sampling_limit": 0}, `{"response_sampling_start_date":"2036-01-01T00:00:00Z","response_sampling_limit":0}`},
		{object{"response_sampling_start_date": "2036-01-02T00:00:00Z", "response_sampling_limit": 0}, `{"response_sampling_start_date":"2036-01-02T00:00:00Z"}`},
		{nil, `{"response_sampling_start_date":null,"response_sampling_limit":null}`},
	},
	"response_sampling_interval_type": {
		{object{"response_sampling_interval_type": "day"}, `{"response_sampling_interval_type":"day"}`}, {nil, `{"response_sampling_interval_type":"week"}`},
	},
	"response_sampling_interval": {
		{object{"response_sampling_interval": 1}, `{"response_sampling_interval":1}`}, {object{"response_sampling_interval": 2}, `{"response_sampling_interval":2}`},
		{nil, `{"response_sampling_interval":null}`},
	},
	"response_sampling_limit": {
		{sampling(5), `{"response_sampling_start_date":"2036-01-01T00:00:00Z","response_sampling_interval":1,"response_sampling_limit":5}`},
		// PostHog refuses a limit without the start and the interval in the same body.
		{sampling(6), `{"response_sampling_start_date":"2036-01-01T00:00:00Z","response_sampling_interval":1,"response_sampling_limit":6}`},
		{sampling(0), `{"response_sampling_limit":0}`},
		{nil, `{"response_sampling_start_date":null,"response_sampling_interval":null,"response_sampling_limit":null}`},
	},
	"enable_partial_responses": {
		{object{"enable_partial_responses": true}, `{"enable_partial_responses":true}`}, {nil, `{"enable_partial_responses":false}`},
	},
	"enable_iframe_embedding": {
		{object{"enable_iframe_embedding": true}, `{"enable_iframe_embedding":true}`}, {nil, `{"enable_iframe_embedding":false}`},
	},
	"base_language": {
		{object{"base_language": "de"}, `{"base_language":"de"}`}, {object{"base_language": "fr"}, `{"base_language":"fr"}`}, {nil, `{"base_language":"en"}`},
	},
	// These settings exist only in Terraform. After the create, PostHog never receives them.
	"project_id":       {{object{"project_id": "1"}, ""}, {nil, ""}},
	"timeouts":         {{object{"timeouts": object{"create": "5m"}}, ""}, {object{"timeouts": object{"read": "5m"}}, ""}, {nil, ""}},
	"deletion_policy":  {{object{"deletion_policy": "archive"}, ""}, {object{"deletion_policy": "abandon"}, ""}, {nil, ""}},
	"create_in_folder": {{object{"create_in_folder": "Team"}, ""}, {nil, ""}},
}

func sampling(limit any) object {
	return object{"response_sampling_start_date": "2036-01-01T00:00:00Z", "response_sampling_interval": 1, "response_sampling_limit": limit}
}

// companions lists unchanged fields that PostHog requires together with a change, and similar cases in which PostHog
// doesn't require them.
var companions = map[string][]step{
	"linked actions": {
		{object{"conditions": `{"url":"/a","actions":{"values":[{"id":1}]}}`}, `{"conditions":{"url":"/a","actions":{"values":[{"id":1}]}}}`},
		// An update without conditions unlinks the actions.
		{object{"conditions": `{"url":"/a","actions":{"values":[{"id":1}]}}`, "description": "a"},
			`{"conditions":{"url":"/a","actions":{"values":[{"id":1}]}},"description":"a"}`},
		{object{"conditions": `{"url":"/a","actions":{"values":[{"id":1}]}}`, "description": "a", "deletion_policy": "archive"}, ""},
		{object{"conditions": `{"url":"/a"}`, "description": "a"}, `{"conditions":{"url":"/a"}}`},
		{object{"conditions": `{"url":"/a"}`, "description": "b"}, `{"description":"b"}`},
		{object{"conditions": `{"url":"/a","actions":{"values":[{"id":1}]}}`, "description": "b"}, `{"conditions":{"url":"/a","actions":{"values":[{"id":1}]}}}`},
		{nil, `{"conditions":null,"description":""}`},
	},
	"no linked actions": {
		{object{"conditions": `{"selector":"actions","actions":{"values":[]}}`}, `{"conditions":{"selector":"actions","actions":{"values":[]}}}`},
		{object{"conditions": `{"selector":"actions","actions":{"values":[]}}`, "description": "a"}, `{"description":"a"}`},
		{object{"conditions": `{"selector":"actions","actions":null}`, "description": "a"}, `{"conditions":{"selector":"actions","actions":null}}`},
		{object{"conditions": `{"selector":"actions","actions":null}`, "description": "b"}, `{"description":"b"}`},
	},
	"variant of the linked flag": {
		{object{"linked_flag_id": 1, "conditions": `{"linkedFlagVariant":"control"}`}, `{"linked_flag_id":1,"conditions":{"linkedFlagVariant":"control"}}`},
		{object{"linked_flag_id": 1, "conditions": `{"linkedFlagVariant":"any"}`}, `{"linked_flag_id":1,"conditions":{"linkedFlagVariant":"any"}}`},
		{object{"linked_flag_id": 1, "conditions": `{"linkedFlagVariant":"any"}`, "description": "a"}, `{"description":"a"}`},
		{object{"linked_flag_id": 2, "conditions": `{"linkedFlagVariant":"any"}`, "description": "a"}, `{"linked_flag_id":2}`},
		{object{"linked_flag_id": 2, "conditions": `{"linkedFlagVariant":null}`, "description": "a"}, `{"conditions":{"linkedFlagVariant":null}}`},
	},
	"both": {
		{object{"linked_flag_id": 1, "conditions": `{"linkedFlagVariant":"any","actions":{"values":[{"id":1}]}}`},
			`{"linked_flag_id":1,"conditions":{"linkedFlagVariant":"any","actions":{"values":[{"id":1}]}}}`},
		{object{"linked_flag_id": 1, "conditions": `{"linkedFlagVariant":"any","actions":{"values":[{"id":1}]}}`, "archived": true},
			`{"linked_flag_id":1,"conditions":{"linkedFlagVariant":"any","actions":{"values":[{"id":1}]}},"archived":true}`},
	},
	"several at once": {
		{object{"status": "running", "iteration_count": 3, "iteration_frequency_days": 7, "responses_limit": 5},
			`{"start_date":"2026-01-02T03:04:05Z","iteration_count":3,"iteration_frequency_days":7,"responses_limit":5}`},
		{object{"status": "draft", "iteration_count": 4, "iteration_frequency_days": 7}, `{"start_date":null,"iteration_count":4,"iteration_frequency_days":7,"responses_limit":null}`},
	},
}

// targets are fixtures with the objects that a survey can refer to.
const targets = `{"feature_flags":[
	{"id":1,"project_id":"1","key":"first","filters":{"groups":[],"multivariate":{"variants":[{"key":"control","rollout_percentage":100}]}}},
	{"id":2,"project_id":"1","key":"second","filters":{"groups":[]}}],
	"actions":[{"id":1,"project_id":"1","name":"Signed up"}],
	"insights":[{"id":1,"project_id":"1"},{"id":2,"project_id":"1"}]}`

// Setting, changing, or clearing an attribute sends only that attribute, in both profiles.
func TestMinimalWrites(t *testing.T) {
	t.Parallel()
	assert.ElementsMatch(t, configurable(resourceAttributes()), slices.Collect(maps.Keys(writes)), "the table must contain each configurable attribute")
	for _, table := range []map[string][]step{writes, companions} {
		for name, steps := range table {
			for _, profile := range profiles {
				t.Run(string(profile)+"/"+name, func(t *testing.T) {
					t.Parallel()
					env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(targets))
					assertWrites(t, env, append([]step{{nil, `{"name":"Quiet","type":"popover"}`}}, steps...))
				})
			}
		}
	}
}

// If the configuration omits the schedule, it follows from the iterations.
func TestScheduleOfIterations(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	both := object{"iteration_count": 3, "iteration_frequency_days": 7}
	assertWrites(t, env, []step{
		{both, `{"name":"Quiet","type":"popover","iteration_count":3,"iteration_frequency_days":7}`},
		{object{"iteration_count": 4, "iteration_frequency_days": 7}, `{"iteration_count":4,"iteration_frequency_days":7}`},
		{nil, `{"schedule":"once","iteration_count":null,"iteration_frequency_days":null}`},
		{both, `{"iteration_count":3,"iteration_frequency_days":7}`},
		{object{"iteration_count": 3}, `{"iteration_count":3,"iteration_frequency_days":null}`},
		{nil, `{"schedule":"once","iteration_count":null}`},
	})
}

// A create sends only configured attributes.
func TestMinimalCreate(t *testing.T) {
	t.Parallel()
	for name, steps := range writes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := map[string]json.RawMessage{"name": json.RawMessage(`"Quiet"`), "type": json.RawMessage(`"popover"`)}
			if steps[0].body != "" {
				require.NoError(t, json.Unmarshal([]byte(steps[0].body), &body))
			}
			if name == "create_in_folder" {
				body["_create_in_folder"] = json.RawMessage(`"Team"`)
			}
			raw, err := json.Marshal(body)
			require.NoError(t, err)
			assertWrites(t, acctest.Start(t, acctest.Fixtures(targets)), []step{{steps[0].config, string(raw)}})
		})
	}
}

// configurable returns the names of the attributes that a configuration can set.
func configurable(attributes map[string]schema.Attribute) []string {
	var names []string
	for name, a := range attributes {
		if a.IsOptional() || a.IsRequired() {
			names = append(names, name)
		}
	}
	return names
}

// assertWrites applies the steps and compares the requests.
func assertWrites(t *testing.T, env *acctest.Env, steps []step) {
	t.Helper()
	survey := env.Resource(t, "posthog_survey")
	for i, one := range steps {
		env.ResetJournal()
		applied := survey.Apply(with(one.config))
		require.Empty(t, applied.Errors().Text(), "step %d", i)
		sent := append(env.RequestBodies(t, http.MethodPost), env.RequestBodies(t, http.MethodPatch)...)
		if one.body == "" {
			assert.Empty(t, sent, "step %d", i)
			continue
		}
		require.Len(t, sent, 1, "step %d", i)
		if !attribute.SameJSON(one.body, sent[0]) {
			assert.Fail(t, "unexpected request", "step %d sent\n%s\nwant\n%s", i, sent[0], one.body)
		}
	}
}

// questionWrite describes one question type's attribute: its key in the request, its values in order, and the request
// for each value.
type questionWrite struct {
	kind   string
	key    string
	values []any
	sent   []string
}

// questionWrites lists the requests for every configurable attribute of a question.
var questionWrites = map[string]questionWrite{
	"id":                       {"open", "id", []any{"a", "b"}, []string{`"a"`, `"b"`}},
	"type":                     {"link", "type", []any{"open"}, []string{`"open"`}},
	"question":                 {"open", "question", []any{"How?", "Who?"}, []string{`"How?"`, `"Who?"`}},
	"extra":                    {"open", "was", []any{`{"was":1}`, `{"was":{"n":1.50}}`, `{}`}, []string{`1`, `{"n":1.50}`, ``}},
	"description":              {"open", "description", []any{"a", "", "b"}, []string{`"a"`, `""`, `"b"`}},
	"description_content_type": {"open", "descriptionContentType", []any{"html", "text"}, []string{`"html"`, `"text"`}},
	"optional":                 {"open", "optional", []any{true, false, true}, []string{`true`, `false`, `true`}},
	"button_text":              {"open", "buttonText", []any{"Go", "Send"}, []string{`"Go"`, `"Send"`}},
	"branching": {
		"rating", "branching", []any{
			object{"type": "end"}, object{"type": "specific_question", "index": 0},
			object{"type": "response_based", "response_values": object{"negative": "end", "neutral": "0"}},
		},
		[]string{`{"type":"end"}`, `{"type":"specific_question","index":0}`, `{"type":"response_based","responseValues":{"negative":"end","neutral":0}}`},
	},
	"link":               {"link", "link", []any{"https://example.com/a", "https://example.com/b"}, []string{`"https://example.com/a"`, `"https://example.com/b"`}},
	"display":            {"rating", "display", []any{"number", "emoji"}, []string{`"number"`, `"emoji"`}},
	"scale":              {"rating", "scale", []any{3, 10}, []string{`3`, `10`}},
	"lower_bound_label":  {"rating", "lowerBoundLabel", []any{"bad", "poor"}, []string{`"bad"`, `"poor"`}},
	"upper_bound_label":  {"rating", "upperBoundLabel", []any{"good", "great"}, []string{`"good"`, `"great"`}},
	"is_nps_question":    {"rating", "isNpsQuestion", []any{true, false, true}, []string{`true`, `false`, `true`}},
	"choices":            {"single_choice", "choices", []any{[]any{"a", "b"}, []any{"b", "a"}}, []string{`["a","b"]`, `["b","a"]`}},
	"shuffle_options":    {"single_choice", "shuffleOptions", []any{true, false, true}, []string{`true`, `false`, `true`}},
	"has_open_choice":    {"single_choice", "hasOpenChoice", []any{true, false, true}, []string{`true`, `false`, `true`}},
	"skip_submit_button": {"single_choice", "skipSubmitButton", []any{true, false, true}, []string{`true`, `false`, `true`}},
	"validation": {
		"open", "validation", []any{[]any{object{"type": "email"}}, []any{object{"type": "min_length", "value": 3}}},
		[]string{`[{"type":"email"}]`, `[{"type":"min_length","value":3}]`},
	},
	"translations": {
		"open", "translations", []any{`{"de":{"question":"Wie?"}}`, `{"fr":{"question":"Comment?"}}`},
		[]string{`{"de":{"question":"Wie?"}}`, `{"fr":{"question":"Comment?"}}`},
	},
}

// Setting, changing, or removing an attribute of a question sends only the questions, with only that difference.
func TestMinimalWritesOfQuestions(t *testing.T) {
	t.Parallel()
	nested := resourceAttributes()["questions"].(schema.ListNestedAttribute).NestedObject.Attributes
	assert.ElementsMatch(t, configurable(nested), slices.Collect(maps.Keys(questionWrites)), "the table must contain each configurable attribute")
	for name, one := range questionWrites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assertWrites(t, acctest.Start(t, acctest.Profile(testserver.Hosted)), one.steps(t, name))
		})
	}
}

// steps returns the steps for a survey with two questions, of which the second has the attribute.
func (w questionWrite) steps(t *testing.T, name string) []step {
	t.Helper()

	first, second := object{"id": "first", "type": "open", "question": "What?"}, object{"id": "second", "type": w.kind, "question": "Why?"}
	if w.kind == "single_choice" {
		second["choices"] = []any{"x", "y"}
	}

	at := func(set, wire object) step {
		body, err := json.Marshal([]any{merged(first, object{"buttonText": "<Next>"}), merged(second, wire)})
		require.NoError(t, err)
		asked := []any{merged(first, object{"button_text": "<Next>"}), merged(second, set)}
		return step{object{"questions": asked}, fmt.Sprintf(`{"questions":%s}`, body)}
	}

	created := at(nil, nil)
	created.body = `{"name":"Quiet","type":"popover",` + created.body[1:]
	steps := []step{created}

	for i, value := range w.values {
		wire := object{}
		if w.sent[i] != "" {
			wire[w.key] = json.RawMessage(w.sent[i])
		}
		steps = append(steps, at(object{name: value}, wire))
	}

	if name == "extra" {
		// Undocumented keys stay with the question until a configuration clears them.
		return steps
	}

	return append(steps, at(nil, nil))
}

func merged(objects ...object) object {
	all := object{}
	for _, one := range objects {
		maps.Copy(all, one)
	}
	return all
}
