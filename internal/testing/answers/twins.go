package answers

import "slices"

// exchangeTwins gives questions that nobody can tell apart each other's IDs: those that are equal
// in everything, and a new question that the rules certainly take for one that went.
func (w *world) exchangeTwins(lists [][]Question, before []Question) {
	for range w.live {
		isDone := true
		for _, q := range w.live {
			other := w.owners[q.ID]
			switch {
			case other == 0, other == q.Who:
			case isTwin(lists, q.Who, other), isExchanged(lists[0], before, q, other), w.isReplaced(before, q, other),
				w.isAskedAgain(before, q.Who, other), w.isAskedAgain(before, other, q.Who):
				w.exchange(lists, q, other)
				isDone = false
			}
		}
		if isDone {
			break
		}
	}
	w.own()
}

// exchangeLoggedTwins gives a question the answers under its ID that were those of another one, if a
// save that replaced an ID of that one left or brought a question that was equal to it in everything:
// what the activity log has of the save does not tell the two apart.
func (w *world) exchangeLoggedTwins() {
	for _, q := range w.live {
		other := w.owners[q.ID]
		for k := 1; k < len(w.saves) && other != 0 && other != q.Who; k++ {
			before, after := w.saves[k-1], w.saves[k]
			was, now := indexOf(before, other), indexOf(after, q.Who)
			isLost := was >= 0 && now >= 0 && indexOfID(after, before[was].ID) < 0
			if isLost && (isTwin([][]Question{after}, q.Who, other) || indexOf(after, other) < 0 && before[was].isEqual(after[now])) {
				w.give(q.ID, q.Who)
				break
			}
		}
	}
}

// own records whose the IDs are that PostHog has given.
func (w *world) own() {
	for _, q := range w.live {
		if q.ID != "" && w.owners[q.ID] == 0 {
			w.owners[q.ID] = q.Who
		}
	}
}

// exchange makes a question the one whose ID it has, and that one the question that it was, from
// where they differ on. If both have IDs of that one, the other ID is no longer its own.
func (w *world) exchange(lists [][]Question, q Question, other int) {
	if i := indexOf(w.live, other); i >= 0 && w.owners[w.live[i].ID] == other {
		isOlder := w.isKnown(q.ID) && !w.isKnown(w.live[i].ID)
		if !isOlder {
			w.giveTwin(lists, q, other)
			w.give(q.ID, q.Who)
			return
		}
		w.give(w.live[i].ID, q.Who)
	}

	exchangeIn(w.live, q.Who, other)
	exchangeIn(w.code, q.Who, other)
	for _, list := range slices.Concat(lists[:len(lists)-1], w.saves[:len(w.saves)-1]) {
		a, b := indexOf(list, q.Who), indexOf(list, other)
		isTold := a >= 0 && b >= 0 && w.owners[list[a].ID] == q.Who && w.owners[list[b].ID] == other
		if a >= 0 && b >= 0 && !list[a].isEqual(list[b]) && !isTold {
			exchangeIn(list, q.Who, other)
		}
	}
}

// giveTwin gives the IDs that a question had, while it was equal to another one in everything, to
// that one.
func (w *world) giveTwin(lists [][]Question, q Question, other int) {
	for _, list := range lists {
		at := indexOf(list, q.Who)
		if at >= 0 && isTwin([][]Question{list}, q.Who, other) && w.owners[list[at].ID] == q.Who {
			w.give(list[at].ID, other)
		}
	}
}

// give makes answers under an ID those of a question.
func (w *world) give(id string, who int) {
	w.owners[id] = who
	for k := range w.answers[id] {
		w.answers[id][k] = who
	}
}

// isKnown reports whether a command has written or read an ID.
func (w *world) isKnown(id string) bool {
	return slices.ContainsFunc(w.versions, func(list []Question) bool { return indexOfID(list, id) >= 0 })
}

func exchangeIn(list []Question, who, other int) {
	a, b := indexOf(list, who), indexOf(list, other)
	if a >= 0 {
		list[a].Who = other
	}
	if b >= 0 {
		list[b].Who = who
	}
}

// isExchanged reports whether a question became what another one was in the last write, or is in
// PostHog, and PostHog does not hold it so.
func isExchanged(written, before []Question, q Question, other int) bool {
	was, is, held := indexOf(written, other), indexOf(before, other), indexOf(before, q.Who)
	if held < 0 && is >= 0 && before[is].isEqual(q) {
		return true
	}
	return was >= 0 && written[was].isEqual(q) && (held < 0 || !before[held].isEqual(q))
}

// isAskedAgain reports whether a question was asked in PostHog, under a new ID, as another one had
// been, which went between two reads: it cannot be told from that one without its ID. Nor can the
// only one with a text be told from the only one that had it, with other content.
func (w *world) isAskedAgain(before []Question, who, other int) bool {
	held := indexOf(before, who)
	if held < 0 || indexOf(before, other) >= 0 {
		return false
	}
	for _, list := range slices.Backward(w.versions) {
		if indexOf(list, who) < 0 {
			was := indexOf(list, other)
			isOnly := numberAlike(list, before[held]) == 1 && numberAlike(before, before[held]) == 1
			return was >= 0 && (list[was].isEqual(before[held]) || isOnly && list[was].isAlike(before[held]))
		}
	}
	return false
}

func numberAlike(list []Question, q Question) (n int) {
	for _, other := range list {
		if other.isAlike(q) {
			n++
		}
	}
	return n
}

// isReplaced reports whether a question that no command has seen says about what another one
// said, which nobody asks any more, or in words that nobody knows it by: it cannot be told from
// that one, edited.
func (w *world) isReplaced(before []Question, q Question, other int) bool {
	known := appearances(append(slices.Clone(w.versions), before), other)
	isSimilar := func(o Question) bool { return o.isSimilar(q, similarTexts) }
	isNew := len(appearances(w.versions, q.Who)) == 0
	if !w.adapter.HasState() {
		known, isNew = appearances([][]Question{before}, other), indexOf(before, q.Who) < 0
	}

	for _, o := range slices.Concat(w.versions...) { // what it cannot be told from is what it was
		if w.isAskedAgain(before, other, o.Who) {
			known = append(known, o)
		}
	}

	now := indexOf(w.live, other)
	isGone := now < 0 || !slices.ContainsFunc(known, func(o Question) bool { return o.isSimilar(w.live[now], similarTexts) })
	isHeld := slices.ContainsFunc(before, func(o Question) bool { return o.Who == other || w.isAskedAgain(before, o.Who, other) })
	return isNew && isGone && isHeld && slices.ContainsFunc(known, isSimilar)
}

// isTwin reports whether two questions were equal in everything in any list.
func isTwin(lists [][]Question, who, other int) bool {
	return slices.ContainsFunc(lists, func(list []Question) bool {
		a, b := indexOf(list, who), indexOf(list, other)
		return a >= 0 && b >= 0 && list[a].isEqual(list[b])
	})
}

// isShared reports whether a save replaced an ID, and PostHog holds a question under another new ID
// that is equal to the one that had it: either of the two may have been that one.
func (w *world) isShared(q Question, id string, before, old []Question) bool {
	isNew := func(o Question) bool {
		return !slices.ContainsFunc(w.versions, func(list []Question) bool {
			isKnown := indexOfID(list, o.ID) >= 0 || len(w.answers[o.ID]) == 0 && indexOf(list, o.Who) >= 0
			return indexOfID(list, id) >= 0 && isKnown
		})
	}
	return indexOfID(before, id) < 0 && slices.ContainsFunc(before, func(o Question) bool {
		return o.Who != q.Who && isNew(o) && slices.ContainsFunc(old, o.isEqual)
	})
}
