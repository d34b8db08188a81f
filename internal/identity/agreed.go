package identity

import "slices"

// A three-way merge needs the version that the configuration was written from. The state knows it as
// long as only an apply changes both sides; a pull does so as well, and remembers what both
// had in common then.

// Agreed is what the configuration was written from: one of the versions since the last time that
// configuration and PostHog are known to have had the same questions. A question has one ID in all
// of them, the one with its answers.
type Agreed struct {
	history History
	// written are the IDs that questions had at the last write, by their roots.
	written map[string]string
}

// SinceWrite are the versions since the last write.
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

// Since are the versions since configuration and PostHog agreed on one, which a write or a pull
// made. live is what PostHog holds now.
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

// First is the oldest version: the one that both are known to have had. It is nil for none.
func (a Agreed) First() []Question {
	if len(a.history.versions) == 0 {
		return nil
	}
	return a.history.versions[len(a.history.versions)-1]
}

// Root is [History.Root].
func (a Agreed) Root(id string) string { return a.history.root(id) }

// WrittenID is the ID that a question had at the last write; its root for one that came since.
func (a Agreed) WrittenID(root string) string {
	if id := a.written[root]; id != "" {
		return id
	}
	return root
}

// Has reports whether any version has an ID.
func (a Agreed) Has(id string) bool { return a.history.Has(id) }

// Match returns for each question of a configuration the ID that it had, "" for a new one and for
// one that a position alone would tell; and the version that the configuration was written from.
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

// baseQuestion is what an entity says in the base version.
func (m *matcher) baseQuestion(k int) Question {
	for _, s := range m.entities[k].records {
		if s.rank == 0 {
			return s.Question
		}
	}
	return m.entities[k].last()
}
