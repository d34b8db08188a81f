package identity

import "slices"

// A script that assigns IDs by position, or copies one, can save a question under the ID of another one. The ID decides
// which question is which, so the answers of the two change places, and no rule of [Match] notices. An edit that
// gives a question the exact text and content of another one is rare. Therefore it is reported as possible.

// movedIDs returns the live questions that have the ID of another question, and the ID that each of them had before.
func (h History) movedIDs(live []Question) (found DetachedList) {
	if h.written == 0 { // no read since the write has found other questions
		return nil
	}

	for i, m := range h.moved(live) {
		if m.Was.ID == "" || h.replaced[live[i].ID].Old != "" && h.replaced[live[i].ID].IsCertain() || h.root(m.Was.ID) == h.root(live[i].ID) {
			continue
		}
		isShared := has(live[:i], live[i].ID) || has(live[i+1:], live[i].ID)
		found = append(found, Detached{
			Position: i, Text: live[i].Text, ID: live[i].ID, OldID: h.root(m.Was.ID), OldText: m.Was.Text, IsPossible: true,
			IsMoved: true, HasSharedID: isShared, IsTaken: m.IsTaken,
		})
	}
	return found
}

// moved returns the IDs that have moved among the live questions since the last write.
func (h History) moved(live []Question) []MovedID {
	sinceWrite := slices.Clone(h.versions[:h.written+1])
	slices.Reverse(sinceWrite)
	return MovedIDs(sinceWrite, live)
}

// MovedID describes a question that has the ID of another one. It is zero if the ID has not moved.
type MovedID struct {
	// Was is the question under the ID that it had before.
	Was Question
	// IsTaken is set if the ID cannot return to the question, because a question that has not moved has it, or because
	// that holds for the question that has it.
	IsTaken bool
	// IsExchanged is set if questions only exchanged their IDs, so that each of the IDs still has a question.
	IsExchanged bool
}

// MovedIDs finds the live questions that have the ID of a different question, and those whose ID such a question has.
// The versions are in order from oldest to newest.
func MovedIDs(versions [][]Question, live []Question) []MovedID {
	t, owners, moved := newTexts(), make([]Question, len(live)), make([]MovedID, len(live))
	for i, q := range live {
		owner, isReused := findOwner(t, versions, live, q)
		if owners[i] = owner; isReused {
			moved[i].Was = owner
		}
	}
	for i, owner := range owners {
		if holder := IndexByID(live, owner.ID); holder >= 0 && moved[holder].Was.ID != "" {
			moved[i].Was = owner
		}
	}

	for i := range moved {
		holder := i
		for range live { // follow the IDs to the question that has the last one
			if next := IndexByID(live, moved[holder].Was.ID); next >= 0 {
				holder = next
			}
		}
		moved[i].IsTaken = moved[i].Was.ID != "" && moved[holder].Was.ID == ""
		moved[i].IsExchanged = !moved[i].IsTaken && has(live, moved[holder].Was.ID)
	}
	return moved
}

// findOwner returns the latest form in which a live question was asked under another ID, before it was asked under its
// own. If the other ID still has such a question, that is another one. isReused is set if one version contains both the
// question under the other ID, and a different question under its current ID.
func findOwner(t texts, versions [][]Question, live []Question, q Question) (owner Question, isReused bool) {
	for _, list := range versions {
		own := IndexByID(list, q.ID)
		if q.ID == "" || own >= 0 && t.equal(list[own], q) {
			break
		}

		isContentIgnored := own >= 0 && !t.same(list[own].Text, q.Text)
		isLike := func(p Question) bool {
			return p.ID != q.ID && p.Type == q.Type && t.same(p.Text, q.Text) && (isContentIgnored || p.Content == q.Content)
		}
		isOwner := func(p Question) bool {
			holder := IndexByID(live, p.ID)
			return p.ID != "" && isLike(p) && (holder < 0 || !isLike(live[holder]))
		}
		if k := slices.IndexFunc(list, isOwner); k >= 0 {
			owner, isReused = list[k], isReused || own >= 0
		}
	}
	return owner, isReused
}
