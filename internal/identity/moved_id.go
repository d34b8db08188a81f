package identity

import "slices"

// A script that assigns IDs by position, or copies one, can save a question under the ID of another one. The ID decides
// which question is which, so the answers of the two change places, and no rule of [Match] notices. An edit that
// gives a question the exact text and content of another one is rare. Therefore it is reported as possible.

// movedIDs returns the live questions that have the ID of another question, and the ID that each of them had before.
func (h History) movedIDs(live []Question) (found DetachedList) {
	if h.written == 0 { // it was not read since, or has not changed
		return nil
	}

	sinceWrite := slices.Clone(h.versions[:h.written+1])
	slices.Reverse(sinceWrite)
	for i, old := range MovedIDs(sinceWrite, live) {
		if _, isListed := h.replaced[live[i].ID]; old.ID != "" && !isListed && h.root(old.ID) != h.root(live[i].ID) {
			isShared := has(live[:i], live[i].ID) || has(live[i+1:], live[i].ID)
			found = append(found, Detached{
				Position: i, Text: live[i].Text, ID: live[i].ID, OldID: old.ID, OldText: old.Text, IsPossible: true, HasSharedID: isShared,
			})
		}
	}
	return found
}

// MovedIDs returns, for each live question, the question under whose ID an earlier version contained it, if the live
// question has the ID of a different question, or if such a question has its ID. The zero Question means that the ID
// has not moved. The versions are in order from oldest to newest.
func MovedIDs(versions [][]Question, live []Question) []Question {
	t, owners, hasMoved := newTexts(), make([]Question, len(live)), make([]Question, len(live))
	for i, q := range live {
		o := findOwner(t, versions, q)
		owners[i] = o.owner
		current := IndexByID(live, o.owner.ID)
		if o.isReused && o.owner.ID != "" && (current < 0 || !o.isLike(live[current])) {
			hasMoved[i] = o.owner
		}
	}

	moved := slices.Clone(hasMoved)
	for i, owner := range owners {
		if current := IndexByID(live, owner.ID); current >= 0 && hasMoved[current].ID != "" {
			moved[i] = owner
		}
	}
	return moved
}

// ownership is what the earlier versions show about a question's ID.
type ownership struct {
	// owner is the latest form in which the question was asked under another ID. It is the zero Question if it was not.
	owner Question
	// isReused is set if one version contains both the owner and another question with the ID.
	isReused bool
	// isLike reports whether a question is asked like this one, under another ID.
	isLike func(Question) bool
}

// findOwner looks for a question in the versions before those that contain it under its ID.
func findOwner(t texts, versions [][]Question, q Question) (found ownership) {
	for _, list := range versions {
		own := IndexByID(list, q.ID)
		if q.ID == "" || own >= 0 && t.equal(list[own], q) {
			break
		}

		isTextEnough := own >= 0 && !t.same(list[own].Text, q.Text)
		isLike := func(p Question) bool {
			return p.ID != q.ID && p.Type == q.Type && t.same(p.Text, q.Text) && (isTextEnough || p.Content == q.Content)
		}
		if k := slices.IndexFunc(list, isLike); k >= 0 && list[k].ID != "" {
			found.owner, found.isReused, found.isLike = list[k], found.isReused || own >= 0, isLike
		}
	}
	return found
}
