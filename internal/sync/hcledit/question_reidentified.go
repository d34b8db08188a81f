package hcledit

import "slices"

// reidentified are live questions of which those that have got another id, with the type and the
// text that they had, are under the id that the code knows them by: the service gives
// questions new ids when somebody writes them without. So the code stays with its comments,
// and gets the id where it has to state it. It is done where the type and the text tell the
// question from all others.
func (l identified) reidentified(applied, code identified) identified {
	result := identified{ids: slices.Clone(l.ids), questions: l.questions}
	for j, id := range l.ids {
		if code.has(id) || applied.has(id) {
			continue
		}
		of, isOne := code.onlyLike(l.questions[j])
		if _, isOnlyLive := l.onlyLike(l.questions[j]); isOne && isOnlyLive && !l.has(of) && applied.has(of) {
			result.ids[j] = of
		}
	}
	return result
}

// onlyLike is the id of the question with the type and the text of another; false when there
// are several, or none.
func (l identified) onlyLike(question any) (id string, ok bool) {
	var ids []string
	for i, other := range l.questions {
		if isAlike(object(other), object(question)) {
			ids = append(ids, l.ids[i])
		}
	}
	if len(ids) != 1 {
		return "", false
	}
	return ids[0], true
}
