package identity

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// entity is one question in all versions, whatever it says in them.
type entity struct {
	// id is the ID that it keeps, empty for a question that never had one; root is the one by which
	// all its IDs are one.
	id, root string
	// ids are all IDs that it had.
	ids []string
	// current is its index in what PostHog holds, -1 for none. currentType is its type there.
	current     int
	currentType string
	// records are what it said since the last write, by rank; past is what it said before that;
	// newest is what it said last.
	records []record
	past    []Question
	newest  Question
	// isFromCode is set if the configuration is known to have had it, isWritten if a write did.
	isFromCode, isWritten bool
	// isDropped is set if only versions before the last write had it: a write deleted it.
	isDropped bool
}

// record is what a question says in one version.
type record struct {
	Question
	// rank is that of the version, 0 for the base.
	rank     int
	position int
}

func (e entity) isHeld() bool { return e.current >= 0 }

func (e entity) hasID(id string) bool { return id == e.id && id != "" || slices.Contains(e.ids, id) }

// isOfType reports whether a question of a type may be an entity as it was in a version: it has
// the type from then, or the one that PostHog holds now, since it was retyped there.
func (e entity) isOfType(kind string, then record) bool {
	return kind == then.Type || e.isHeld() && kind == e.currentType
}

// last is what the question said last, with the ID that it keeps.
func (e entity) last() Question {
	q := e.newest
	q.ID = e.id
	return q
}

// recall has all questions of all versions.
type recall struct {
	History
	entities []entity
	// versions are what PostHog holds, and then the remembered versions, newest first. members are
	// the entities of each.
	versions [][]Question
	members  [][]int
}

// entities are the questions of all versions, each once, and those of the version that the
// configuration was most likely written from.
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
		isNowhere := !r.entities[k].isHeld() && r.entities[k].id == "" // nothing to keep
		r.entities[k].isDropped = isNowhere || !slices.ContainsFunc(r.members[:min(h.written+2, len(r.members))], func(members []int) bool { return slices.Contains(members, k) })
	}
	return r.entities, r.members[order[0]]
}

// applyConfig is the history for a configuration that shows more of replaced IDs than the versions do.
// An ID that it states is that of its question. And where it asks both what the question was under the
// old ID and what it is under the new one, these are two questions.
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

// withCarriedIDs are what PostHog holds and the versions, with the IDs that questions had before a save left
// them out and PostHog gave none.
func (h History) withCarriedIDs(live []Question) (held []Question, versions [][]Question) {
	versions = slices.Clone(h.versions)
	var carried, original []Question
	for v := len(versions) - 1; v >= 0; v-- {
		carried, original = carryIDs(carried, original, h.versions[v], v), h.versions[v]
		versions[v] = carried
	}
	return carryIDs(carried, original, live, -1), versions
}

// anonymous begins what stands for the ID of a question that never had one.
const anonymous = "\x00anonymous"

func isAnonymous(id string) bool { return strings.HasPrefix(id, anonymous) }

// carryIDs gives the questions of a version without IDs those of the version before, which has some
// from there. Only what had no ID in PostHog before is found by its position.
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

// WithCarriedIDs are the questions that PostHog holds, each with the ID that it had before a save left it out
// and PostHog gave it none: a plan restores it.
func (h History) WithCarriedIDs(live []Question) []Question {
	entities, _ := h.entities(newTexts(), live, nil) // those that PostHog holds come first
	carried := slices.Clone(live)
	for i, q := range live {
		if q.ID == "" && !has(live, entities[i].id) {
			carried[i].ID = entities[i].id
		}
	}
	return carried
}

// addLive adds what PostHog holds.
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

// hasEntity reports whether a remembered version, or one before it, has a question.
func (r *recall) hasEntity(version, k int) bool {
	return slices.ContainsFunc(r.members[min(version+1, len(r.members)-1):], func(members []int) bool { return slices.Contains(members, k) })
}

// rankVersions are the versions in the order in which they count: the base, which takes the fewest
// edits to become the configuration, where an edit rewords, adds, removes, or moves a question;
// then the accepted version, what PostHog holds, and the others, newest first. Of several bases
// it is the first in that order: a configuration is seldom older than the accepted version.
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

// edits is how much has to be edited to make the configuration out of a version: a question with
// other content counts half, and questions at other positions count a quarter.
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
