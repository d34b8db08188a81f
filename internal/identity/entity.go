package identity

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// entity is one question across all versions.
type entity struct {
	// id is the ID that the question keeps. It is empty if the question never had one. root
	// represents all of its IDs.
	id, root string
	// ids are all IDs that the question had.
	ids []string
	// current is the entity's index among the live questions, or -1. currentType is the live question's
	// type.
	current     int
	currentType string
	// records are the entity's forms since the last write, by rank. past are its earlier forms, and
	// newest is its latest form.
	records []record
	past    []Question
	newest  Question
	// isFromCode is set if the question is known to have been in the configuration. isWritten is set if
	// the question was part of a write.
	isFromCode, isWritten bool
	// isDropped is set if only versions before the last write contain the question, because a write
	// deleted it.
	isDropped bool
}

// record is a question's form in one version.
type record struct {
	Question
	// rank is the rank of the version. The base has rank 0.
	rank     int
	position int
}

func (e entity) isHeld() bool { return e.current >= 0 }

func (e entity) hasID(id string) bool { return id == e.id && id != "" || slices.Contains(e.ids, id) }

// isOfType reports whether an entity has a type in the given version. It also accepts the live
// question's type, in case the question was retyped in PostHog.
func (e entity) isOfType(kind string, then record) bool {
	return kind == then.Type || e.isHeld() && kind == e.currentType
}

// last returns the question's latest form, with the ID that it keeps.
func (e entity) last() Question {
	q := e.newest
	q.ID = e.id
	return q
}

// recall collects all versions' questions.
type recall struct {
	History
	entities []entity
	// versions are the live questions, followed by the remembered versions, newest first. members
	// lists each version's entities.
	versions [][]Question
	members  [][]int
}

// entities returns each question from all versions once, and the entities of the version from which
// the configuration was most likely written.
func (h History) entities(t texts, live, config []Question) (all []entity, base []int) {
	h = h.applyConfig(t, live, config)
	r := recall{History: h}
	carried, versions := h.withCarriedIDs(live)
	r.addLive(live, carried)
	for v, list := range versions {
		r.addVersion(h.versions[v], list)
	}

	order := r.rankVersions(t, config)
	for rank, v := range order {
		for position, k := range r.members[v] {
			if v > h.written+1 {
				r.entities[k].past = append(r.entities[k].past, r.versions[v][position])
			} else {
				r.entities[k].records = append(r.entities[k].records, record{r.versions[v][position], rank, position})
			}
		}
	}
	for k := range r.entities {
		r.entities[k].isFromCode, r.entities[k].isWritten = r.hasEntity(h.accepted, k), r.hasEntity(h.written, k)
		isNowhere := !r.entities[k].isHeld() && r.entities[k].id == "" // it doesn't have an ID to keep
		r.entities[k].isDropped = isNowhere || !slices.ContainsFunc(r.members[:min(h.written+2, len(r.members))], func(members []int) bool { return slices.Contains(members, k) })
	}
	return r.entities, r.members[order[0]]
}

// applyConfig returns the history adjusted to a configuration that clarifies replaced IDs. An ID in
// the configuration belongs to its question. If the configuration contains both the old and the new
// form of a question, they are two questions.
func (h History) applyConfig(t texts, live, config []Question) History {
	h.replaced = maps.Clone(h.replaced)
	for _, q := range config {
		r, isReplaced := h.replaced[q.ID]
		if !isReplaced {
			continue
		}
		if r.IsCertain() {
			moveRoot(h.replaced, r.Old, q.ID)
		} else {
			delete(h.replaced, q.ID)
		}
		if !has(live, r.Old) {
			delete(h.replaced, r.Old)
		}
	}

	asks := func(q Question) bool {
		return slices.ContainsFunc(config, func(candidate Question) bool { return t.equal(q, candidate) })
	}
	for _, q := range live {
		old := IndexByID(h.Written(), h.root(q.ID))
		if !h.replaced[q.ID].IsEdited || old < 0 || t.equal(q, h.Written()[old]) {
			continue
		}
		if asks(q) && asks(h.Written()[old]) {
			delete(h.replaced, q.ID)
		}
	}
	return h
}

// withCarriedIDs returns the live questions and the versions, with IDs added to the questions that a
// save left without one.
func (h History) withCarriedIDs(live []Question) (held []Question, versions [][]Question) {
	versions = slices.Clone(h.versions)
	var carried, original []Question
	for v := len(versions) - 1; v >= 0; v-- {
		list := h.WithOwnIDs(h.versions[v])
		carried, original = carryIDs(carried, original, list, v), list
		versions[v] = carried
	}
	return carryIDs(carried, original, h.WithOwnIDs(live), -1), versions
}

// WithOwnIDs returns the questions without IDs that belong to another one. If several questions have an ID, as after a
// script copied one, only the question that had it before keeps it. If no version tells which one that is, all keep it.
func (h History) WithOwnIDs(list []Question) []Question {
	own := slices.Clone(list)
	for i, q := range list {
		isShared := q.ID != "" && (has(list[:i], q.ID) || has(list[i+1:], q.ID))
		if !isShared {
			continue
		}
		if owner := h.owner(list, q.ID); owner >= 0 && owner != i {
			own[i].ID = ""
		}
	}
	return own
}

// owner returns the index of the question that had an ID in the newest version in which only one had it, or -1.
func (h History) owner(list []Question, id string) int {
	t := newTexts()
	for _, version := range h.versions {
		before := IndexByID(version, id)
		if before < 0 || has(version[before+1:], id) {
			continue
		}
		return slices.IndexFunc(list, func(q Question) bool { return q.ID == id && t.equal(q, version[before]) })
	}
	return -1
}

// anonymous is the prefix of placeholders for questions that never had an ID.
const anonymous = "\x00anonymous"

func isAnonymous(id string) bool { return strings.HasPrefix(id, anonymous) }

// withoutPlaceholders returns the questions without the placeholders of those that never had an ID.
func withoutPlaceholders(list []Question) []Question {
	list = slices.Clone(list)
	for i := range list {
		if isAnonymous(list[i].ID) {
			list[i].ID = ""
		}
	}
	return list
}

// carryIDs copies IDs from the previous version to questions without one. It uses the position only
// for questions that already lacked an ID in PostHog.
func carryIDs(carried, original, list []Question, version int) []Question {
	if !slices.ContainsFunc(list, func(q Question) bool { return q.ID == "" }) {
		return list
	}

	list = slices.Clone(list)
	for i, pair := range Match(carried, list) {
		isSure := pair.Index >= 0 && (pair.Rule != SamePosition || original[pair.Index].ID == "")
		if list[i].ID == "" && isSure && !has(list, carried[pair.Index].ID) {
			list[i].ID = carried[pair.Index].ID
		}
	}
	for i, q := range list {
		if q.ID == "" {
			list[i].ID = fmt.Sprint(anonymous, version, " ", i)
		}
	}
	return list
}

// WithCarriedIDs returns the live questions, each with the ID that it had before a save left it
// without one. A plan restores this ID.
func (h History) WithCarriedIDs(live []Question) []Question {
	carried := slices.Clone(live)
	if !slices.ContainsFunc(live, func(q Question) bool { return q.ID == "" }) {
		return carried
	}

	entities, _ := h.entities(newTexts(), live, nil) // live questions come first
	for i, q := range live {
		if q.ID == "" && !has(live, entities[i].id) {
			carried[i].ID = entities[i].id
		}
	}
	return carried
}

// addLive adds the live questions.
func (r *recall) addLive(live, carried []Question) {
	members := make([]int, len(live))
	for j, q := range live {
		id := carried[j].ID
		e := entity{current: j, currentType: q.Type, newest: q, root: id}
		if !isAnonymous(id) {
			e.root, e.id = r.root(id), r.WantedID(id)
			if e.root != id && has(carried, e.root) { // they are two questions
				e.root, e.id = id, id
			}
			e.ids = []string{id, e.root}
		}
		members[j] = len(r.entities)
		r.entities = append(r.entities, e)
	}
	r.versions, r.members = append(r.versions, live), append(r.members, members)
}

// addVersion adds a remembered version.
func (r *recall) addVersion(list, carried []Question) {
	members := make([]int, len(list))
	for position, q := range carried {
		root := r.root(q.ID)
		if root != q.ID && has(carried, root) { // they are two questions
			root = q.ID
		}
		k := r.find(root)
		if k < 0 {
			k = len(r.entities)
			e := entity{current: -1, root: root, newest: list[position]}
			if !isAnonymous(root) {
				e.id = root
			}
			r.entities = append(r.entities, e)
		}
		r.entities[k].ids = append(r.entities[k].ids, q.ID, root)
		members[position] = k
	}
	r.versions, r.members = append(r.versions, list), append(r.members, members)
}

func (r *recall) find(root string) int {
	return slices.IndexFunc(r.entities, func(k entity) bool { return root != "" && k.root == root })
}

// hasEntity reports whether a version, or one before it, contains a question.
func (r *recall) hasEntity(version, k int) bool {
	return slices.ContainsFunc(r.members[min(version+1, len(r.members)-1):], func(members []int) bool { return slices.Contains(members, k) })
}

// rankVersions orders the versions by relevance. The base comes first: the version that takes the
// fewest edits to become the configuration. The accepted version follows, then the live questions,
// then the others, newest first. If several versions take equally few edits, the first in this
// order is the base, because a configuration is rarely older than the accepted version.
func (r *recall) rankVersions(t texts, config []Question) []int {
	order := []int{min(r.accepted+1, len(r.versions)-1)}
	for v := range r.versions {
		if v != order[0] {
			order = append(order, v)
		}
	}

	base, fewest := order[0], r.edits(t, config, order[0])
	for _, v := range order[1:] {
		if fewest == 0 {
			break
		}
		if edits := r.edits(t, config, v); edits < fewest {
			base, fewest = v, edits
		}
	}
	rest := slices.DeleteFunc(order, func(v int) bool { return v == base })
	return append([]int{base}, rest...)
}

// edits returns the cost of turning a version into the configuration, in quarters: 4 for each
// added, removed, or reworded question, 2 for each question with different content, and 1 if any
// question moved.
func (r *recall) edits(t texts, config []Question, v int) int {
	list := r.versions[v]
	isSame := func(i, j int, withContent bool) bool {
		q, candidate := config[i], list[j]
		if statedID(q) != "" && r.entities[r.members[v][j]].hasID(q.ID) {
			return true
		}
		isSameContent := !withContent || q.Content == candidate.Content || !q.Content.isKnown() || !candidate.Content.isKnown()
		return q.Type != Unknown && q.Type == candidate.Type && isSameContent && t.same(q.Text, candidate.Text)
	}

	sameTextCount := jsonvalue.CommonLength(len(config), len(list), func(i, j int) bool { return isSame(i, j, false) })
	equalCount := jsonvalue.CommonLength(len(config), len(list), func(i, j int) bool { return isSame(i, j, true) })
	inPlace, moved := 0, 0
	for i := range min(len(config), len(list)) {
		if isSame(i, i, false) {
			inPlace++
		}
	}
	if sameTextCount > inPlace {
		moved = 1
	}
	return 4*(max(len(config), len(list))-sameTextCount) + 2*(sameTextCount-equalCount) + moved
}
