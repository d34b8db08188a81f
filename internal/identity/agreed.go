package identity

import "slices"

// A three-way merge needs the version from which the configuration was written. As long as only an
// apply changes both sides, the state records that version. A pull also changes both sides, and
// records in the lock file what they had in common.

// Agreed holds the versions since configuration and PostHog are known to have had the same
// questions. The configuration was written from one of them. A question has one ID in all versions:
// the ID with its answers.
type Agreed struct {
	history History
	// written maps root IDs to the IDs that the questions had at the last write.
	written map[string]string
}

// SinceWrite returns the versions since the last write.
func (h History) SinceWrite() Agreed {
	a := Agreed{history: History{replaced: h.replaced}, written: map[string]string{}}
	if len(h.versions) == 0 {
		return a
	}

	for v, list := range h.versions[:h.written+1] {
		under := slices.Clone(list)
		for i, q := range list {
			under[i].ID = h.root(q.ID)
			if v == h.written {
				a.written[under[i].ID] = q.ID
			}
		}
		a.history.versions = append(a.history.versions, under)
	}
	a.history.written, a.history.accepted = h.written, min(h.accepted, h.written)
	return a
}

// Since returns the versions since configuration and PostHog agreed on a version, at a write or a
// pull. live are PostHog's current questions.
func (a Agreed) Since(agreed, live []Question) Agreed {
	hasIDs := func(list []Question) bool {
		return slices.EqualFunc(list, agreed, func(q, agreedQuestion Question) bool { return q.ID == agreedQuestion.ID })
	}

	versions := slices.Clone(a.history.versions)
	if len(versions) == 0 {
		versions = [][]Question{live}
	}
	if index := slices.IndexFunc(versions, hasIDs); index >= 0 {
		versions = versions[:index]
	} else if len(versions) > 1 {
		versions = versions[:len(versions)-1] // the written one is older
	}
	versions = append(versions, agreed)
	return Agreed{history: History{versions: versions, written: len(versions) - 1, accepted: len(versions) - 1}, written: a.written}
}

// First returns the oldest version, which both sides are known to have had, or nil if there is none.
func (a Agreed) First() []Question {
	if len(a.history.versions) == 0 {
		return nil
	}
	return a.history.versions[len(a.history.versions)-1]
}

// Root returns an ID's root, as [History.Root] does.
func (a Agreed) Root(id string) string { return a.history.root(id) }

// WrittenID returns the ID that a question had at the last write, or its root if the question was
// added later.
func (a Agreed) WrittenID(root string) string {
	if id := a.written[root]; id != "" {
		return id
	}
	return root
}

// Has reports whether any version contains an ID.
func (a Agreed) Has(id string) bool { return a.history.Has(id) }

// Match returns the earlier ID of each configured question, and the version from which the
// configuration was written. The ID is empty for a new question, and for a question that can be
// identified only by its position.
func (a Agreed) Match(config []Question) (ids []string, base []Question) {
	m := newMatcher(a.history, a.history.Newest(), config)
	for _, k := range m.base {
		base = append(base, m.baseQuestion(k))
	}
	for _, pair := range a.history.Match(a.history.Newest(), config) {
		id := pair.ID
		if pair.Rule == SamePosition {
			id = ""
		}
		ids = append(ids, id)
	}
	return ids, base
}

// baseQuestion returns an entity as it is in the base version.
func (m *matcher) baseQuestion(k int) Question {
	for _, s := range m.entities[k].records {
		if s.rank == 0 {
			return s.Question
		}
	}
	return m.entities[k].last()
}
