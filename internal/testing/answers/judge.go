package answers

import (
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// judgeApply judges the answers after an apply of a configuration: PostHog asks what it says,
// and each question has its answers.
func (w *world) judgeApply(t *rapid.T, code, liveBefore []Question, messages []string) {
	lists := append(slices.Clone(w.versions), liveBefore, code)
	w.hold(t, code)
	for i, q := range code {
		isLeft := !w.adapter.HasState() && isMentioned(messages, q.ID)
		if q.ID != "" && w.live[i].ID != q.ID && !isLeft {
			w.fail(t, "the configuration states the ID %s, and PostHog holds %s", q.ID, w.live[i])
		}
	}
	w.exchangeTwins(lists, liveBefore)

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

// judgeOwners fails when answers are under another question than theirs.
func (w *world) judgeOwners(t *rapid.T, messages []string) {
	lists := append(slices.Clone(w.versions), slices.Clone(w.live))
	w.exchangeLoggedTwins()
	w.exchangeTwins(lists, w.live)
	for _, q := range w.live {
		w.judgeOwner(t, q, nil, lists, messages)
	}
}

// judgeOwner fails when a question has the ID with another one's answers, unless the match was
// reported as possible with both texts.
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
	isStated := index >= 0 && code[index].ID != "" // another ID is its own
	isCertain := index >= 0 && !isStated && !hasEqual(liveBefore, owner) && w.claim(w.live[index], w.live, index, q.ID, liveBefore, lists) == certain
	if !isTold || isCertain {
		w.fail(t, "%s has the answers of #%d%s", q, owner, formatQuestions(appearances(lists, owner)))
	}
	w.give(q.ID, q.Who)
}

// hasEqual reports whether a list has a question that no one can tell from another one of it.
func hasEqual(list []Question, key int) bool {
	index := findQuestion(list, key)
	return index >= 0 && slices.ContainsFunc(list, func(q Question) bool { return q.Who != key && q.isEqual(list[index]) })
}

// detachedIDs returns the IDs under which a question has answers, if it has none under its own and no
// question has these IDs.
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

// judgeDetachment fails when an apply left answers of a question under an ID that no question has,
// although the rules know the question again, or nothing was reported.
func (w *world) judgeDetachment(t *rapid.T, q Question, index int, id string, liveBefore []Question, lists [][]Question, messages []string) {
	old := appearances(lists, q.Who)
	if w.isShared(q, id, liveBefore, old) || w.isRemovedTwin(id, liveBefore, messages) {
		return
	}

	switch w.claim(q, w.live, index, id, liveBefore, lists) {
	case certain:
		w.fail(t, "%s lost its answers under %s%s", q, id, formatQuestions(old))
	case possible:
		isHeld := findQuestion(liveBefore, q.Who) >= 0 // the message has the text that PostHog holds
		if !isReported(messages, old, q) && !w.isHeldReported(messages, old, q, liveBefore) && (!isHeld || !isMentioned(messages, id)) {
			w.fail(t, "%s lost its answers under %s, and no message has both texts%s", q, id, formatQuestions(old))
		}
	case none:
		if indexOfID(liveBefore, id) >= 0 && !isReported(messages, old) {
			w.fail(t, "%s lost its answers under %s, and no message has the old text%s", q, id, formatQuestions(old))
		}
	}
}

// isRemovedTwin reports whether PostHog held several equal questions, and the apply reported the ID
// that none of them has any more, or removed and reported one of them: no one knows which of them
// the configuration still asks.
func (w *world) isRemovedTwin(id string, liveBefore []Question, messages []string) bool {
	index := indexOfID(liveBefore, id)
	if index < 0 {
		return false
	}
	isRemoved := countEqual(w.live, liveBefore[index]) < countEqual(liveBefore, liveBefore[index]) && isReported(messages, liveBefore[index:index+1])
	return hasEqual(liveBefore, liveBefore[index].Who) && (isRemoved || isMentioned(messages, id))
}

// isHeldReported reports whether one message has the text that PostHog held for a question that the
// configuration has reworded since, and another text that it had before.
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

// isReported reports whether a single message contains the text of one of the old questions and the
// texts of all new questions.
func isReported(messages []string, old []Question, now ...Question) bool {
	return slices.ContainsFunc(messages, func(message string) bool {
		message = composed.Replace(message)
		hasText := func(q Question) bool { return strings.Contains(message, composed.Replace(q.Text)) }
		return slices.ContainsFunc(old, hasText) && !slices.ContainsFunc(now, func(q Question) bool { return !hasText(q) })
	})
}

// judgePull judges a pull: it reports what it can know of detached answers, unless the
// configuration states the ID with them.
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
				w.fail(t, "the answers under %s are detached from %s, and no message has both texts%s", id, q, formatQuestions(old))
			}
		}
	}
}

// judgeStatedIDs fails when a command replaces an ID that the configuration stated by one without the
// answers of the question, or removes it and reports nothing.
func (w *world) judgeStatedIDs(t *rapid.T, command Command, liveBefore []Question, messages []string) {
	for _, q := range liveBefore {
		i := findQuestion(w.code, q.Who)
		if i < 0 || q.ID == "" || w.code[i].ID == q.ID || !slices.Contains(w.answers[q.ID], q.Who) {
			continue
		}
		isRemoved := w.code[i].ID == "" && (indexOfID(w.live, q.ID) >= 0 || isMentioned(messages, q.ID))
		if !isRemoved {
			w.fail(t, "%s replaces the stated ID %s, which has answers, in %s", command, q.ID, w.code[i])
		}
	}
}

// judgeRepair fails when a repair that has read all saves leaves answers detached that the
// rules know the question of, or reports nothing of those that may be its own.
func (w *world) judgeRepair(t *rapid.T, messages []string) {
	for _, q := range w.live {
		for _, id := range w.detachedIDs(q) {
			old := appearances(w.saves, q.Who)
			isRetyped := slices.ContainsFunc(old, func(o Question) bool { return o.ID == id && o.Type != q.Type })
			switch w.claimInSaves(q.Who, id) {
			case certain:
				if isRetyped { // answers of another type do not fit it
					continue
				}
				w.fail(t, "repair leaves the answers under %s detached from %s%s", id, q, formatQuestions(old))
			case possible:
				if !isReported(messages, old, q) {
					w.fail(t, "the answers under %s may belong to %s, and no message contains both texts%s", id, q, formatQuestions(old))
				}
			case none:
			}
		}
	}
}
