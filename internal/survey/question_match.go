package survey

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Origin is the prior question that a configured one matches.
type Origin struct {
	// Prior is its index in the prior state, -1 if it is not there.
	Prior int
	// ID is the id that it keeps: null for a new question, and for one that has no id on
	// the service.
	ID types.String
	// IsKnownText is set when it is known to have said what it says, in any list.
	IsKnownText bool
	// ByPosition is set when only its type and position match: its text is none that it is
	// known to have had.
	ByPosition bool
}

// Match says which question each configured one is. Past answers hang on a question's
// id, so an id must not get lost, and even less move to another question. prior is
// what the service holds now, past what is remembered of the lists before: those that the
// configuration said, and those that the service held. The rules, each for what those
// before it left over:
//
//  1. The id that the configuration gives, also one that the question had before a save
//     without ids, or after it. A question with an id that no question had is new.
//  2. The same type and text as in the list that the configuration was written from: of all
//     that are remembered, the one from which it takes the fewest edits (see
//     [matching.baseOf]). It does not matter where the question moved and what became of it
//     since: one that was reworded, moved or deleted in the web interface gets back the id
//     that it had. Of several with one text, as many as can be in the order in which they
//     stood.
//  3. The same type and text as in another list: the accepted one, the one that the service
//     holds now, and those before, newest first. So a question is found by any text that it
//     has had, also where a configuration is in line with the service in part.
//  4. A text of which the service stores the same, since it cleans markup.
//  5. A text that the question has had in any list, with the type that the service holds now:
//     it was retyped in the web interface and in the configuration alike.
//  6. The same type between the same neighbours, which are the nearest questions on
//     both sides that the rules before found, and half of the text: in the lists of rule 3,
//     in their order, each with the types that it has, and with those that the service holds
//     now.
//  7. The same type between the same neighbours, then at the same place, in the list of rule
//     2 alone.
//
// Rules 6 and 7 recognize a question whose text was edited in the configuration. They look at
// questions alone that the configuration is known to have had: one that is new there and one
// that is new on the service are two. Where no write had the question, rule 7 asks for half of
// the text as well: a refresh alone may have taken it over. They leave out one that is
// rather another question retyped: one that no rule has found so far had, in any list, the text
// with another type. For rule 7 half of the text is enough. A question that
// the configuration alone retyped is a new one. Rule 7 leaves out questions that were deleted
// in the web interface: another one at the place of such a question is not guessed to be the
// same.
//
// A question that got another id in a save without ids is one question under all its ids, and
// keeps the one with its answers: see [QuestionHistory.Wanted].
//
// So a question whose type and text stay keeps its id, whatever becomes of it and of
// the others. One whose text is edited keeps it as long as no question moves, if
// either none comes or goes or half of the text stays. No question is given out
// twice, nor to one of a type that it never had unless the configuration gives its id. What
// the rules cannot distinguish from an edited text is a question that was deleted and another
// one of its type that was put in its place.
//
// It is a pure function of what the questions say; an unknown text is like no other.
func Match(prior []Question, past QuestionHistory, config []Question) []Origin {
	m := newMatching(prior, past, config)
	for _, list := range m.lists {
		m.pair(list, func(i, j int) bool { return m.isNamedAs(i, list.identities[j]) })
	}

	base := m.baseOf()
	lists := m.inOrder(base)
	for _, same := range []func(listing) func(i, j int) bool{m.sameText, m.sameMarkup} {
		for _, list := range lists {
			m.pair(list, same(list))
		}
	}

	for _, list := range lists {
		retyped := m.typedAsStored(list)
		m.pair(retyped, m.sameMarkup(retyped))
	}

	for i, identity := range m.found {
		m.isKnownText[i] = identity >= 0
	}
	isAnother := m.retyped(isSameText)
	for _, list := range lists {
		m.pairMostSimilar(list, isAnother)
		m.pairMostSimilar(m.typedAsStored(list), isAnother)
	}
	m.pairByPosition(m.lists[base])
	return m.origins()
}

// IsOmittedID reports whether an id is not set. An empty one counts as omitted: it comes
// from data with a blank column.
func IsOmittedID(id types.String) bool {
	return id.IsNull() || !id.IsUnknown() && id.ValueString() == ""
}

// matching is the state of the match between the rules.
type matching struct {
	config []Question
	past   QuestionHistory
	// lists are the questions on the service, and then the remembered lists, newest first.
	lists []listing
	// identities are the questions of all lists, each once.
	identities []identity
	// found is the identity of each configured question, matchedBy the configured question of
	// each identity, -1 for none.
	found, matchedBy        []int
	isKnownText, byPosition []bool
	// letterPairs and cleaned remember what they have worked out.
	letterPairs func(text string) letterPairs
	cleaned     func(text string) string
}

func newMatching(prior []Question, past QuestionHistory, config []Question) *matching {
	m := &matching{config: config, past: past, found: unmatched(len(config)), isKnownText: make([]bool, len(config)), byPosition: make([]bool, len(config)),
		letterPairs: remembering(letterPairsOf), cleaned: remembering(cleaned)}

	stored := listing{}
	for j, q := range prior {
		stored.add(q, j)
		one := identity{stored: j, id: q.ID}
		if !IsOmittedID(q.ID) {
			one.root, one.id = past.root(q.ID.ValueString()), types.StringValue(past.Wanted(q.ID.ValueString()))
		}
		if hasID(prior, one.root) && one.root != q.ID.ValueString() { // they are two
			one.root, one.id = q.ID.ValueString(), q.ID
		}
		m.identities = append(m.identities, one)
	}
	m.lists = append(m.lists, stored)

	for _, list := range past.lists {
		m.recognize(list)
	}
	for _, list := range past.lists {
		m.addList(list)
	}

	m.matchedBy = unmatched(len(m.identities))
	return m
}

func unmatched(n int) []int { return slices.Repeat([]int{-1}, n) }

func (m *matching) origins() []Origin {
	out := make([]Origin, len(m.config))
	for i, found := range m.found {
		out[i] = Origin{Prior: -1, ID: types.StringNull(), IsKnownText: m.isKnownText[i], ByPosition: m.byPosition[i]}
		if found < 0 {
			continue
		}
		out[i].Prior, out[i].ID = m.identities[found].stored, m.identities[found].id
		if m.isNamed(i) {
			out[i].ID = m.config[i].ID
		}
	}
	return out
}

func (m *matching) isNamed(i int) bool { return !IsOmittedID(m.config[i].ID) }

// isNamedAs reports whether a configured question has an id of an identity.
func (m *matching) isNamedAs(i, identity int) bool {
	id := m.config[i].ID
	one := m.identities[identity]
	return m.isNamed(i) && !id.IsUnknown() && one.root != "" && (one.id == id || m.past.root(id.ValueString()) == one.root)
}

func (m *matching) sameType(list listing, i, j int) bool {
	return !m.isNamed(i) && m.config[i].Type == list.questions[j].Type && !m.config[i].Type.IsUnknown()
}

func (m *matching) sameText(list listing) func(i, j int) bool {
	return func(i, j int) bool {
		return m.sameType(list, i, j) && m.config[i].Question == list.questions[j].Question && !m.config[i].Question.IsUnknown()
	}
}

// sameMarkup is sameText for texts that the service cleans to the same text.
func (m *matching) sameMarkup(list listing) func(i, j int) bool {
	return func(i, j int) bool {
		return m.sameType(list, i, j) && attribute.IsKnown(m.config[i].Question) &&
			sameMarkup(list.questions[j].Question.ValueString(), m.config[i].Question.ValueString(), m.cleaned)
	}
}

func (m *matching) isUnmatched(list listing, i, j int) bool {
	return m.found[i] < 0 && m.matchedBy[list.identities[j]] < 0
}

// isAnyUnmatched reports whether any configured question is still unmatched.
func (m *matching) isAnyUnmatched() bool { return slices.Contains(m.found, -1) }

func (m *matching) assign(list listing, i, j int) {
	m.found[i], m.matchedBy[list.identities[j]] = list.identities[j], i
}

// pair matches configured questions with those of a list that fit: as many as possible without
// crossing pairs, and then each with the first one.
func (m *matching) pair(list listing, same func(i, j int) bool) {
	if !m.isAnyUnmatched() {
		return
	}
	fits := func(i, j int) bool { return m.isUnmatched(list, i, j) && same(i, j) }
	for _, pair := range jsonvalue.LongestCommon(len(m.config), len(list.questions), fits) {
		m.assign(list, pair[0], pair[1])
	}
	for i := range m.config {
		for j := range list.questions {
			if fits(i, j) {
				m.assign(list, i, j)
			}
		}
	}
}

// QuestionKey has the attributes by which questions are matched.
type QuestionKey struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Text string `json:"question"`
}

// MatchQuestions returns for each question of after the index of the matching question of
// before, -1 for a new one, by the rules of a plan.
func MatchQuestions(before, after []QuestionKey) []int {
	origins := Match(questionsOfKeys(before), QuestionHistory{}, questionsOfKeys(after))

	indexes := make([]int, len(origins))
	for i, origin := range origins {
		indexes[i] = origin.Prior
	}
	return indexes
}

func questionsOfKeys(keys []QuestionKey) []Question {
	questions := make([]Question, len(keys))
	for i, key := range keys {
		questions[i] = Question{Type: types.StringValue(key.Type), Question: types.StringValue(key.Text)}
		if key.ID != "" {
			questions[i].ID = types.StringValue(key.ID)
		}
	}
	return questions
}

// QuestionPairs are the questions of a prior state and of a plan, and which is which. The zero
// QuestionPairs is of questions that are not known yet.
type QuestionPairs struct {
	Before, After []Question
	// Origins has the origin of each question of After.
	Origins []Origin
}

// PairQuestions matches the questions of a plan with those of its prior state. It matches what
// the configuration says, if it says any: an id that the plan gave to a question is the result
// of the match, not its input.
func PairQuestions(config, planned, prior Questions, past QuestionHistory) QuestionPairs {
	if config.IsNull() {
		config = planned
	}

	before, isKnownBefore := prior.Known()
	after, isKnownAfter := config.Known()
	if !isKnownBefore || !isKnownAfter {
		return QuestionPairs{}
	}
	return QuestionPairs{Before: before, After: after, Origins: Match(past.WithIDs(prior).List(), past, after)}
}

// PriorIndex is the index that a question of After had before, or -1.
func (p QuestionPairs) PriorIndex(i int) int {
	if i >= len(p.Origins) {
		return -1
	}
	return p.Origins[i].Prior
}

// PlannedIndex is the index that a question of Before has after, or -1.
func (p QuestionPairs) PlannedIndex(j int) int {
	return slices.IndexFunc(p.Origins, func(from Origin) bool { return from.Prior == j })
}

// IsInPlace reports whether all questions are where they were.
func (p QuestionPairs) IsInPlace() bool {
	for i, from := range p.Origins {
		if from.Prior != i {
			return false
		}
	}
	return len(p.Before) == len(p.Origins)
}
