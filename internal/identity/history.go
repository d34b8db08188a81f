package identity

import (
	"reflect"
	"slices"
)

// History is what is remembered of the questions of a survey: which ID had which type, text, and
// content, version by version. The state cannot hold it: a refresh overwrites it with what was
// edited in PostHog. A History is never changed: its methods return another one.
//
// A read does not see the configuration, and a plan that changes nothing is not stored. So a
// version that a read found counts as accepted from the next read on, if the state still holds it
// and an apply would have let it be: either an apply without changes stored it, after someone
// took the edit over into the configuration, or a refresh alone did.
type History struct {
	// versions are newest first: the newest is that of the state.
	versions [][]Question
	// written is the version that was last written to PostHog: the configuration had it.
	written int
	// accepted is the newest version that the configuration is taken to have had.
	accepted int
	// restores is set when a configuration that says what the newest version says would change it:
	// questions in it have taken the place of others.
	restores bool
	// replaced are the questions whose IDs a save replaced, by the IDs that they got.
	replaced map[string]replacement
}

// keptVersions is the number of versions that are remembered, besides the written and the
// accepted one.
const keptVersions = 8

// Newest is the version of the state; nil when nothing is remembered.
func (h History) Newest() []Question {
	if len(h.versions) == 0 {
		return nil
	}
	return h.versions[0]
}

// Written is the version of the last write; nil when nothing is remembered.
func (h History) Written() []Question {
	if len(h.versions) == 0 {
		return nil
	}
	return h.versions[h.written]
}

// Versions are the remembered versions, newest first.
func (h History) Versions() [][]Question { return h.versions }

// IsReordered reports whether the questions of the last write stand in another order now.
func (h History) IsReordered(live []Question) bool {
	last := -1
	for _, q := range h.Written() {
		index := IndexByID(h.underRoots(live), h.root(q.ID))
		if index >= 0 && index < last {
			return true
		}
		last = max(last, index)
	}
	return false
}

// Has reports whether any remembered version has an ID.
func (h History) Has(id string) bool {
	return slices.ContainsFunc(h.versions, func(list []Question) bool { return has(list, id) })
}

// IsOpen reports whether the next read may change the history although it finds the same version:
// it accepts the newest one, or asks again where detached answers are.
func (h History) IsOpen() bool { return h.accepts() || len(h.Detached(h.Newest()).Certain()) > 0 }

// accepts reports whether the next read accepts the newest version.
func (h History) accepts() bool { return h.accepted != 0 && !h.restores }

// AfterWrite is the history after a write of questions with the texts of a configuration.
func (h History) AfterWrite(list []Question) History {
	h = h.with(list)
	h.written, h.accepted, h.restores = 0, 0, false
	h.settle(list)
	return h
}

// AfterRead is the history after a read that found live. state are the questions of the state
// until then.
func (h History) AfterRead(state, live []Question, isImport bool) History {
	switch {
	case len(h.versions) > 0:
	case isImport || LackIDs(state):
		// Those of another provider have no IDs, so what PostHog holds counts.
		return h.AfterWrite(live)
	default:
		h = h.AfterWrite(state)
	}

	if h.accepts() {
		h.accepted = 0
	}
	replacedBefore := h.replaced
	h.replaced = h.detect(live)
	isSame := SameVersion(h.Newest(), live)
	if isSame {
		h = h.withContent(live)
	} else {
		h = h.with(live)
	}
	h.pruneReplaced()
	if !isSame || !reflect.DeepEqual(replacedBefore, h.replaced) {
		h.restores = h.wouldChange(live)
	}
	return h
}

// with is the history with a newest version.
func (h History) with(list []Question) History {
	versions := [][]Question{slices.Clone(list)}
	next := History{restores: h.restores, replaced: h.replaced}

	for v, version := range h.versions {
		switch isPinned := v == h.written || v == h.accepted; {
		case v == 0 && SameVersion(version, list):
		case len(versions) < keptVersions || isPinned:
			versions = append(versions, version)
		default:
			continue
		}
		if v == h.written {
			next.written = len(versions) - 1
		}
		if v == h.accepted {
			next.accepted = len(versions) - 1
		}
	}
	next.versions = versions
	return next
}

// withContent is the history with the content of a read that found the newest version, where an
// earlier release did not remember it.
func (h History) withContent(live []Question) History {
	if !slices.ContainsFunc(h.versions[0], func(q Question) bool { return !q.Content.isKnown() }) {
		return h
	}

	newest := slices.Clone(h.versions[0])
	for i := range newest {
		newest[i].Content = live[i].Content
	}
	h.versions = slices.Clone(h.versions)
	h.versions[0] = newest
	return h
}

// wouldChange reports whether a configuration that says what a version says would change it: put
// one question in the place of another, or give an ID to one that has none.
func (h History) wouldChange(list []Question) bool {
	for i, pair := range h.Match(list, WithoutIDs(list)) {
		isLeftOut := list[i].ID == "" && pair.ID != ""
		if pair.Index != i || isLeftOut {
			return true
		}
	}
	return false
}

// SameVersion reports whether two versions are the same to PostHog. A question that PostHog
// cleaned is the one that was written, and content that isn't known is no difference.
func SameVersion(a, b []Question) bool {
	t := newTexts()
	return slices.EqualFunc(a, b, func(q, candidate Question) bool {
		isSameContent := q.Content == candidate.Content || !q.Content.isKnown() || !candidate.Content.isKnown()
		return q.ID == candidate.ID && q.Type == candidate.Type && t.same(q.Text, candidate.Text) && isSameContent
	})
}

// LackIDs reports whether no question of a state has an ID: another provider wrote the state, and
// no refresh has read the IDs yet.
func LackIDs(list []Question) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(q Question) bool { return q.ID != "" })
}

// root is the ID by which all IDs of a question are known to be one.
func (h History) root(id string) string {
	if r, ok := h.replaced[id]; ok && r.IsCertain() {
		return r.Old
	}
	return id
}

// Root is the ID by which all IDs of a question are known to be one.
func (h History) Root(id string) string { return h.root(id) }

// WantedID is the ID that a question is to have which PostHog holds under an ID: the one with its
// answers, unless there are answers under both.
func (h History) WantedID(id string) string {
	if h.replaced[id].Stays {
		return id
	}
	return h.root(id)
}

// settle keeps the replaced IDs after a write of questions: whichever IDs it wrote, the plan has
// shown them, and they are the ones from then on.
func (h *History) settle(list []Question) {
	replaced := map[string]replacement{}
	for id, r := range h.replaced {
		if areTwo := has(list, id) && has(list, r.Old); r.IsCertain() && !areTwo {
			replaced[id] = replacement{Old: r.Old}
		}
	}
	h.replaced = replaced
	for _, q := range list {
		if old := h.root(q.ID); old != q.ID {
			moveRoot(h.replaced, old, q.ID)
		}
	}
	h.pruneReplaced()
}

// moveRoot makes an ID the one that a question is to have.
func moveRoot(replaced map[string]replacement, oldRoot, newRoot string) {
	delete(replaced, newRoot)
	for id, r := range replaced {
		if r.Old == oldRoot {
			replaced[id] = replacement{Old: newRoot}
		}
	}
	replaced[oldRoot] = replacement{Old: newRoot}
}

// pruneReplaced drops what is known of IDs that no remembered version has. It works on a map
// that was just made.
func (h *History) pruneReplaced() {
	remembered := map[string]replacement{}
	for id, r := range h.replaced {
		if h.Has(id) {
			remembered[id] = r
		}
	}
	if h.replaced = remembered; len(remembered) == 0 {
		h.replaced = nil
	}
}

// Replay is the history of a survey whose versions another source remembers, oldest first, up to
// what PostHog holds now: as if each had been read, and the first one written.
func Replay(versions [][]Question, live []Question) History {
	if len(versions) == 0 {
		return History{}
	}

	last := versions[0]
	h := History{}.AfterWrite(last)
	for _, version := range versions[1:] {
		if !SameVersion(version, last) {
			h = h.AfterRead(nil, version, false)
		}
		last = version
	}
	return h.AfterRead(nil, live, false)
}
