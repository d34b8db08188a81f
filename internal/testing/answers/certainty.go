package answers

import "slices"

// certainty is how well the rules of matching know a question again.
type certainty int

const (
	// none: nobody can know the question again.
	none certainty = iota
	// possible: the match is reported with both texts.
	possible
	// certain: the question keeps its answers, whatever is reported.
	certain
)

// similarTexts is the share of a text from which another one may be an edit of it, and
// sameTexts the share from which it is one. What lies close to a rule's bound is on neither side.
const (
	similarTexts = 0.45
	sameTexts    = 0.8
)

// claim returns how well the rules know that a question is the one that had an ID.
func (w *world) claim(q Question, to []Question, at int, id string, before []Question, lists [][]Question) certainty {
	known := append(slices.Clone(w.versions), before)
	newest := -1
	for k, list := range known {
		if i := indexOf(list, q.Who); i >= 0 && list[i].ID == id {
			newest = k
		}
	}
	if newest < 0 {
		return none
	}

	from := known[newest]
	old := from[indexOf(from, q.Who)]
	direct := relation(old, from, to, at, lists)
	now := indexOf(before, q.Who)
	switch {
	case now < 0 && !old.isSimilar(q, similarTexts): // deleted in PostHog, and reworded wholly
		return none
	case !w.isKnown(id) && !old.isSimilar(q, similarTexts):
		// No command ever read the ID, and its position alone tells what it was.
		return none
	case now < 0: // deleted in PostHog: one that is asked again may be another
		return min(direct, possible)
	case !w.isKnown(id) && w.isReworded(old):
		// A save replaced the ID and reworded the question: nobody knows whether the new text asks
		// what the configuration still says.
		return min(direct, possible)
	case indexOfID(before, id) < 0 && hasEqual(from, q.Who) && old.isEqual(q) && !old.isEqual(before[now]):
		// A save replaced the ID of one of several equal questions, and edited it.
		return min(direct, possible)
	case old.isEqual(q), indexOfID(before, id) >= 0:
		return direct
	}

	// A save replaced the ID: what PostHog held after it stands between the two. Nobody knows a
	// question again that was reworded wholly on both sides.
	if !old.isSimilar(before[now], similarTexts) && !before[now].isSimilar(q, similarTexts) {
		return none
	}
	read := relation(old, from, before, now, lists)
	keepsIDs := slices.ContainsFunc(from, func(kept Question) bool { return kept.ID != "" && indexOfID(before, kept.ID) >= 0 })
	if keepsIDs && !old.isSimilar(before[now], similarTexts) { // it looks like another question
		return none
	}
	if !old.isAlike(before[now]) {
		read = min(read, possible)
	}
	if read == possible && !before[now].isSimilar(q, similarTexts) { // one guess does not follow another
		return none
	}
	return min(read, relation(before[now], before, to, at, lists))
}

// isReworded reports whether a question says another thing than when a command last read it.
func (w *world) isReworded(q Question) bool {
	read := appearances(w.versions, q.Who)
	return len(read) > 0 && !read[len(read)-1].isAlike(q)
}

// relation returns how well the rules know a question of one list again in a later one.
func relation(old Question, from, to []Question, at int, lists [][]Question) certainty {
	q := to[at]
	isAlone := func(isLike func(a, b Question) bool) bool {
		return !slices.ContainsFunc(lists, func(list []Question) bool {
			return slices.ContainsFunc(list, func(o Question) bool { return o.Who != q.Who && (isLike(o, q) || isLike(o, old)) })
		})
	}
	isSimilar := func(a, b Question) bool { // one of another type may be the question, retyped
		b.Type = a.Type
		return a.isSimilar(b, similarTexts)
	}
	isSecond := func(a, b Question) bool { return a.isEqual(b) && !isTwin([][]Question{from}, a.Who, old.Who) }

	switch {
	case old.Type != q.Type:
		return none
	case old.isEqual(q) && isAlone(isSecond),
		(old.isAlike(q) || old.isSimilar(q, sameTexts)) && isAlone(isSimilar):
		return certain
	case old.isSimilar(q, similarTexts):
		return possible
	case indexOf(from, old.Who) == at && isInPlace(from, to, at):
		return possible
	}
	return none
}

// isInPlace reports whether two lists are equal but for one question.
func isInPlace(from, to []Question, at int) bool {
	if len(from) != len(to) {
		return false
	}
	for i := range from {
		if i != at && !from[i].isEqual(to[i]) {
			return false
		}
	}
	return true
}

// isAmbiguous reports whether any two questions are like each other.
func (w *world) isAmbiguous() bool {
	all := slices.Concat(append(slices.Clone(w.versions), w.live, w.code)...)
	return slices.ContainsFunc(all, func(a Question) bool {
		return slices.ContainsFunc(all, func(b Question) bool { return a.Who != b.Who && a.isSimilar(b, similarTexts) })
	})
}

// claimInSaves returns how well the rules know a question again from the last save in which it
// had an ID, save by save.
func (w *world) claimInSaves(who int, id string) certainty {
	last := -1
	for k, list := range w.saves {
		if i := indexOf(list, who); i >= 0 && list[i].ID == id {
			last = k
		}
	}
	newest := w.saves[len(w.saves)-1]
	if last < 0 || w.saves[last][indexOf(w.saves[last], who)].Type != newest[indexOf(newest, who)].Type {
		return none // answers to a question of another type are of another kind
	}

	known := certain
	for k := last; k+1 < len(w.saves); k++ {
		from, to := w.saves[k], w.saves[k+1]
		was, now := indexOf(from, who), indexOf(to, who)
		if now < 0 {
			return none
		}
		if from[was].ID == to[now].ID && to[now].ID != "" {
			continue
		}
		step := relation(from[was], from, to, now, [][]Question{from, to})
		isTwinRemoved := hasEqual(from, who) && countEqual(to, from[was]) < countEqual(from, from[was]) // which of the equal ones remains?
		if !from[was].isAlike(to[now]) || isTwinRemoved {
			step = min(step, possible)
		}
		known = min(known, step)
	}
	return known
}

// countEqual counts the questions that equal q in everything but the ID.
func countEqual(list []Question, q Question) (n int) {
	for _, other := range list {
		if other.isEqual(q) {
			n++
		}
	}
	return n
}

// appearances are what a question was in each list.
func appearances(lists [][]Question, who int) []Question {
	var all []Question
	for _, list := range lists {
		if i := indexOf(list, who); i >= 0 {
			all = append(all, list[i])
		}
	}
	return all
}
