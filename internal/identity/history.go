package identity

import (
	"reflect"
	"slices"
)

// History remembers a survey's questions, version by version, with their IDs, types, texts, and
// content. The state can't hold it, because a refresh overwrites the state with edits made in
// PostHog. A History is immutable: its methods return a new one.
//
// Terraform doesn't pass the configuration to a read, and doesn't store a plan without changes. The
// history therefore infers acceptance: a version that one read found is accepted if the next read
// finds it in the state, and an apply would not have changed it. Either someone copied the edit
// into the configuration and an apply without changes stored it, or only a refresh did.
type History struct {
	// versions are in order from newest to oldest. The newest is the version in the state.
	versions [][]Question
	// written is the index of the version that was last written to PostHog, and thus was in the
	// configuration.
	written int
	// accepted is the index of the newest version that the configuration is assumed to have had.
	accepted int
	// restores is set if a configuration equal to the newest version would change that version, because
	// some of its questions replaced others.
	restores bool
	// replaced contains the questions whose IDs a save replaced, by their new IDs.
	replaced map[string]replacement
}

// keptVersions limits the number of remembered versions. The written and the accepted version are
// kept in addition to these.
const keptVersions = 8

// Newest returns the version in the state, or nil if the history is empty.
func (h History) Newest() []Question {
	if len(h.versions) == 0 {
		return nil
	}
	return h.versions[0]
}

// Written returns the version of the last write, or nil if the history is empty.
func (h History) Written() []Question {
	if len(h.versions) == 0 {
		return nil
	}
	return h.versions[h.written]
}

// Versions returns the remembered versions, newest first.
func (h History) Versions() [][]Question { return h.versions }

// IsReordered reports whether the order of the written questions has changed.
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

// Has reports whether any remembered version contains an ID.
func (h History) Has(id string) bool {
	return slices.ContainsFunc(h.versions, func(list []Question) bool { return has(list, id) })
}

// IsOpen reports whether the next read can change the history even if it finds the same questions:
// either the read will accept the newest version, or it will count detached answers again.
func (h History) IsOpen() bool { return h.accepts() || len(h.Detached(h.Newest()).Certain()) > 0 }

// accepts reports whether the next read accepts the newest version.
func (h History) accepts() bool { return h.accepted != 0 && !h.restores }

// AfterWrite returns the history after a write of questions with a configuration's texts.
func (h History) AfterWrite(list []Question) History {
	h = h.with(list)
	h.written, h.accepted, h.restores = 0, 0, false
	h.settle(list)
	return h
}

// AfterRead returns the history after a read that found the live questions. state are the questions
// in the state before the read.
func (h History) AfterRead(state, live []Question, isImport bool) History {
	switch {
	case len(h.versions) > 0:
	case isImport || LackIDs(state):
		// A state from another provider doesn't contain IDs, so the live questions count as
		// written.
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

// with returns the history with a new newest version.
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

// withContent returns the history with content from a read added to the newest version, if an
// earlier release stored it without content.
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

// wouldChange reports whether a configuration equal to a version would change that version: by
// putting one question in another's position, by adding a missing ID, or by replacing a copied one.
func (h History) wouldChange(list []Question) bool {
	for i, pair := range h.Match(list, WithoutIDs(list)) {
		if hasID := list[i].ID != ""; pair.Index != i || hasID != (pair.ID != "") {
			return true
		}
	}
	return false
}

// SameVersion reports whether PostHog treats two versions as equal. It ignores unknown content, and
// differences that result from PostHog's markup cleaning.
func SameVersion(a, b []Question) bool {
	t := newTexts()
	return slices.EqualFunc(a, b, func(q, candidate Question) bool {
		isSameContent := q.Content == candidate.Content || !q.Content.isKnown() || !candidate.Content.isKnown()
		return q.ID == candidate.ID && q.Type == candidate.Type && t.same(q.Text, candidate.Text) && isSameContent
	})
}

// LackIDs reports whether a state contains questions without any IDs: another provider wrote the
// state, and no refresh has read the IDs yet.
func LackIDs(list []Question) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(q Question) bool { return q.ID != "" })
}

// root returns the ID that represents all of a question's IDs.
func (h History) root(id string) string {
	if r, ok := h.replaced[id]; ok && r.IsCertain() {
		return r.Old
	}
	return id
}

// Root returns the ID that represents all of a question's IDs.
func (h History) Root(id string) string { return h.root(id) }

// WantedID returns the ID that a live question should have: the ID with its answers, or its current
// ID if both IDs have answers.
func (h History) WantedID(id string) string {
	if h.replaced[id].Stays {
		return id
	}
	return h.root(id)
}

// settle updates the replaced IDs after a write. The plan showed the IDs that were written, so they
// are the right ones from now on.
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

// moveRoot changes a question's root from one ID to another. Questions that only possibly had the old root did not
// have it.
func moveRoot(replaced map[string]replacement, oldRoot, newRoot string) {
	delete(replaced, newRoot)
	for id, r := range replaced {
		olds := append([]string{r.Old}, r.Others...)
		if !slices.Contains(olds, oldRoot) {
			continue
		}
		if r.IsCertain() {
			replaced[id] = replacement{Old: newRoot}
			continue
		}

		delete(replaced, id)
		if olds = slices.DeleteFunc(olds, func(old string) bool { return old == oldRoot }); len(olds) > 0 {
			r.Old, r.Others = olds[0], olds[1:]
			replaced[id] = r
		}
	}
	replaced[oldRoot] = replacement{Old: newRoot}
}

// pruneReplaced removes replaced IDs that no remembered version contains. It creates a new map,
// because histories share their maps.
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

// AfterImport returns the history after an import of the newest version. The configuration is written from this version,
// but the plan does not show yet which IDs it restores, so the replaced IDs stay as they are. If IDs were moved or left
// out, only the older versions show it, and the oldest one stays the written one.
func (h History) AfterImport() History {
	if live := h.Newest(); len(h.leftOut(live))+len(h.movedIDs(live)) > 0 {
		return h
	}
	h.written, h.accepted = 0, 0
	return h
}

// Replay builds a history from another source's versions, oldest first, followed by the live
// questions: as if the first version had been written, and all others had been read.
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
