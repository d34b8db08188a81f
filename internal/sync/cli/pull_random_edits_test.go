package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// edit edits a survey in PostHog as a teammate would.
func (n *nights) edit(survey testserver.Object) (what string, patch testserver.Object) {
	edits := map[string]func(testserver.Object) testserver.Object{
		"rename":      n.renamed,
		"description": func(testserver.Object) testserver.Object { return testserver.Object{"description": n.text()} },
		"limit": func(testserver.Object) testserver.Object {
			return testserver.Object{"responses_limit": pick(n, []any{nil, 10, 500})}
		},
		"look": func(s testserver.Object) testserver.Object {
			return testserver.Object{"appearance": n.withKey(s["appearance"])}
		},
		"conditions": n.conditions,
		"questions":  func(s testserver.Object) testserver.Object { return testserver.Object{"questions": n.questions(s)} },
		"launch":     n.launched,
	}
	kinds := slices.Sorted(maps.Keys(edits))
	kinds = append(kinds, "questions", "questions", "questions", "questions") // repeat the most frequent edits
	what = pick(n, kinds)
	return what, edits[what](survey)
}

// pick returns a random value.
func pick[T any](n *nights, values []T) T { return values[n.random.IntN(len(values))] }

func (n *nights) text() string {
	return pick(n, []string{"", "Short", "Two\nlines", "Three\n\n  lines\nof text", `Say "hi" \ there`, "${x} and %{if}", "Grüße, 中文", "A longer text that says what the survey is for, and to whom it goes"})
}

func (n *nights) renamed(survey testserver.Object) testserver.Object {
	return testserver.Object{"name": fmt.Sprintf("%.12s %d", survey["name"], n.random.IntN(1_000_000))}
}

func (n *nights) launched(survey testserver.Object) testserver.Object {
	switch {
	case survey["start_date"] == nil:
		return testserver.Object{"start_date": "2026-01-01T00:00:00Z"}
	case survey["end_date"] == nil:
		return testserver.Object{"end_date": "2026-02-01T00:00:00Z"}
	}
	return testserver.Object{"end_date": nil}
}

// withKey sets or removes an object key at random.
func (n *nights) withKey(value any) map[string]any {
	object, _ := value.(map[string]any)
	object = maps.Clone(object)
	if object == nil {
		object = map[string]any{}
	}
	values := map[string][]any{
		"position": {"left", "right", "center"}, "backgroundColor": {"#000", "#eeeeee"}, "thankYouMessageHeader": {"Thank you,\nall", "${you}"},
		"a-b": {true, json.Number("-1.5"), []any{}}, "nested": {map[string]any{"a": 1, "b": []any{"x", map[string]any{"y": "z"}}}, map[string]any{}, []any{"p", "q"}},
	}
	key := pick(n, slices.Sorted(maps.Keys(values)))
	object[key] = pick(n, values[key])
	if n.random.IntN(4) == 0 {
		delete(object, key)
	}
	return object
}

func (n *nights) conditions(survey testserver.Object) testserver.Object {
	conditions, _ := survey["conditions"].(map[string]any)
	conditions = maps.Clone(conditions)
	if conditions == nil {
		conditions = map[string]any{}
	}
	switch n.random.IntN(3) {
	case 0:
		conditions["url"] = pick(n, []any{"https://acme.example/pricing", "https://acme.example/a?b=${c}", "/"})
	case 1:
		conditions["urlMatchType"] = pick(n, []any{"icontains", "exact"})
	default:
		var values []any
		for range n.random.IntN(4) {
			values = append(values, map[string]any{"name": pick(n, []string{"bought", "paid", "left", "came back"})})
		}
		conditions["events"] = map[string]any{"values": append([]any{}, values...)}
	}
	return testserver.Object{"conditions": conditions}
}

// questions returns a survey's questions after an edit of the list or of one question.
func (n *nights) questions(survey testserver.Object) []any {
	list, _ := survey["questions"].([]any)
	targets := targetsOf(list)
	list = slices.Clone(list)
	at := n.random.IntN(len(list) + 1)

	switch kind := n.random.IntN(6); {
	case len(list) == 0 || kind == 0 && len(list) < 8:
		list = slices.Insert(list, at, any(n.newQuestion()))
	case at == len(list):
		return list
	case kind == 1 && len(list) > 1:
		list = slices.Delete(list, at, at+1)
	case kind == 2:
		moved := list[at]
		list = slices.Delete(list, at, at+1)
		list = slices.Insert(list, n.random.IntN(len(list)+1), moved)
	default:
		list[at] = n.editedQuestion(list[at].(map[string]any), len(list))
		return list
	}
	return retargeted(list, targets)
}

// newQuestion returns a question with an ID, because PostHog's interface always sends IDs. Without IDs, questions
// with the same type and text are indistinguishable.
func (n *nights) newQuestion() map[string]any {
	q := n.newQuestionOfAType()
	q["id"] = fmt.Sprintf("00000000-0000-4000-8000-%012d", n.random.IntN(1_000_000_000))
	return q
}

func (n *nights) newQuestionOfAType() map[string]any {
	text := pick(n, []string{"Why?", "What do you miss?", "What did you like?", fmt.Sprintf("New %d?", n.random.IntN(1000))})
	return pick(n, []map[string]any{
		{"type": "open", "question": text},
		{"type": "single_choice", "question": text, "choices": []any{"Yes", "No"}},
		{"type": "rating", "question": text, "display": "emoji", "scale": 5},
	})
}

// editedQuestion returns a question with one edit.
func (n *nights) editedQuestion(q map[string]any, questions int) map[string]any {
	q = maps.Clone(q)
	choices, hasChoices := q["choices"].([]any)

	switch kind := n.random.IntN(7); {
	case kind == 0:
		q["question"] = fmt.Sprint(q["question"]) + " Please."
	case kind == 1:
		q["question"] = pick(n, []string{"Why?", "Quite another text", `With "quotes" and ${braces}`, fmt.Sprintf("Text %d?", n.random.IntN(1000))})
	case kind == 2:
		q["optional"] = pick(n, []any{true, false})
	case kind == 3:
		q["description"] = n.text()
	case kind == 4:
		q["buttonText"] = pick(n, []string{"Go", "Send\nit", ""})
	case kind == 5 && hasChoices:
		q["choices"] = n.editedChoices(choices)
		delete(q, "branching")
	case hasChoices:
		q["branching"] = map[string]any{"type": "response_based", "responseValues": map[string]any{
			strconv.Itoa(n.random.IntN(len(choices))): n.random.IntN(questions), strconv.Itoa(n.random.IntN(len(choices))): "end",
		}}
	default:
		q["branching"] = pick(n, []map[string]any{{"type": "end"}, {"type": "next_question"}, {"type": "specific_question", "index": n.random.IntN(questions)}})
	}
	return q
}

func (n *nights) editedChoices(choices []any) []any {
	choices = slices.Clone(choices)
	at := n.random.IntN(len(choices))
	switch n.random.IntN(4) {
	case 0:
		choices[at] = fmt.Sprintf("Choice %d", n.random.IntN(1000))
	case 1:
		choices = slices.Insert(choices, at, any(fmt.Sprintf("New %d", n.random.IntN(1000))))
	case 2:
		if len(choices) > 2 {
			choices = slices.Delete(choices, at, at+1)
		}
	default:
		slices.Reverse(choices)
	}
	return choices
}

// targetsOf returns the questions that branching refers to, by position.
func targetsOf(list []any) map[int]map[string]any {
	targets := map[int]map[string]any{}
	for i, q := range list {
		targets[i] = q.(map[string]any)
	}
	return targets
}

// retargeted updates branching after the list changed, so that it leads to the same questions as before. It removes
// branching to deleted questions, as PostHog's interface does.
func retargeted(list []any, targets map[int]map[string]any) []any {
	places := map[any]int{}
	for i, q := range list {
		if id := q.(map[string]any)["id"]; id != nil {
			places[id] = i
		}
	}
	place := func(target any) (int, bool) {
		number, err := strconv.Atoi(fmt.Sprint(target))
		if err != nil {
			return 0, false
		}
		at, ok := places[targets[number]["id"]]
		return at, ok
	}

	for i, one := range list {
		q := maps.Clone(one.(map[string]any))
		branching, ok := q["branching"].(map[string]any)
		if !ok {
			continue
		}
		branching = maps.Clone(branching)
		list[i] = q
		q["branching"] = branching
		if index, ok := branching["index"]; ok {
			if branching["index"], ok = place(index); !ok {
				delete(q, "branching")
				continue
			}
		}
		if values, ok := branching["responseValues"].(map[string]any); ok {
			values = maps.Clone(values)
			for response, target := range values {
				if _, isNumber := target.(json.Number); !isNumber {
					continue
				}
				if at, ok := place(target); ok {
					values[response] = at
				} else {
					delete(values, response)
				}
			}
			branching["responseValues"] = values
		}
	}
	return list
}
