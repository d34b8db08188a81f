package check_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

// Unknown values have no findings.
func TestUnknownsAreSilent(t *testing.T) {
	t.Parallel()
	u := unknown{}
	question := object{"type": "single_choice", "question": "Which?", "choices": []any{"a", "b"}}

	unlike := func(name string, value any) object {
		q := maps.Clone(question)
		q[name] = value
		return q
	}

	for name, config := range map[string]object{
		"name":             with(object{"name": u}),
		"questions":        with(object{"questions": u}),
		"question":         asking(u, open(nil)),
		"text":             asking(unlike("question", u)),
		"type":             asking(unlike("type", u), unlike("question", "Again?")),
		"choices":          asking(unlike("choices", u)),
		"choice":           asking(unlike("choices", []any{u, u, "c"})),
		"scale":            asking(object{"type": "rating", "question": "How?", "scale": u, "branching": object{"type": "response_based", "response_values": object{"other": "end"}}}),
		"display":          asking(object{"type": "rating", "question": "How?", "scale": 10, "display": u}),
		"link":             asking(object{"type": "link", "question": "See", "link": u}),
		"branching":        asking(unlike("branching", u), open(nil)),
		"way":              asking(unlike("branching", object{"type": u, "index": 7}), open(nil)),
		"index":            asking(unlike("branching", object{"type": "specific_question", "index": u}), open(nil)),
		"responses":        asking(unlike("branching", object{"type": "response_based", "response_values": u}), open(nil)),
		"response":         asking(unlike("branching", object{"type": "response_based", "response_values": object{"0": u, "1": "end"}}), open(nil)),
		"optional":         asking(object{"type": "rating", "question": "How?", "scale": 2, "optional": u, "branching": leading(object{"negative": "2", "positive": "2"})}, open(nil), open(nil)),
		"rules":            asking(open(object{"validation": u})),
		"rule":             asking(open(object{"validation": []any{u, object{"type": u, "value": 0}, object{"type": "min_length", "value": u}}})),
		"extra":            asking(open(object{"extra": u, "translations": u})),
		"json":             with(object{"conditions": u, "appearance": u, "translations": u, "form_content": u}),
		"filters":          with(object{"targeting_flag_filters": u}),
		"flag":             with(object{"linked_flag_id": u, "conditions": `{"linkedFlagVariant":"a"}`}),
		"external":         external(object{"linked_flag_id": u, "conditions": u}),
		"survey type":      with(object{"type": u, "linked_flag_id": 1}),
		"sampling":         with(object{"response_sampling_limit": 5, "response_sampling_interval": u, "response_sampling_start_date": u}),
		"sampling limit":   with(object{"response_sampling_limit": u}),
		"iterations":       with(object{"iteration_count": 5, "iteration_frequency_days": u}),
		"iteration count":  with(object{"iteration_count": u, "iteration_frequency_days": 5}),
		"iteration dates":  with(object{"iteration_start_dates": []any{u}}),
		"language":         with(object{"base_language": u, "translations": `{"en":{}}`}),
		"dates":            with(object{"start_date": u, "end_date": "2020-01-01T00:00:00Z"}),
		"current and more": with(object{"current_iteration": u, "responses_limit": u, "schedule": u}),
	} {
		found, _ := plan(t, nil, config)
		assert.Empty(t, found, name)
		assert.Empty(t, check.WithoutState(fieldsOf(t, config)), name)
	}
}
