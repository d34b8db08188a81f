package survey

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// listing is a list of questions, with the index in matching.identities of each.
type listing struct {
	questions  []Question
	identities []int
}

// identity is what is one question in all lists, whatever it says in them.
type identity struct {
	// stored is its index in the stored list, -1 if it is not there.
	stored int
	// id is the one that it is to have. root is the one by which all ids are known to be its
	// own; "" for a question without an id.
	id   types.String
	root string
}

func (l *listing) add(q Question, identity int) {
	l.questions, l.identities = append(l.questions, q), append(l.identities, identity)
}

// addList adds a remembered list.
func (m *matching) addList(list []Question) {
	var added listing
	for k, q := range list {
		if found := m.identityOf(added, q, k); found >= 0 {
			added.add(q, found)
		} else if !IsOmittedID(q.ID) {
			added.add(q, len(m.identities))
			root := m.past.root(q.ID.ValueString())
			m.identities = append(m.identities, identity{stored: -1, id: types.StringValue(root), root: root})
		}
	}
	m.lists = append(m.lists, added)
}

// identityOf finds the identity of the question at index k of a remembered list: by its id,
// or, if the service gave it none, by its text or position. It is -1 for one that is in no list
// so far, or gone.
func (m *matching) identityOf(list listing, q Question, k int) int {
	if !IsOmittedID(q.ID) {
		return slices.IndexFunc(m.identities, func(other identity) bool { return other.root == m.past.root(q.ID.ValueString()) })
	}

	stored := m.lists[0].questions
	isFree := func(j int) bool {
		return IsOmittedID(m.identities[j].id) && stored[j].Type == q.Type && !slices.Contains(list.identities, j)
	}
	if j := slices.IndexFunc(m.lists[0].identities, func(j int) bool { return stored[j].Question == q.Question && isFree(j) }); j >= 0 {
		return j
	}
	if k < len(stored) && isFree(k) {
		return k
	}
	return -1
}

// recognize gives questions that the service holds without ids those that they had in a
// remembered list: a save left them out, and the service gave none. A place alone says nothing.
func (m *matching) recognize(list []Question) {
	lacksID := func(one identity) bool { return one.root == "" }
	if !slices.ContainsFunc(m.identities, lacksID) {
		return
	}

	for j, from := range Match(list, QuestionHistory{}, keysOnly(m.lists[0].questions)) {
		root := m.past.root(from.ID.ValueString())
		isTaken := slices.ContainsFunc(m.identities, func(other identity) bool { return other.root == root })
		if lacksID(m.identities[j]) && !isTaken && !from.ByPosition {
			m.identities[j] = identity{stored: j, id: types.StringValue(root), root: root}
		}
	}
}

// typedAsStored is a list with the types that its questions have on the service now; an empty
// one if those are the same.
func (m *matching) typedAsStored(list listing) listing {
	retyped, isRetyped := listing{slices.Clone(list.questions), list.identities}, false
	for j, identity := range list.identities {
		if stored := m.identities[identity].stored; stored >= 0 && m.lists[0].questions[stored].Type != list.questions[j].Type {
			retyped.questions[j].Type, isRetyped = m.lists[0].questions[stored].Type, true
		}
	}
	if !isRetyped {
		return listing{}
	}
	return retyped
}

// baseOf is the list that the configuration was most likely written from: the one from which
// it takes the fewest edits, where an edit rewords, adds, removes or moves a question. Of
// several it is the accepted one, since a configuration is seldom older; then the one that
// the service holds; then the newest.
func (m *matching) baseOf() int {
	accepted := m.accepted()
	base, fewest := accepted, m.edits(m.lists[accepted])
	for k, list := range m.lists { // that of the service is the first
		if fewest == 0 {
			break
		}
		if edits := m.edits(list); edits < fewest {
			base, fewest = k, edits
		}
	}
	return base
}

// accepted is the accepted list; that of the service when nothing is remembered.
func (m *matching) accepted() int {
	if len(m.past.lists) == 0 {
		return 0
	}
	return m.past.accepted + 1
}

// edits is how many edits make the configuration out of a list.
func (m *matching) edits(list listing) int {
	same := m.sameText(list)
	common := jsonvalue.CommonLength(len(m.config), len(list.questions), func(i, j int) bool {
		return same(i, j) || m.isNamedAs(i, list.identities[j])
	})
	return max(len(m.config), len(list.questions)) - common
}

// inOrder are the lists in the order in which texts are looked for: the base, the accepted
// one, that of the service, and the others, newest first.
func (m *matching) inOrder(base int) []listing {
	places := []int{base, m.accepted()}
	for k := range m.lists { // that of the service is the first
		places = append(places, k)
	}

	var lists []listing
	for n, k := range places {
		if !slices.Contains(places[:n], k) {
			lists = append(lists, m.lists[k])
		}
	}
	return lists
}

// isFromCode reports whether the configuration is known to have had a question: a list that it
// is taken to have said has it, or one before that. The service's is the first of the lists.
func (m *matching) isFromCode(said, identity int) bool {
	return slices.ContainsFunc(m.lists[min(said+1, len(m.lists)-1):], func(list listing) bool { return slices.Contains(list.identities, identity) })
}
