package terraform_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// editPair is a list of questions as it was applied, and what was made of it since in
// the web interface and in the configuration.
type editPair struct{ applied, ui, config []editedQuestion }

// editedQuestion is a question in an edit script. Every text is written in letters of
// its own, so that no two of them are alike.
type editedQuestion struct {
	kind, text string
	// origin is its place in the applied list, -1 for one that was inserted since.
	origin int
	// made is a number that no other inserted question has.
	made int
}

// editPairs draws pairs of edit scripts. In the web interface anything is done. The
// configuration either moves questions or rewords them: one that is both moved and
// reworded is not known to be the same. What it inserts is a link, which none of the
// others is: one that is put in the place of a deleted question of its type is not
// known to be another.
func editPairs() *rapid.Generator[editPair] {
	return rapid.Custom(func(r *rapid.T) editPair {
		pair := editPair{}
		for i := range rapid.IntRange(1, 6).Draw(r, "questions") {
			kind := rapid.SampledFrom([]string{"open", "multiple_choice"}).Draw(r, "type")
			pair.applied = append(pair.applied, editedQuestion{kind: kind, text: text(i), origin: i})
		}
		pair.ui = afterEdits(r, pair.applied, 100, "insert", "delete", "move", "reword", "rewrite", "retype")
		inCode := rapid.SampledFrom([][]string{
			{"insert link", "delete", "move", "retype"}, {"insert link", "delete", "reword", "retype"}, {"reword"}, {"move"},
		}).Draw(r, "kind of edits in code")
		pair.config = afterEdits(r, pair.applied, 200, inCode...)
		return pair
	})
}

// afterEdits applies a few edits out of those named; fresh is the number of the first new
// text.
func afterEdits(r *rapid.T, list []editedQuestion, fresh int, names ...string) []editedQuestion {
	list = slices.Clone(list)
	for step := range rapid.IntRange(0, 6).Draw(r, "edits") {
		number := fresh + step
		switch name := rapid.SampledFrom(names).Draw(r, "edit"); {
		case strings.HasPrefix(name, "insert"):
			q := editedQuestion{kind: "open", text: text(number), origin: -1, made: number}
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

// asConfigured is the question as a configuration has it.
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

// inUI is what the web interface makes of stored questions, whose ids are those of the
// applied list.
func (p editPair) inUI(ids []string) []any {
	out := make([]any, len(p.ui))
	for i, q := range p.ui {
		one := q.asConfigured()
		one["id"] = fmt.Sprint("made in the UI ", q.made)
		if q.origin >= 0 {
			one["id"] = ids[q.origin]
		}
		out[i] = one
	}
	return out
}

// wrongID says which question has not the id that it should have after an apply, given
// the ids that it led to and those of the applied list; "" when all are right.
func (p editPair) wrongID(ids, after []string) string {
	if len(after) != len(p.config) {
		return fmt.Sprintf("%d questions are stored, %d are configured", len(after), len(p.config))
	}
	for i, q := range p.config {
		// To a person one that was retyped on both sides alike is still one question, whatever
		// either side did to its text: of what the service holds, the code changes no type.
		isKept := q.origin >= 0 && (q.kind == p.applied[q.origin].kind || p.isInUI(q.origin, q.kind))
		wasKnown := slices.Contains(ids, after[i]) || strings.HasPrefix(after[i], "made in the UI")
		switch {
		case slices.Index(after, after[i]) != i:
			return fmt.Sprintf("question %d has the id of another: %q", i, after)
		case isKept && after[i] != ids[q.origin]:
			return fmt.Sprintf("question %d was %q and is %q", i, ids[q.origin], after[i])
		case !isKept && wasKnown:
			return fmt.Sprintf("question %d is new and has the id %q", i, after[i])
		}
	}
	return ""
}

// isInUI reports whether the web interface left a question of the applied list there, with a
// type.
func (p editPair) isInUI(origin int, kind string) bool {
	return slices.ContainsFunc(p.ui, func(q editedQuestion) bool { return q.origin == origin && q.kind == kind })
}
