package code

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// questionsPath is the path of a survey's questions, which are identified by their IDs.
const questionsPath = "questions"

// isQuestion matches the path of a question.
var isQuestion = regexp.MustCompile(`^questions\[\d+\]$`)

// questions merges the list of questions. It returns false if the expression is not a list of
// questions.
func (m *merge) questions(expr hclsyntax.Expression, v Versions) bool {
	argument := callArgument(expr, functionQuestions)
	hasNames := argument != nil
	if !hasNames {
		argument = expr
	}
	code, okCode := v.Code.([]any)
	live, okLive := v.Live.([]any)
	list, isKnown := newListing(argument, len(code))
	if list == nil || !okCode || !okLive {
		return false
	}
	if !isKnown {
		if v.state() == same {
			return false
		}
		first := len(m.findings)
		m.reportLeft(nodeSpan(expr).start, questionsPath, v)
		m.because(first, reasonUncertain)
		return true
	}

	applied, _ := v.Applied.([]any)
	q := &questionList{merge: m, list: list, named: hasNames}
	q.applied, q.code, q.live = identify(applied, code, live)

	first := len(m.findings)
	q.plan()
	byPart, fits := list.split(q.slots())
	if !fits {
		m.findings = m.findings[:first]
		m.reportLeft(list.whole.start, questionsPath, v)
		m.because(first, reasonConcat)
		return true
	}
	q.tellApart()
	q.name()
	q.write(byPart)
	return true
}

// questionList merges the questions of a survey.
type questionList struct {
	*merge
	list *listing
	// named is set if the list is the argument of the questions function. Branching may then use names.
	named               bool
	applied, code, live identified
	// order contains the IDs of the merged questions.
	order []string
	// names maps question IDs to names for branching. given contains the names that the merge added.
	names, given map[string]string
}

// identified is a list of questions with an ID for each.
type identified struct {
	ids       []string
	questions []any
}

// at returns the index of a question, or -1.
func (l identified) at(id string) int { return slices.Index(l.ids, id) }

func (l identified) has(id string) bool { return l.at(id) >= 0 }

// get returns a question, or nil.
func (l identified) get(id string) map[string]any {
	if i := l.at(id); i >= 0 {
		return object(l.questions[i])
	}
	return nil
}

// identify assigns an ID to each question. A question without an ID in PostHog gets the ID of the
// matching configured question. A configured question with an unknown ID is new.
func identify(applied, code, live []any) (a, c, l identified) {
	c = identified{questions: code}
	for i, element := range code {
		id, isText := object(element)[idKey].(string)
		switch {
		case isText && id != "":
		case object(element)[idKey] != nil && !isText: // known after apply
			id = fmt.Sprintf("new %d", i)
		default:
			id = fmt.Sprintf("question %d of the configuration", i)
		}
		c.ids = append(c.ids, unique(c.ids, id))
	}
	return c.identifyOther(applied), c, c.identifyOther(live)
}

// identifyOther assigns IDs to the questions of another version.
func (l identified) identifyOther(list []any) identified {
	result := identified{questions: list}
	for i, pair := range identity.Match(identity.NewQuestions(l.questions), identity.NewQuestions(list)) {
		id, isText := object(list[i])[idKey].(string)
		switch {
		case isText && id != "":
		case pair.Index >= 0 && object(l.questions[pair.Index])[idKey] == nil:
			id = l.ids[pair.Index]
		default:
			id = fmt.Sprintf("another question: %v %v", object(list[i])["type"], object(list[i])[questionKey])
		}
		result.ids = append(result.ids, unique(result.ids, id))
	}
	return result
}

// unique returns an ID that no other question in the list has.
func unique(ids []string, id string) string {
	for slices.Contains(ids, id) {
		id += " again"
	}
	return id
}

// leftQuestions reports each question that differs and is not written. It returns false if either value
// is not a list.
func (m *merge) leftQuestions(offset int, v Versions) bool {
	applied, _ := v.Applied.([]any)
	code, okCode := v.Code.([]any)
	live, okLive := v.Live.([]any)
	if !okCode || !okLive {
		return false
	}
	a, c, l := identify(applied, code, live)

	start := len(m.findings)
	for i, id := range c.ids {
		first := len(m.findings)
		versions, path := Versions{a.get(id), code[i], l.get(id)}, element(questionsPath, i)
		switch {
		case !l.has(id) && !a.has(id): // new in the configuration
			m.report(Pending, offset, path, Versions{Code: code[i]}, reasonPending)
		case !l.has(id):
			m.report(Unresolved, offset, path, Versions{Code: code[i]}, reasonExpression)
		case versions.state() != same:
			m.reportLeft(offset, path, versions)
		}
		m.about(first, id)
	}
	for j, id := range l.ids {
		first := len(m.findings)
		switch path := element(questionsPath, j); {
		case c.has(id):
		case a.has(id): // deleted in the configuration
			m.report(Pending, offset, path, Versions{Live: live[j]}, reasonPending)
		default:
			m.report(Unresolved, offset, path, Versions{Live: live[j]}, reasonExpression)
		}
		m.about(first, id)
	}
	if len(m.findings) == start {
		m.report(Unresolved, offset, questionsPath, Versions{Code: "the order of the questions", Live: "another order"}, reasonExpression)
		m.findings[start].Kind = Reordered
	}
	return true
}

// plan determines the questions of the merged list and their order.
func (q *questionList) plan() {
	var kept []string
	for i, id := range q.code.ids {
		first := len(q.findings)
		v := Versions{q.applied.get(id), q.code.get(id), q.live.get(id)}
		offset, path := nodeSpan(q.list.exprs[i]).start, element(questionsPath, i)
		switch {
		case q.live.has(id):
		case !q.applied.has(id):
			q.report(Pending, offset, path, Versions{Code: v.Code}, reasonPending)
		case !jsonvalue.Equal(v.Applied, v.Code):
			q.report(Conflict, offset, path, Versions{Code: v.Code}, reasonBoth)
		case q.isTargetOfCode(id):
			q.report(Conflict, offset, path, Versions{Code: v.Code}, reasonTarget)
		default:
			q.report(Edited, offset, path, Versions{Code: v.Code}, "")
			continue
		}
		q.about(first, id)
		kept = append(kept, id)
	}
	q.order = q.reorder(kept)
	q.insert()
}

// reorder returns the remaining questions in their live order, if they were moved in PostHog. A
// question that exists only in the configuration stays after its predecessor.
func (q *questionList) reorder(remaining []string) []string {
	everywhere := func(version identified) []string {
		return slices.DeleteFunc(slices.Clone(version.ids), func(id string) bool {
			return !q.applied.has(id) || !q.live.has(id) || !slices.Contains(remaining, id)
		})
	}
	applied, code, live := everywhere(q.applied), everywhere(q.code), everywhere(q.live)
	switch {
	case slices.Equal(code, live):
		q.requireOrder(remaining)
		return remaining
	case slices.Equal(applied, live):
		q.foundOrder(Pending, reasonPending)
		return remaining
	case !slices.Equal(applied, code):
		q.foundOrder(Conflict, reasonBoth)
		return remaining
	}

	order := slices.Clone(live)
	for i, id := range remaining {
		if slices.Contains(order, id) {
			continue
		}
		index := 0
		if i > 0 {
			index = slices.Index(order, remaining[i-1]) + 1
		}
		order = slices.Insert(order, index, id)
	}
	q.reportMoves(order)
	q.requireOrder(order)
	return order
}

// requireOrder reports questions that are in a different order than in PostHog. If a question was not in
// the base, it is unknown which side moved it.
func (q *questionList) requireOrder(order []string) {
	inOrder := slices.DeleteFunc(slices.Clone(order), func(id string) bool { return !q.live.has(id) })
	live := slices.DeleteFunc(slices.Clone(q.live.ids), func(id string) bool { return !slices.Contains(order, id) })
	if !slices.Equal(inOrder, live) {
		q.foundOrder(Conflict, reasonBoth)
	}
}

func (q *questionList) foundOrder(outcome Outcome, reason string) {
	q.report(outcome, q.list.whole.start, questionsPath, Versions{Code: "the order of the questions", Live: "another order"}, reason)
	q.findings[len(q.findings)-1].Kind = Reordered
}

func (q *questionList) reportMoves(order []string) {
	last := -1
	for index, id := range order {
		codeIndex := q.code.at(id)
		if codeIndex < last && codeIndex != index {
			q.report(Edited, nodeSpan(q.list.exprs[codeIndex]).start, element(questionsPath, codeIndex), Versions{},
				reasonMoved+" to "+element(questionsPath, index))
		}
		last = max(last, codeIndex)
	}
}

// insert inserts new questions after their predecessors in PostHog.
func (q *questionList) insert() {
	for j, id := range q.live.ids {
		if q.code.has(id) {
			continue
		}
		if q.applied.has(id) {
			outcome, reason := Pending, reasonPending
			if !q.isAsApplied(id) {
				outcome, reason = Conflict, reasonBoth
			}
			first := len(q.findings)
			q.report(outcome, q.list.whole.start, questionsPath, Versions{Live: q.live.questions[j]}, reason)
			q.about(first, id)
			continue
		}

		index := 0
		for _, previous := range slices.Backward(q.live.ids[:j]) {
			if position := slices.Index(q.order, previous); position >= 0 {
				index = position + 1
				break
			}
		}
		q.order = slices.Insert(q.order, index, id)
		q.report(Edited, q.list.whole.start, element(questionsPath, j), Versions{Live: q.live.questions[j]}, "")
	}
}

// isAsApplied reports whether a live question equals the applied question. It ignores target positions,
// which depend on the list.
func (q *questionList) isAsApplied(id string) bool {
	return jsonvalue.Equal(withKey(q.applied.get(id), branchingKey, nil), withKey(q.live.get(id), branchingKey, nil))
}

// write edits the remaining questions. It rewrites the list if questions were added, removed, or moved.
func (q *questionList) write(byPart [][]slot) {
	for _, id := range q.order {
		index, first := q.code.at(id), len(q.findings)
		switch {
		case index < 0:
		case q.live.has(id):
			q.value(q.list.exprs[index], element(questionsPath, index), q.withID(id, q.resolve(id)))
		default:
			q.value(q.list.exprs[index], element(questionsPath, index), q.followTargets(id))
		}
		q.about(first, id)
	}

	for _, slots := range byPart {
		for k := range slots {
			if isNew(slots[k]) {
				slots[k].value = q.newQuestion(slots[k].id)
			}
		}
	}
	q.rearrange(q.list, byPart, QuestionOrder())
}

// slots returns the merged questions. New questions do not have values yet.
func (q *questionList) slots() []slot {
	slots := make([]slot, len(q.order))
	for k, id := range q.order {
		slots[k] = slot{from: q.code.at(id), id: id}
	}
	return slots
}

// newQuestion returns a question with the values that the configuration must set.
func (q *questionList) newQuestion(id string) map[string]any {
	return q.statedQuestion(object(q.resolve(id).Live), q.live.questions)
}

// statedQuestion returns a question without values that the provider derives from the existing
// question. It removes the ID, unless the configuration must set it, and empty values.
func (m *merge) statedQuestion(question map[string]any, list []any) map[string]any {
	alike := 0
	for _, q := range list {
		if isAlike(object(q), question) {
			alike++
		}
	}

	id, _ := question[idKey].(string)
	isNamed := slices.Contains(m.ids, id) || (alike > 1 || m.StatesNew) && !slices.Contains(m.Undecided, id)
	trimmed := maps.Clone(question)
	maps.DeleteFunc(trimmed, func(name string, value any) bool {
		_, isJSON := value.(jsonvalue.Text) // a plan resets omitted JSON, even if the JSON is empty
		return !isJSON && jsonvalue.IsEmpty(value) || name == idKey && !isNamed
	})
	return trimmed
}
