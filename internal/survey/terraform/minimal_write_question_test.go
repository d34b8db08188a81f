package terraform_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// questionWrite is an attribute of a question of some kind: the key that it is on
// the wire, and its values one after the other with what is sent for each.
type questionWrite struct {
	kind   string
	key    string
	values []any
	sent   []string
}

// questionWrites says of every attribute of a question that can be configured what
// is sent of it.
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

// Every attribute of a question is set, changed and taken out again, and each time
// the questions alone are sent, with that difference.
func TestMinimalWritesOfQuestions(t *testing.T) {
	t.Parallel()
	nested := resourceAttributes()["questions"].(schema.ListNestedAttribute).NestedObject.Attributes
	assert.ElementsMatch(t, configurable(nested), slices.Collect(maps.Keys(questionWrites)), "attributes that can be configured, and those in the table")
	for name, one := range questionWrites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assertWrites(t, acctest.Start(t, acctest.Profile(testserver.Hosted)), one.steps(t, name))
		})
	}
}

// steps are those of a survey with two questions, of which the second has the attribute.
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
		// Keys that nobody documented stay with the question until a configuration empties them.
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
