package answers

import "slices"

// certainty is how reliably the matching rules recognize a question.
type certainty int

const (
	// none means that no rule can recognize the question.
	none certainty = iota
	// possible means that the match is reported with both texts.
	possible
	// certain means that the question keeps its answers.
	certain
)

// A text that has at least the share similarTexts in common with another text may be an edit of it. With at least the
// share sameTexts, it certainly is. Both shares leave a margin around the thresholds of the matching rules.
const (
	similarTexts = 0.45
	sameTexts    = 0.8
)

// claim returns how reliably the rules recognize a question as the one that had an ID.
func (w *world) claim(q Question, target []Question, index int, id string, liveBefore []Question, lists [][]Question) certainty {
	versions := append(slices.Clone(w.versions), liveBefore)
	newest := -1
	for k, list := range versions {
		if i := findQuestion(list, q.Who); i >= 0 && list[i].ID == id {
			newest = k
		}
	}
	if newest < 0 {
		return none
	}

	source := versions[newest]
	old := source[findQuestion(source, q.Who)]
	direct := relation(old, source, target, index, lists)
	now := findQuestion(liveBefore, q.Who)
	switch {
	case now < 0 && !old.isSimilar(q, similarTexts): // deleted in PostHog and completely reworded
		return none
	case !w.isKnown(id) && !old.isSimilar(q, similarTexts):
		// No command ever read the ID, so only its position identifies the question.
		return none
	case now < 0: // deleted in PostHog; a question with the same text may be a new one
		return min(direct, possible)
	case !w.isKnown(id) && w.isReworded(old):
		// A save replaced the ID and reworded the question. No one can tell whether the new text asks the same thing
		// as the text in the configuration.
		return min(direct, possible)
	case indexOfID(liveBefore, id) < 0 && hasEqual(source, q.Who) && old.isEqual(q) && !old.isEqual(liveBefore[now]):
		// A save replaced the ID of one of several equal questions and edited this question.
		return min(direct, possible)
	case old.isEqual(q), indexOfID(liveBefore, id) >= 0:
		return direct
	}

	// After a save replaced the ID, the only link between the two versions is the list that PostHog held at that
	// time. A question cannot be recognized if its text was replaced both in PostHog and in the configuration.
	if !old.isSimilar(liveBefore[now], similarTexts) && !liveBefore[now].isSimilar(q, similarTexts) {
		return none
	}
	read := relation(old, source, liveBefore, now, lists)
	keepsIDs := slices.ContainsFunc(source, func(candidate Question) bool { return candidate.ID != "" && indexOfID(liveBefore, candidate.ID) >= 0 })
	if keepsIDs && !old.isSimilar(liveBefore[now], similarTexts) { // it resembles another question
		return none
	}
	if !old.isAlike(liveBefore[now]) {
		read = min(read, possible)
	}
	if read == possible && !liveBefore[now].isSimilar(q, similarTexts) { // the rules don't combine two possible matches
		return none
	}
	return min(read, relation(liveBefore[now], liveBefore, target, index, lists))
}

// isReworded reports whether the type or text of a question has changed since a command last read it.
func (w *world) isReworded(q Question) bool {
	read := appearances(w.versions, q.Who)
	return len(read) > 0 && !read[len(read)-1].isAlike(q)
}

// relation returns how reliably the rules recognize a question of one list in a later list.
func relation(old Question, source, target []Question, index int, lists [][]Question) certainty {
	q := target[index]
	isAlone := func(isLike func(a, b Question) bool) bool {
		return !slices.ContainsFunc(lists, func(list []Question) bool {
			return slices.ContainsFunc(list, func(o Question) bool { return o.Who != q.Who && (isLike(o, q) || isLike(o, old)) })
		})
	}
	isSimilar := func(a, b Question) bool { // ignores the type, because an edit may have changed it
		b.Type = a.Type
		return a.isSimilar(b, similarTexts)
	}
	isSecond := func(a, b Question) bool { return a.isEqual(b) && !isTwin([][]Question{source}, a.Who, old.Who) }

	switch {
	case old.Type != q.Type:
		return none
	case old.isEqual(q) && isAlone(isSecond),
		(old.isAlike(q) || old.isSimilar(q, sameTexts)) && isAlone(isSimilar):
		return certain
	case old.isSimilar(q, similarTexts):
		return possible
	case findQuestion(source, old.Who) == index && isInPlace(source, target, index):
		return possible
	}
	return none
}

// isInPlace reports whether two lists differ in at most the question at index.
func isInPlace(source, target []Question, index int) bool {
	if len(source) != len(target) {
		return false
	}
	for i := range source {
		if i != index && !source[i].isEqual(target[i]) {
			return false
		}
	}
	return true
}

// isAmbiguous reports whether any two questions are similar.
func (w *world) isAmbiguous() bool {
	questions := slices.Concat(append(slices.Clone(w.versions), w.live, w.code)...)
	return slices.ContainsFunc(questions, func(a Question) bool {
		return slices.ContainsFunc(questions, func(b Question) bool { return a.Who != b.Who && a.isSimilar(b, similarTexts) })
	})
}

// claimInSaves returns how reliably the rules recognize a question, save by save, since the last save in
// which it had an ID.
func (w *world) claimInSaves(key int, id string) certainty {
	last := -1
	for k, list := range w.saves {
		if i := findQuestion(list, key); i >= 0 && list[i].ID == id {
			last = k
		}
	}
	newest := w.saves[len(w.saves)-1]
	now := findQuestion(newest, key)
	if last < 0 || now < 0 || w.saves[last][findQuestion(w.saves[last], key)].Type != newest[now].Type {
		return none // answers to a question of another type don't fit this one
	}

	weakest := certain
	for k := last; k+1 < len(w.saves); k++ {
		source, target := w.saves[k], w.saves[k+1]
		previous, now := findQuestion(source, key), findQuestion(target, key)
		if now < 0 {
			return none
		}
		if source[previous].ID == target[now].ID && target[now].ID != "" {
			continue
		}
		step := relation(source[previous], source, target, now, [][]Question{source, target})
		isTwinRemoved := hasEqual(source, key) && countEqual(target, source[previous]) < countEqual(source, source[previous]) // it is unknown which of the equal questions remains
		if !source[previous].isAlike(target[now]) || isTwinRemoved {
			step = min(step, possible)
		}
		weakest = min(weakest, step)
	}
	return weakest
}

// countEqual counts the questions that equal q in everything but the ID.
func countEqual(list []Question, q Question) (n int) {
	for _, candidate := range list {
		if candidate.isEqual(q) {
			n++
		}
	}
	return n
}

// appearances returns the versions of a question in the lists.
func appearances(lists [][]Question, key int) []Question {
	var questions []Question
	for _, list := range lists {
		if i := findQuestion(list, key); i >= 0 {
			questions = append(questions, list[i])
		}
	}
	return questions
}
