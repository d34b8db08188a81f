package answers

import "slices"

// exchangeTwins exchanges the IDs of questions that cannot be distinguished: equal questions, and a
// new question that certainly matches a deleted one by the rules.
func (w *world) exchangeTwins(lists [][]Question, liveBefore []Question) {
	for range w.live {
		isDone := true
		for _, q := range w.live {
			owner := w.owners[q.ID]
			switch {
			case owner == 0, owner == q.Who:
			case isTwin(lists, q.Who, owner), isExchanged(lists[0], liveBefore, q, owner), w.isReplaced(liveBefore, q, owner),
				w.isAskedAgain(liveBefore, q.Who, owner), w.isAskedAgain(liveBefore, owner, q.Who):
				w.exchange(lists, q, owner)
				isDone = false
			case indexOfID(liveBefore, q.ID) < 0 && isTwinOfTwin(lists, q.Who, owner):
				w.give(q.ID, q.Who)
				isDone = false
			}
		}
		if isDone {
			break
		}
	}
	w.own()
}

// exchangeSuccessors gives a question the answers under its ID that belonged to another question, if not even all saves
// together distinguish the two.
func (w *world) exchangeSuccessors() {
	for _, q := range w.live {
		if owner := w.owners[q.ID]; owner != 0 && owner != q.Who && slices.Contains(w.successors(owner), q.Who) {
			w.give(q.ID, q.Who)
		}
	}
}

// successors returns a question and the questions that a reader of all saves may mistake for it: after a save replaced its
// ID, they were equal to it or looked like a new version of it. Each of them may have successors in later saves.
func (w *world) successors(key int) []int {
	keys := []int{key}
	for k := 1; k < len(w.saves); k++ {
		previous, current := w.saves[k-1], w.saves[k]
		for _, lost := range previous {
			if !slices.Contains(keys, lost.Who) || indexOfID(current, lost.ID) >= 0 {
				continue
			}
			for _, q := range current {
				isLike := isEdited(current, lost) && looksLike(current, q, previous, lost)
				if isLike || isTwin([][]Question{current}, q.Who, lost.Who) {
					keys = append(keys, q.Who)
				}
			}
		}
	}
	return keys
}

// own records the owners of IDs that PostHog has assigned.
func (w *world) own() {
	for _, q := range w.live {
		if q.ID != "" && w.owners[q.ID] == 0 {
			w.owners[q.ID] = q.Who
		}
	}
}

// exchange swaps the identities of two questions in all lists in which they differ, so that q becomes the question
// whose ID it has. If each question has had one of the other's IDs, q instead becomes the owner of its current ID.
func (w *world) exchange(lists [][]Question, q Question, rival int) {
	if i := findQuestion(w.live, rival); i >= 0 && w.owners[w.live[i].ID] == rival {
		isOlder := w.isKnown(q.ID) && !w.isKnown(w.live[i].ID)
		if !isOlder {
			w.giveTwin(lists, q, rival)
			w.give(q.ID, q.Who)
			return
		}
		w.give(w.live[i].ID, q.Who)
	}

	swapKeys(w.live, q.Who, rival)
	swapKeys(w.code, q.Who, rival)
	for _, list := range slices.Concat(lists[:len(lists)-1], w.saves[:len(w.saves)-1]) {
		a, b := findQuestion(list, q.Who), findQuestion(list, rival)
		isTold := a >= 0 && b >= 0 && w.owners[list[a].ID] == q.Who && w.owners[list[b].ID] == rival
		if a >= 0 && b >= 0 && !list[a].isEqual(list[b]) && !isTold {
			swapKeys(list, q.Who, rival)
		}
	}
}

// giveTwin assigns a question's IDs to another question for lists in which the two were equal.
func (w *world) giveTwin(lists [][]Question, q Question, rival int) {
	for _, list := range lists {
		index := findQuestion(list, q.Who)
		if index >= 0 && isTwin([][]Question{list}, q.Who, rival) && w.owners[list[index].ID] == q.Who {
			w.give(list[index].ID, rival)
		}
	}
}

// give makes a question the owner of an ID and of all answers under it.
func (w *world) give(id string, key int) {
	w.owners[id] = key
	for k := range w.answers[id] {
		w.answers[id][k] = key
	}
}

// isKnown reports whether a command has written or read an ID.
func (w *world) isKnown(id string) bool {
	return slices.ContainsFunc(w.versions, func(list []Question) bool { return indexOfID(list, id) >= 0 })
}

func swapKeys(list []Question, key, rival int) {
	a, b := findQuestion(list, key), findQuestion(list, rival)
	if a >= 0 {
		list[a].Who = rival
	}
	if b >= 0 {
		list[b].Who = key
	}
}

// isExchanged reports whether q equals another question in the last write or in PostHog, but not its own version in
// PostHog.
func isExchanged(lastWrite, liveBefore []Question, q Question, rival int) bool {
	rivalInWrite, rivalInLive, ownInLive := findQuestion(lastWrite, rival), findQuestion(liveBefore, rival), findQuestion(liveBefore, q.Who)
	if ownInLive < 0 && rivalInLive >= 0 && liveBefore[rivalInLive].isEqual(q) {
		return true
	}
	return rivalInWrite >= 0 && lastWrite[rivalInWrite].isEqual(q) && (ownInLive < 0 || !liveBefore[ownInLive].isEqual(q))
}

// isAskedAgain reports whether a question was added in PostHog, under a new ID, with the text of another
// question that was deleted between two reads. Without its ID, it looks like the deleted question. If each of
// the two was the only question with its text, their content may differ. A question that lost its ID and its text between
// two reads looks deleted, too.
func (w *world) isAskedAgain(liveBefore []Question, key, rival int) bool {
	if findQuestion(liveBefore, key) < 0 {
		return false
	}
	first := liveBefore // the first list in which a command saw the question
	for _, list := range slices.Backward(w.versions) {
		if findQuestion(list, key) < 0 {
			previous, next := findQuestion(list, rival), findQuestion(first, rival)
			isGone := findQuestion(liveBefore, rival) < 0 ||
				previous >= 0 && next >= 0 && first[next].ID != list[previous].ID && !first[next].isSimilar(list[previous], similarTexts)
			return previous >= 0 && isGone && looksLike(first, first[findQuestion(first, key)], list, list[previous])
		}
		first = list
	}
	return false
}

// isEdited reports whether a list no longer contains a question, or contains another version of it.
func isEdited(list []Question, q Question) bool {
	index := findQuestion(list, q.Who)
	return index < 0 || !list[index].isEqual(q)
}

// looksLike reports whether a question looks like one in an earlier list: the two are equal, or each is the only
// question with its text.
func looksLike(list []Question, q Question, earlierList []Question, earlier Question) bool {
	isOnly := numberAlike(earlierList, q) == 1 && numberAlike(list, q) == 1
	return earlier.isEqual(q) || isOnly && earlier.isAlike(q)
}

func numberAlike(list []Question, q Question) (n int) {
	for _, candidate := range list {
		if candidate.isAlike(q) {
			n++
		}
	}
	return n
}

// isReplaced reports whether a question that no command has read resembles a deleted question, or a question
// with a text that no command can recognize. It looks like an edit of that question.
func (w *world) isReplaced(liveBefore []Question, q Question, rival int) bool {
	earlier := appearances(append(slices.Clone(w.versions), liveBefore), rival)
	isSimilar := func(o Question) bool { return o.isSimilar(q, similarTexts) }
	isNew := len(appearances(w.versions, q.Who)) == 0
	if !w.adapter.HasState() {
		// A question that a teammate reworded looks new in the configuration if its text in PostHog is unlike. An edited
		// question also looks like a deleted one with the same text.
		held := [][]Question{liveBefore}
		earlier = appearances(held, rival)
		isRecognized := isSimilar
		if slices.ContainsFunc(earlier, q.isAlike) {
			isRecognized = q.isEqual
		}
		isNew = !slices.ContainsFunc(appearances(held, q.Who), isRecognized)
	}

	for _, o := range slices.Concat(w.versions...) { // questions for which it can be mistaken
		if w.isAskedAgain(liveBefore, rival, o.Who) {
			earlier = append(earlier, o)
		}
	}

	now := findQuestion(w.live, rival)
	isGone := now < 0 || !slices.ContainsFunc(earlier, func(o Question) bool { return o.isSimilar(w.live[now], similarTexts) })
	isHeld := slices.ContainsFunc(liveBefore, func(o Question) bool { return o.Who == rival || w.isAskedAgain(liveBefore, o.Who, rival) })
	return isNew && isGone && isHeld && slices.ContainsFunc(earlier, isSimilar)
}

// isTwin reports whether two questions were equal in any of the lists.
func isTwin(lists [][]Question, key, rival int) bool {
	return slices.ContainsFunc(lists, func(list []Question) bool {
		a, b := findQuestion(list, key), findQuestion(list, rival)
		return a >= 0 && b >= 0 && list[a].isEqual(list[b])
	})
}

// isTwinOfTwin reports whether a third question was equal to one of the questions in a list, and to the other one in
// another list. After a save without IDs, none of the three can be distinguished from the others.
func isTwinOfTwin(lists [][]Question, key, rival int) bool {
	return slices.ContainsFunc(slices.Concat(lists...), func(q Question) bool {
		return q.Who != key && q.Who != rival && isTwin(lists, key, q.Who) && isTwin(lists, q.Who, rival)
	})
}

// isShared reports whether a save replaced an ID, and another question in PostHog with a new ID equals the
// question that had it. Either of the two questions may be the original.
func (w *world) isShared(q Question, id string, liveBefore, old []Question) bool {
	isNew := func(o Question) bool {
		return !slices.ContainsFunc(w.versions, func(list []Question) bool {
			isKnown := indexOfID(list, o.ID) >= 0 || len(w.answers[o.ID]) == 0 && findQuestion(list, o.Who) >= 0
			return indexOfID(list, id) >= 0 && isKnown
		})
	}
	return indexOfID(liveBefore, id) < 0 && slices.ContainsFunc(liveBefore, func(o Question) bool {
		return o.Who != q.Who && isNew(o) && slices.ContainsFunc(old, o.isEqual)
	})
}
