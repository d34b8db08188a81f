package pull

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// A save without ids cuts the answers of questions off: the service gives the questions new
// ids. That is damage and no edit, so pull merges the questions under the ids that they had,
// writes none of the new ones, and says so.

// healCuts gives all versions of a question the one id by which it is known.
func (r *Resource) healCuts() {
	code, _ := r.Versions.Code.(map[string]any)
	live, _ := r.Versions.Live.(map[string]any)
	state, _ := r.Versions.Applied.(map[string]any)
	if code == nil || live == nil || state == nil {
		return
	}
	stated, _ := code[questionsName].([]any)
	is, _ := live[questionsName].([]any)
	was, _ := state[questionsName].([]any)

	r.planned = idsOf(keysOf(stated))
	var likely []string
	for _, cut := range r.memory.past.Cut(keysOf(is)) {
		if cut.IsLikely {
			likely = append(likely, cut.Live)
		}
		// What is only likely, the plan says; and where it leaves the new id, the code states that.
		if !cut.IsLikely && (cut.Stays || !slices.Contains(r.planned, cut.Live)) {
			r.Cut = append(r.Cut, cut)
		}
	}
	roots := map[string]string{}
	for _, key := range slices.Concat(keysOf(stated), keysOf(is), keysOf(was)) {
		if root := r.memory.past.Root(key.ID); root != key.ID {
			roots[key.ID] = root
		}
	}
	stated, is, was = withIDs(stated, roots), withIDs(is, roots), withIDs(was, roots)

	// The private state knows no question that pull alone has seen, and no text that it alone has
	// seen: the plan then leaves a new id that the lock can tell.
	known := slices.DeleteFunc(keysOf(stated), func(key survey.QuestionKey) bool { return slices.Contains(likely, key.ID) })
	for i, old := range survey.CutOff(slices.Concat(r.said(stated, was, is), known), keysOf(is)) {
		key := keysOf(is)[i]
		if reported := r.memory.past.Root(r.memory.lock.Cuts[key.ID]); old == "" && r.memory.locked && withID(is, reported) == nil {
			old = reported
		}
		if old == "" {
			continue
		}
		r.Cut = append(r.Cut, survey.CutQuestion{Place: i, Text: key.Text, Live: key.ID, Old: old})
		is[i] = identified(is[i], old)
		if key.ID != "" {
			roots[key.ID] = old
		}
	}
	slices.SortFunc(r.Cut, func(a, b survey.CutQuestion) int { return cmp.Compare(a.Place, b.Place) })
	r.Versions.Code, r.Versions.Live, r.Versions.Applied = withQuestions(code, withIDs(stated, roots)), withQuestions(live, is), withQuestions(state, withIDs(was, roots))
	r.memory.rename(func(id string) string { return cmp.Or(roots[id], r.memory.past.Root(id)) })
}

// rename puts what is remembered of a question under the one id by which it is known. One of two
// ids had no values before the other one lost them.
func (m *memory) rename(rootOf func(id string) string) {
	isNew := func(hashes []string) bool { return len(hashes) > 0 && hashes[len(hashes)-1] == attribute.HashOfNothing }

	values := maps.Clone(m.lock.Values)
	for path, hash := range m.lock.Values {
		if to := renamed(path, rootOf); to != path {
			delete(values, path)
			values[to] = hash
		}
	}
	m.lock.Values = values

	all := maps.Clone(m.held)
	for path, older := range m.held {
		to := renamed(path, rootOf)
		if to == path {
			continue
		}
		newer := all[to]
		if isNew(older) {
			older, newer = newer, older
		}
		delete(all, path)
		all[to] = slices.Concat(newer[:max(0, len(newer)-1)], older)
	}
	m.held = all
}

// renamed is the path of a value with another id of its question.
func renamed(path string, idOf func(id string) string) string {
	question, name, isPart := strings.Cut(path, ".")
	id, isQuestion := strings.CutPrefix(question, attribute.QuestionPath(""))
	if !isPart || !isQuestion {
		return path
	}
	return attribute.QuestionPath(idOf(id)) + "." + name
}

// withQuestions is a version with other questions, if it has any.
func withQuestions(arguments map[string]any, list []any) any {
	if _, ok := arguments[questionsName].([]any); !ok {
		return arguments
	}
	arguments = maps.Clone(arguments)
	arguments[questionsName] = list
	return arguments
}

// withIDs are questions with other ids.
func withIDs(list []any, ids map[string]string) []any {
	renamed := slices.Clone(list)
	for i := range renamed {
		if id := ids[idOf(renamed[i])]; id != "" {
			renamed[i] = identified(renamed[i], id)
		}
	}
	return renamed
}

// leaveCuts reports the answers that were cut off.
func (p *pull) leaveCuts(r Resource) {
	for _, cut := range r.Cut {
		var live any
		if cut.Live != "" {
			live = cut.Live
		}
		p.found(r, "", code.Finding{
			Outcome: code.Unresolved, Attribute: fmt.Sprintf("%s[%d].id", questionsName, cut.Place), Code: cut.Old, Live: live,
			Reason: survey.AnswersCutOff + " (" + cut.Answers() + "): a save left out its id; to give them back: " + survey.GiveBackCommand(r.Name, cut),
		})
	}
}
