package answers

import (
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// judgeApply checks the answers after an apply: PostHog must hold the questions of the configuration, and
// each question must keep its answers.
func (w *world) judgeApply(t *rapid.T, code, liveBefore []Question, messages []string) {
	lists := append(slices.Clone(w.versions), liveBefore, code)
	w.hold(t, code)
	for i, q := range code {
		isLeft := !w.adapter.HasState() && isMentioned(messages, q.ID)
		if q.ID != "" && w.live[i].ID != q.ID && !isLeft {
			w.fail(t, "the configuration states the ID %s, but PostHog holds %s", q.ID, w.live[i])
		}
	}
	w.exchangeTwins(lists, liveBefore)
	w.exchangeSuccessors()

	for _, q := range w.live {
		w.judgeOwner(t, q, liveBefore, lists, messages)
	}
	for i, q := range w.live {
		if code[i].ID != "" && code[i].ID == q.ID {
			continue
		}
		for _, id := range w.detachedIDs(q) {
			w.judgeDetachment(t, q, i, id, liveBefore, lists, messages)
		}
	}
}

// judgeOwners fails if answers are stored under the ID of a question to which they don't belong.
func (w *world) judgeOwners(t *rapid.T, messages []string) {
	lists := append(slices.Clone(w.versions), slices.Clone(w.live))
	w.exchangeSuccessors()
	w.exchangeTwins(lists, w.live)
	for _, q := range w.live {
		w.judgeOwner(t, q, nil, lists, messages)
	}
}

// judgeOwner fails if another question's answers are stored under a question's ID, unless the match was reported as
// possible with both texts.
func (w *world) judgeOwner(t *rapid.T, q Question, liveBefore []Question, lists [][]Question, messages []string) {
	owner := w.owners[q.ID]
	if owner == 0 || owner == q.Who {
		return
	}
	if len(w.answers[q.ID]) == 0 {
		w.give(q.ID, q.Who)
		return
	}
	isTold := isReported(messages, appearances(lists, owner), q)
	code, index := lists[len(lists)-1], findQuestion(w.live, owner)
	isStated := index >= 0 && code[index].ID != "" // a stated ID overrides the match
	isCertain := index >= 0 && !isStated && !hasEqual(liveBefore, owner) && w.claim(w.live[index], w.live, index, q.ID, liveBefore, lists) == certain
	if !isTold || isCertain {
		w.fail(t, "%s has the answers of #%d%s", q, owner, formatQuestions(appearances(lists, owner)))
	}
	w.give(q.ID, q.Who)
}

// hasEqual reports whether a list contains another question that is equal to the question with this key.
func hasEqual(list []Question, key int) bool {
	index := findQuestion(list, key)
	return index >= 0 && slices.ContainsFunc(list, func(q Question) bool { return q.Who != key && q.isEqual(list[index]) })
}

// detachedIDs returns the IDs under which a question has detached answers. It returns nothing if the question has
// answers under its own ID.
func (w *world) detachedIDs(q Question) []string {
	if slices.Contains(w.answers[q.ID], q.Who) {
		return nil
	}
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(w.answers)) {
		if slices.Contains(w.answers[id], q.Who) && indexOfID(w.live, id) < 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// judgeDetachment fails if an apply left a question's answers under an ID that no question has, although the rules
// recognize the question, or nothing was reported.
func (w *world) judgeDetachment(t *rapid.T, q Question, index int, id string, liveBefore []Question, lists [][]Question, messages []string) {
	old := appearances(lists, q.Who)
	if w.isShared(q, id, liveBefore, old) || w.isRemovedTwin(id, liveBefore, messages) {
		return
	}

	switch w.claim(q, w.live, index, id, liveBefore, lists) {
	case certain:
		w.fail(t, "%s lost its answers under %s%s", q, id, formatQuestions(old))
	case possible:
		isHeld := findQuestion(liveBefore, q.Who) >= 0 // the message contains the text in PostHog
		if !isReported(messages, old, q) && !w.isHeldReported(messages, old, q, liveBefore) && (!isHeld || !isMentioned(messages, id)) {
			w.fail(t, "%s lost its answers under %s, and no message contains both texts%s", q, id, formatQuestions(old))
		}
	case none:
		if indexOfID(liveBefore, id) >= 0 && !isReported(messages, old) {
			w.fail(t, "%s lost its answers under %s, and no message contains the old text%s", q, id, formatQuestions(old))
		}
	}
}

// isRemovedTwin reports whether PostHog held several equal questions, and the apply either reported the
// detached ID, or removed and reported one of the questions. No one can tell which of them the configuration
// still contains.
func (w *world) isRemovedTwin(id string, liveBefore []Question, messages []string) bool {
	index := indexOfID(liveBefore, id)
	if index < 0 {
		return false
	}
	isRemoved := countEqual(w.live, liveBefore[index]) < countEqual(liveBefore, liveBefore[index]) && isReported(messages, liveBefore[index:index+1])
	return hasEqual(liveBefore, liveBefore[index].Who) && (isRemoved || isMentioned(messages, id))
}

// isHeldReported reports whether a single message contains the text in PostHog of a question that the
// configuration has since reworded, and an earlier text of this question.
func (w *world) isHeldReported(messages []string, old []Question, q Question, liveBefore []Question) bool {
	index := findQuestion(liveBefore, q.Who)
	if index < 0 {
		return false
	}
	remaining := slices.DeleteFunc(slices.Clone(old), func(candidate Question) bool { return candidate.isAlike(liveBefore[index]) })
	return isReported(messages, remaining, liveBefore[index])
}

func isMentioned(messages []string, id string) bool {
	return slices.ContainsFunc(messages, func(message string) bool { return strings.Contains(message, id) })
}

// isReported reports whether a single message contains the text of one of the old questions and the texts of all new
// questions.
func isReported(messages []string, old []Question, now ...Question) bool {
	return slices.ContainsFunc(messages, func(message string) bool {
		message = composed.Replace(message)
		hasText := func(q Question) bool { return strings.Contains(message, composed.Replace(q.Text)) }
		return slices.ContainsFunc(old, hasText) && !slices.ContainsFunc(now, func(q Question) bool { return !hasText(q) })
	})
}

// judgePull checks a pull: it must report the detached answers that it can recognize, unless the
// configuration states the ID with these answers.
func (w *world) judgePull(t *rapid.T, code []Question, messages []string) {
	lists := append(slices.Clone(w.versions), w.live, code)
	for index, q := range w.live {
		if i := findQuestion(w.code, q.Who); i >= 0 && w.code[i].ID != "" && w.code[i].ID != q.ID {
			continue
		}
		for _, id := range w.detachedIDs(q) {
			old := appearances(w.versions, q.Who)
			switch claim := w.claim(q, w.live, index, id, w.live, lists); {
			case claim == none, isReported(messages, old, q):
			case isMentioned(messages, id) && (claim == certain || slices.ContainsFunc(old, q.isAlike)):
			default:
				w.fail(t, "the answers under %s are detached from %s, and no message contains both texts%s", id, q, formatQuestions(old))
			}
		}
	}
}

// judgeStatedIDs fails if a command replaces a stated ID with an ID that has none of the question's answers, or
// removes a stated ID without a report. It ignores questions that look deleted: a question that no rule recognizes,
// and one of several equal questions. If the question only possibly had the stated ID, a report with both texts is enough.
func (w *world) judgeStatedIDs(t *rapid.T, command Command, liveBefore []Question, messages []string) {
	for _, q := range liveBefore {
		i := findQuestion(w.code, q.Who)
		if i < 0 || q.ID == "" || w.code[i].ID == q.ID || !slices.Contains(w.answers[q.ID], q.Who) {
			continue
		}
		isRemoved := w.code[i].ID == "" && (indexOfID(w.live, q.ID) >= 0 || isMentioned(messages, q.ID))
		claim := w.claimInSaves(q.Who, q.ID)
		isTold := claim == possible && isReported(messages, appearances(w.saves, q.Who), w.code[i])
		if !isRemoved && !isTold && !w.hadTwin(q.Who) && claim != none {
			w.fail(t, "%s replaces the stated ID %s, which has answers, in %s", command, q.ID, w.code[i])
		}
	}
}

// judgeRepair fails if a repair that has read all saves leaves a question's answers detached although the rules
// recognize the question, or doesn't report detached answers that may belong to the question. If a question had
// several IDs, the repair may restore any of the IDs with the most responses, because PostHog doesn't count the
// answers to a question.
func (w *world) judgeRepair(t *rapid.T, messages []string) {
	w.repairs = append(w.repairs, messages...)

	for _, q := range w.live {
		for _, id := range w.detachedIDs(q) {
			if w.owners[q.ID] == q.Who && w.responses[q.ID] >= w.responses[id] {
				continue
			}
			old := appearances(w.saves, q.Who)
			isRetyped := slices.ContainsFunc(old, func(o Question) bool { return o.ID == id && o.Type != q.Type })
			switch w.claimInSaves(q.Who, id) {
			case certain:
				if isRetyped { // answers of another type don't fit the question
					continue
				}
				if w.isReportedForTwin(id, q) {
					continue
				}
				w.fail(t, "repair leaves the answers under %s detached from %s%s", id, q, formatQuestions(old))
			case possible:
				isReportedEarlier := w.isRestored(q) && isMentioned(w.repairs, id)
				if !isReported(messages, old, q) && !isReportedEarlier && !w.isReportedForTwin(id, q) {
					w.fail(t, "the answers under %s may belong to %s, and no message contains both texts%s", id, q, formatQuestions(old))
				}
			case none:
			}
		}
	}
}

// isReportedForTwin reports whether a message of this repair or an earlier one contains an old ID of q, and the log can
// mistake another question for q, for example because it was once equal to q. The ID may then belong to the other
// question.
func (w *world) isReportedForTwin(id string, q Question) bool {
	return isMentioned(w.repairs, id) && slices.ContainsFunc(w.live, func(rival Question) bool {
		isMistakable := isTwin(w.saves, q.Who, rival.Who) || slices.Contains(w.successors(q.Who), rival.Who)
		return rival.Who != q.Who && isMistakable
	})
}

// hadTwin reports whether PostHog ever held a question and an equal one.
func (w *world) hadTwin(key int) bool {
	return slices.ContainsFunc(w.saves, func(list []Question) bool { return hasEqual(list, key) })
}

// isRestored reports whether PostHog assigned a new ID to a question, and a repair has restored the old one.
func (w *world) isRestored(q Question) bool {
	isOther := false
	for _, held := range slices.Backward(appearances(w.saves, q.Who)) {
		if held.ID == q.ID && isOther {
			return true
		}
		isOther = isOther || held.ID != q.ID
	}
	return false
}
