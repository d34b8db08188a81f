// Package review describes how surveys affect respondents: which answers a change detaches, where
// answers lead, and which survey settings are problematic, alone or in combination.
//
// The package must not send requests or read files.
package review

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Question contains the attributes of a question that a review needs.
type Question struct {
	ID          string `json:"id"`
	Type        string `json:"type"`
	Text        string `json:"question"`
	Description string `json:"description"`
	Link        string `json:"link"`
	Optional    bool   `json:"optional"`
	OpenChoice  bool   `json:"has_open_choice"`
	// Scale may be any number in another provider's plan. A number that is not an integer counts as 0.
	Scale     json.Number `json:"scale"`
	Choices   []string    `json:"choices"`
	Branching *struct {
		Type           string            `json:"type"`
		Index          json.Number       `json:"index"`
		ResponseValues map[string]string `json:"response_values"`
	} `json:"branching"`
	Translations map[string]map[string]any `json:"translations"`

	// attributes contains all of the question's attributes.
	attributes map[string]any
	// matched is the question that is used for matching, including secret texts.
	matched identity.Question
}

// Questions decodes a survey's questions. It returns an error if an attribute has a type that the provider
// never uses, such as in another provider's plan or state.
func Questions(survey source.Object) ([]Question, error) {
	raw, err := json.Marshal(source.Shown(survey.Attributes["questions"]))
	if err != nil {
		return nil, fmt.Errorf("survey %q: questions: %w", survey.Name, err)
	}

	var questions []Question
	if err := json.Unmarshal(raw, &questions); err != nil {
		return nil, fmt.Errorf("survey %q: questions do not have the format of this provider: %w", survey.Name, err)
	}
	list, _ := survey.Attributes["questions"].([]any)
	for i := range questions {
		questions[i].attributes, _ = list[i].(map[string]any)
		questions[i].matched = identity.NewQuestion(plain(questions[i].attributes))
	}
	return questions, nil
}

// plain returns attributes in which secret values are readable.
func plain(attributes map[string]any) map[string]any {
	translations := map[string]any{}
	for name, value := range attributes {
		translations[name] = source.Plain(value)
	}
	return translations
}

// Flow returns the branching graph of questions.
func Flow(questions []Question) []flow.Question {
	graph := make([]flow.Question, len(questions))
	for i, q := range questions {
		scale, _ := strconv.Atoi(q.Scale.String())
		graph[i] = flow.Question{
			Kind: flow.Kind(q.Type), Text: q.Text, Scale: scale, Choices: len(q.Choices), ChoiceTexts: q.Choices,
			Optional: q.Optional, OpenChoice: q.OpenChoice,
		}
		if q.Branching == nil {
			continue
		}

		graph[i].Branching = flow.Branching(q.Branching.Type)
		graph[i].Index, _ = strconv.Atoi(q.Branching.Index.String())
		graph[i].Responses = map[string]int{}
		for key, target := range q.Branching.ResponseValues {
			graph[i].Responses[key] = parseTarget(target)
		}
	}
	return graph
}

// parseTarget parses a branching rule's target: a position or the end. Any other value leads to the next
// question, as in the SDKs.
func parseTarget(value string) int {
	if value == "end" {
		return flow.End
	}
	if index, err := strconv.Atoi(value); err == nil {
		return index
	}
	return flow.Next
}

// Redirect is branching that leads to a different question although no one edited it. Branching refers to
// positions, and another question has moved to that position.
type Redirect struct {
	// Question is the position of the branching question after the change.
	Question int `json:"question"`
	// Answers lists the affected answers. It is empty if the redirect affects all answers, or only skipping.
	Answers []string `json:"answers,omitempty"`
	// Skipped is set if the redirect affects respondents who skip the question.
	Skipped bool `json:"skipped,omitempty"`
	// Before and After are the texts of the next question before and after the change. They are empty at
	// the end of the survey.
	Before string `json:"before"`
	After  string `json:"after"`
}

// redirects returns the redirects that changes to a survey's questions cause.
func redirects(before, after []Question, changes []QuestionChange) []Redirect {
	origins := make([]int, len(after))
	for _, change := range changes {
		if change.To >= 0 {
			origins[change.To] = change.From
		}
	}

	var list []Redirect
	for _, redirect := range flow.Redirects(Flow(before), Flow(after), origins) {
		list = append(list, Redirect{
			Question: redirect.Question, Answers: redirect.Answers, Skipped: redirect.Skipped,
			Before: textAt(before, redirect.From), After: textAt(after, redirect.To),
		})
	}
	return list
}

func textAt(questions []Question, index int) string {
	if index == flow.End {
		return ""
	}
	return questions[index].Text
}

// ChangeKind is a kind of question change.
type ChangeKind string

// Kinds of question changes.
const (
	// Kept means that the question does not change.
	Kept ChangeKind = "kept"
	// Edited means that the question keeps its answers, but its text or choices change.
	Edited ChangeKind = "edited"
	// Moved means that only the position of the question changes.
	Moved ChangeKind = "moved"
	// Reattached means that the question gets back the ID that has its answers, after a save without
	// IDs detached them.
	Reattached ChangeKind = "reattached"
	// New means that the question has no answers.
	New ChangeKind = "new"
	// Dropped means that the question's answers are detached: they stay in PostHog, but under an ID that no
	// question has.
	Dropped ChangeKind = "dropped"
)

// QuestionChange describes what happens to one question.
type QuestionChange struct {
	Kind   ChangeKind `json:"fate"`
	Before string     `json:"before,omitempty"`
	After  string     `json:"after,omitempty"`
	// From and To are the positions of the question before and after the change, or -1 if the question does
	// not exist.
	From int `json:"from"`
	To   int `json:"to"`
	// Changes lists other changes to the question that respondents notice.
	Changes []Row `json:"changes,omitempty"`
	// ID is the ID that a new question gets from the configuration or from the survey's history, so
	// existing answers may be stored under it. It is empty if PostHog chooses the ID.
	ID string `json:"id,omitempty"`
	// Lost is the number of answers under the ID that a reattached question loses. It is nil if the
	// number is unknown.
	Lost *int64 `json:"lost,omitempty"`
	// Detached describes answers that stay detached, and that certainly or possibly belong to the question.
	Detached string `json:"detached,omitempty"`
	// IsPossible is set if the question keeps its ID, but its text and content do not show that it is
	// still the same question.
	IsPossible bool `json:"possible_match,omitempty"`
	// IsExchanged is set if the question gets the ID of another question, although the survey has the same
	// question under its own ID. It takes over the other question's answers.
	IsExchanged bool `json:"answers_of_another_question,omitempty"`
}

// questionChanges returns each question's change. PostHog stores answers under question IDs, so questions
// with IDs are matched by ID. PostHog assigns an ID to a question without one, so such a question is
// matched as the provider matches it during apply. unknown contains the values that are known only after
// apply, by position. detached contains the questions that get an old ID back.
func questionChanges(before, after []Question, unknown []any, detached identity.DetachedList) []QuestionChange {
	changes := []QuestionChange{}
	origins := matchOrigins(before, after, unknown)
	reattached, detachedAt := map[int]identity.Detached{}, map[int]identity.Detached{}
	for _, d := range staysDetached(after, detached) {
		if detachedAt[d.Position].OldID == "" {
			detachedAt[d.Position] = d
		}
	}
	for _, d := range detached {
		i := slices.IndexFunc(after, func(q Question) bool { return q.ID == d.OldID })
		if i >= 0 && origins[i] < 0 && !slices.Contains(origins, d.Position) {
			origins[i], reattached[i] = d.Position, d
		}
	}

	byContent := identity.Match(identities(before), identity.WithoutIDs(identities(after)))

	// kept contains the indexes in changes of the questions that also existed before.
	var kept []int
	isKept := map[int]bool{}
	for i, q := range after {
		origin := origins[i]
		if origin < 0 {
			change := QuestionChange{Kind: New, After: q.Text, From: -1, To: i}
			if len(before) > 0 && !isUnknownID(unknown, i) {
				change.ID = q.ID
			}
			changes = append(changes, change)
			continue
		}

		isKept[origin] = true
		kept = append(kept, len(changes))
		change := QuestionChange{Kind: Kept, Before: before[origin].Text, After: q.Text, From: origin, To: i}
		if isEdited(before[origin], q) {
			change.Kind, change.Changes = Edited, questionRows(before[origin], q, unknownAt(unknown, i))
			change.IsPossible = byContent[i].Index != origin || !byContent[i].IsCertain
			change.IsExchanged = byContent[i].Rule == identity.Identical && byContent[i].Index != origin && before[origin].ID != "" && !remains(before, after, origins, byContent[i].Index)
		}
		if d, ok := reattached[i]; ok {
			change.Kind, change.Lost = Reattached, d.Since
		}
		if d, ok := detachedAt[origin]; ok {
			change.Detached = d.String()
		}
		changes = append(changes, change)
	}
	markMoves(changes, kept)

	for i, q := range before {
		if !isKept[i] {
			changes = append(changes, QuestionChange{Kind: Dropped, Before: q.Text, From: i, To: -1})
		}
	}
	return changes
}

// remains reports whether the question at a position before the change stays the same.
func remains(before, after []Question, origins []int, position int) bool {
	i := slices.Index(origins, position)
	return i >= 0 && !isEdited(before[position], after[i])
}

// staysDetached returns the questions that do not get back the ID that has their answers.
func staysDetached(after []Question, detached identity.DetachedList) identity.DetachedList {
	return slices.DeleteFunc(slices.Clone(detached), func(d identity.Detached) bool {
		hasID := func(q Question) bool { return q.ID == d.ID && d.ID != "" }
		return !slices.ContainsFunc(after, hasID)
	})
}

// matchOrigins returns, for each question after a change, its position before the change, or -1 for a new
// question. It matches questions by ID. If PostHog assigns the ID, it uses the provider's matching.
func matchOrigins(before, after []Question, unknown []any) []int {
	prior, withIDs, withoutIDs := identities(before), identities(after), identities(after)
	byID, needsMatching := make([]int, len(after)), false
	for i, q := range after {
		byID[i] = -1
		switch {
		case isUnknownID(unknown, i):
			// If none of the previous questions has the ID, the question is new, unless it has the ID of another one.
			withIDs[i].ID, withoutIDs[i].ID = fmt.Sprint("new ", i), fmt.Sprint("new ", i)
		case q.ID == "":
			needsMatching = true
		default:
			byID[i] = originByID(before, q)
			withoutIDs[i].ID = ""
		}
	}
	for i, q := range after {
		if isUnknownID(unknown, i) {
			byID[i] = findCopy(before, byID, q)
		}
	}
	if !needsMatching {
		return byID
	}

	// The plan shows the previous ID of a question that has not moved, even if the configuration does not
	// set the ID. The provider matches only by IDs in the configuration, so the match without IDs counts,
	// unless an ID in the plan contradicts it.
	origins := indexes(identity.Match(prior, withoutIDs))
	for i, q := range after {
		if q.ID != "" && origins[i] != byID[i] {
			return indexes(identity.Match(prior, withIDs))
		}
	}
	return origins
}

// originByID returns the index of the question that has the same ID before the change, or -1. If several have it, the
// question with the same text is the same.
func originByID(before []Question, q Question) int {
	hasID := func(candidate Question) bool { return candidate.ID == q.ID }
	equal := slices.IndexFunc(before, func(candidate Question) bool {
		return hasID(candidate) && candidate.Type == q.Type && candidate.Text == q.Text
	})
	if equal >= 0 {
		return equal
	}
	return slices.IndexFunc(before, hasID)
}

// findCopy returns the index of a question that loses the ID of another one, as after a script copied that one, or -1.
// origins contains the indexes of the questions that keep their IDs.
func findCopy(before []Question, origins []int, q Question) int {
	for k, candidate := range before {
		keepsID := func(origin int) bool { return origin >= 0 && before[origin].ID == candidate.ID }
		isSame := candidate.Type == q.Type && candidate.Text == q.Text && !slices.Contains(origins, k)
		if isSame && candidate.ID != "" && slices.ContainsFunc(origins, keepsID) {
			return k
		}
	}
	return -1
}

func indexes(pairs []identity.Pair) []int {
	origins := make([]int, len(pairs))
	for i, pair := range pairs {
		origins[i] = pair.Index
	}
	return origins
}

func identities(questions []Question) []identity.Question {
	list := make([]identity.Question, len(questions))
	for i, q := range questions {
		list[i] = q.matched
		list[i].ID = q.ID
	}
	return list
}

// unknownAt returns a question's values that are known only after apply.
func unknownAt(unknown []any, i int) any {
	if i >= len(unknown) {
		return nil
	}
	return unknown[i]
}

// isUnknownID reports whether a question's ID is known only after apply, such as a new question's ID.
func isUnknownID(unknown []any, i int) bool {
	if i >= len(unknown) {
		return false
	}
	question, _ := unknown[i].(map[string]any)
	return question["id"] == true || unknown[i] == true
}

// isEdited reports whether respondents see a change in a question. Branching does not count, because the
// flow shows where the answers lead.
func isEdited(before, after Question) bool {
	visible := func(q Question) map[string]any {
		attributes := maps.Clone(q.attributes)
		delete(attributes, "id")
		delete(attributes, "branching")
		return attributes
	}
	return !jsonvalue.Equal(visible(before), visible(after))
}

// markMoves marks the smallest set of moved questions that explains the new order: all questions outside
// a longest increasing subsequence of the previous positions. keptIndexes contains indexes in changes.
func markMoves(changes []QuestionChange, keptIndexes []int) {
	sorted := slices.SortedFunc(slices.Values(keptIndexes), func(a, b int) int { return changes[a].From - changes[b].From })
	inOrder := map[int]bool{}
	for _, pair := range jsonvalue.LongestCommon(len(keptIndexes), len(sorted), func(i, j int) bool { return keptIndexes[i] == sorted[j] }) {
		inOrder[keptIndexes[pair[0]]] = true
	}
	for _, k := range keptIndexes {
		if !inOrder[k] && changes[k].Kind == Kept {
			changes[k].Kind = Moved
		}
	}
}
