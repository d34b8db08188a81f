package terraform_test

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

func wantApplied(r *rapid.T, survey *acctest.Resource, config object) {
	if applied := survey.Apply(config); applied.HasError() {
		r.Fatal(applied.Text())
	}
}

// editPair is a list of questions as applied, and as edited later in the configuration.
type editPair struct{ applied, config []editedQuestion }

// editedQuestion is a question in an edit script. Every text uses different letters, so that no two are similar.
type editedQuestion struct{ kind, text string }

// editPairs draws pairs whose configuration either moves or rewords questions, and inserts links.
func editPairs() *rapid.Generator[editPair] {
	return rapid.Custom(func(r *rapid.T) editPair {
		pair := editPair{}
		for i := range rapid.IntRange(1, 6).Draw(r, "questions") {
			kind := rapid.SampledFrom([]string{"open", "multiple_choice"}).Draw(r, "type")
			pair.applied = append(pair.applied, editedQuestion{kind: kind, text: text(i)})
		}
		inCode := rapid.SampledFrom([][]string{
			{"insert link", "delete", "move", "retype"}, {"insert link", "delete", "reword", "retype"}, {"reword"}, {"move"},
		}).Draw(r, "kind of edits in code")
		pair.config = afterEdits(r, pair.applied, 200, inCode...)
		return pair
	})
}

// afterEdits applies a few of the named edits. fresh is the number of the first new text.
func afterEdits(r *rapid.T, list []editedQuestion, fresh int, names ...string) []editedQuestion {
	list = slices.Clone(list)
	for step := range rapid.IntRange(0, 6).Draw(r, "edits") {
		number := fresh + step
		switch name := rapid.SampledFrom(names).Draw(r, "edit"); {
		case strings.HasPrefix(name, "insert"):
			q := editedQuestion{kind: "open", text: text(number)}
			if name == "insert link" {
				q.kind = "link"
			}
			list = slices.Insert(list, rapid.IntRange(0, len(list)).Draw(r, "at"), q)
		case len(list) > 0:
			editOne(r, name, &list, number)
		}
	}
	return list
}

func editOne(r *rapid.T, name string, list *[]editedQuestion, number int) {
	at := rapid.IntRange(0, len(*list)-1).Draw(r, "at")
	q := &(*list)[at]
	switch name {
	case "delete":
		*list = slices.Delete(*list, at, at+1)
	case "move":
		moved := *q
		*list = slices.Delete(*list, at, at+1)
		*list = slices.Insert(*list, rapid.IntRange(0, len(*list)).Draw(r, "to"), moved)
	case "reword":
		q.text = strings.TrimSuffix(q.text, "?") + "?"
	case "rewrite":
		q.text = text(number)
	case "retype":
		q.kind = map[string]string{"open": "multiple_choice", "multiple_choice": "open", "link": "link"}[q.kind]
	}
}

// asConfigured returns the question as a configuration writes it.
func (q editedQuestion) asConfigured() object {
	out := object{"type": q.kind, "question": q.text}
	switch q.kind {
	case "multiple_choice":
		out["choices"] = []any{"a", "b"}
	case "link":
		out["link"] = "https://example.com"
	}
	return out
}

func configuredAs(list []editedQuestion) []any {
	out := make([]any, len(list))
	for i, q := range list {
		out[i] = q.asConfigured()
	}
	return out
}
