// Package past follows the questions of a survey through the lists that it had, which the
// activity feed and other sources remember: which question kept its id, which lost it and has
// another one now, which is new or gone. Two questions of two lists are one if they have one
// id, or if nothing else can be meant.
//
// It gives those that lost their ids the ids back under which their answers are, and writes
// only what is certain or decided by a person: a question never gets the id of another one,
// and answers under one id are never given up for those under another without that being said.
package past

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// Source is where a list of questions is known from.
type Source string

// The sources.
const (
	FromFeed     Source = "activity"
	FromSnapshot Source = "snapshot"
	FromState    Source = "state"
	FromLive     Source = "live"
)

// NoRequest is the request of a list that no request of the feed made.
const NoRequest = -1

// List is the questions of a survey as it had them once.
type List struct {
	Questions []Question
	Source    Source
	// At is when the survey got them, By who saved them; zero where that is not known.
	At time.Time
	By string
	// Request is the index of the request of the feed that made the list, or NoRequest.
	Request int
}

// Timeline are the questions of a survey through all lists that it had.
type Timeline struct {
	// Lists are oldest first. The last one is what the survey has now.
	Lists []List
	// Lineages are all questions, in the order in which they appeared.
	Lineages []*Lineage
	// Members are the lineages of the questions of each list, Matches how each was found.
	Members [][]*Lineage
	Matches [][]Match

	byID map[string]*Lineage
}

// Follow follows the questions of a survey. live are those that it has now. older are lists of
// other sources, oldest first: they count as older than the feed, and one that the feed has
// says nothing new.
func Follow(live []Question, feed Feed, older ...List) *Timeline {
	lists := feed.lists()
	if last := len(lists) - 1; last < 0 || !sameQuestions(lists[last].Questions, live) {
		lists = append(lists, List{Questions: live, Source: FromLive, Request: NoRequest})
	}

	var before []List
	for _, list := range older {
		isKnown := func(l List) bool { return sameQuestions(l.Questions, list.Questions) }
		if !slices.ContainsFunc(lists, isKnown) && !slices.ContainsFunc(before, isKnown) {
			list.Request = NoRequest
			before = append(before, list)
		}
	}
	return timelineOf(append(before, lists...))
}

func timelineOf(lists []List) *Timeline {
	t := &Timeline{Lists: lists, byID: map[string]*Lineage{}}
	for k, list := range lists {
		s := step{t: t, after: list.Questions, to: make([]*Lineage, len(list.Questions)), how: make([]Match, len(list.Questions))}
		if k > 0 {
			s.before, s.from = lists[k-1].Questions, t.Members[k-1]
		}
		s.run(list.Request != NoRequest)
		t.add(k, &s)
	}

	for _, line := range t.Lineages {
		for i := range line.Holdings {
			if next := line.Holdings[i].lastList + 1; next < len(lists) {
				line.Holdings[i].Until = lists[next].At
			}
		}
	}
	return t
}

// add adds the lineages of a list, and those of its questions that are new.
func (t *Timeline) add(k int, s *step) {
	list := t.Lists[k]
	for i, q := range list.Questions {
		isShared := q.ID != "" && number(list.Questions, func(other Question) bool { return other.ID == q.ID }) > 1
		if s.to[i] == nil && isShared {
			s.to[i] = t.byID[q.ID]
		}
		if s.to[i] == nil {
			s.to[i] = &Lineage{first: k}
			t.Lineages = append(t.Lineages, s.to[i])
		}

		line := s.to[i]
		line.IsShared = line.IsShared || isShared
		line.hold(k, list, q, s.how[i])
		if q.ID != "" {
			t.byID[q.ID] = line
		}
	}
	t.Members, t.Matches = append(t.Members, s.to), append(t.Matches, s.how)
}

// Live are the questions that the survey has now.
func (t *Timeline) Live() []Question { return t.Lists[len(t.Lists)-1].Questions }

// LiveLineages are the lineages of the questions that the survey has now.
func (t *Timeline) LiveLineages() []*Lineage { return t.Members[len(t.Lists)-1] }

// IsLive reports whether a question of the survey has an id now.
func (t *Timeline) IsLive(id string) bool {
	return slices.ContainsFunc(t.Live(), func(q Question) bool { return q.ID == id })
}

// Lost are the ids of a question that no question has now.
func (t *Timeline) Lost(line *Lineage) []Holding {
	return slices.DeleteFunc(slices.Clone(line.Holdings), func(h Holding) bool { return t.IsLive(h.ID) })
}

// CutOff is the number of questions of the survey whose answers are under an id that they lost.
func (t *Timeline) CutOff() int {
	n := 0
	for i, line := range t.LiveLineages() {
		if len(t.Lost(line)) > 0 && !line.IsRestored(t.Live()[i].ID) {
			n++
		}
	}
	return n
}

// Gone are the questions that the survey has not any more.
func (t *Timeline) Gone() []*Lineage {
	return slices.DeleteFunc(slices.Clone(t.Lineages), func(l *Lineage) bool { return slices.Contains(t.LiveLineages(), l) })
}

// Holding finds an id that a question of the survey has or had.
func (t *Timeline) Holding(id string) (Holding, bool) {
	line := t.byID[id]
	if line == nil || id == "" {
		return Holding{}, false
	}
	return line.Holdings[line.place(id)], true
}

// Predecessor is the question in whose place a question of the survey came, by the rules of a
// plan: by a similar text or its place. It is a guess, and nil for none.
func (t *Timeline) Predecessor(line *Lineage) *Lineage {
	if line.first == 0 {
		return nil
	}
	i := slices.Index(t.Members[line.first], line)
	if i < 0 {
		return nil
	}
	before := keysOf(t.Lists[line.first-1].Questions)
	after := keysOf(t.Lists[line.first].Questions)
	for k := range after {
		// To the rules of a plan, an id that is new is one that a person chose.
		if !slices.ContainsFunc(before, func(key survey.QuestionKey) bool { return key.ID == after[k].ID }) {
			after[k].ID = ""
		}
	}
	pairs := survey.MatchQuestions(before, after)
	if pairs[i] < 0 {
		return nil
	}
	return t.Members[line.first-1][pairs[i]]
}

func keysOf(list []Question) []survey.QuestionKey {
	keys := make([]survey.QuestionKey, len(list))
	for i, q := range list {
		keys[i] = survey.QuestionKey{ID: q.ID, Type: q.Type, Text: q.Text}
	}
	return keys
}

// Question is what is known of a question in a list.
type Question struct {
	// ID is empty where the service has given it none.
	ID, Type, Text string
	// Choices are nil where the source does not have them.
	Choices []string
	// rest is everything else that it says; empty where the source does not have it.
	rest string
}

// Questions reads a list of questions as the service has it; none for null and for no JSON at
// all. Not ok is a list that cannot be followed.
func Questions(raw []byte) (list []Question, ok bool) {
	if len(raw) == 0 {
		return nil, true
	}
	value, err := jsonvalue.Decode(raw)
	if err != nil {
		return nil, false
	}
	elements, isList := value.([]any)
	if !isList {
		return nil, value == nil
	}

	for _, element := range elements {
		fields, isObject := element.(map[string]any)
		if !isObject {
			return nil, false
		}
		list = append(list, questionOf(fields))
	}
	return list, true
}

// QuestionsOf are the questions of a survey, element by element.
func QuestionsOf(raws []json.RawMessage) (list []Question, ok bool) {
	for _, raw := range raws {
		one, ok := Questions(slices.Concat([]byte("["), raw, []byte("]")))
		if !ok {
			return nil, false
		}
		list = append(list, one...)
	}
	return list, true
}

// QuestionsOfKeys are questions of which id, type and text are remembered.
func QuestionsOfKeys(keys []survey.QuestionKey) []Question {
	list := make([]Question, len(keys))
	for i, key := range keys {
		list[i] = Question{ID: key.ID, Type: key.Type, Text: key.Text}
	}
	return list
}

func questionOf(fields map[string]any) Question {
	q := Question{ID: jsonvalue.String(fields["id"]), Type: jsonvalue.String(fields["type"]), Text: jsonvalue.String(fields["question"])}
	if choices, ok := fields["choices"].([]any); ok {
		for _, choice := range choices {
			q.Choices = append(q.Choices, jsonvalue.String(choice))
		}
	}

	rest := maps.Clone(fields)
	for _, name := range []string{"id", "type", "question", "choices"} {
		delete(rest, name)
	}
	text, _ := json.Marshal(rest) // it was decoded from JSON
	q.rest = string(text)
	return q
}

// asks reports whether two questions ask the same: type and text are the same, or are once the
// service has cleaned the text.
func (q Question) asks(other Question) bool {
	return q.Type == other.Type &&
		(q.Text == other.Text || survey.SameMarkup(q.Text, other.Text) || survey.SameMarkup(other.Text, q.Text))
}

// contradicts reports whether two questions are known to differ in more than id, type and text.
func (q Question) contradicts(other Question) bool {
	return q.Choices != nil && other.Choices != nil && !slices.Equal(q.Choices, other.Choices) || q.rest != "" && other.rest != "" && q.rest != other.rest
}

// sameQuestions reports whether two lists have the same questions, in one order.
func sameQuestions(a, b []Question) bool {
	return slices.EqualFunc(a, b, func(q, other Question) bool { return q.ID == other.ID && q.asks(other) })
}

// number is how many questions of a list fit.
func number(list []Question, fits func(Question) bool) int {
	n := 0
	for _, q := range list {
		if fits(q) {
			n++
		}
	}
	return n
}
