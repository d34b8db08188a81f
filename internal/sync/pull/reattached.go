package pull

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/markup"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// A save without IDs detaches the answers of questions: PostHog gives the questions new IDs. That
// is damage and no edit, so pull merges the questions under the IDs that have the answers, and
// writes these IDs into the configuration: from then on it states them, and the next apply
// restores them.

// reattachedResource is a resource whose questions have one ID in all versions: the one with the answers.
type reattachedResource struct {
	rememberedResource
	// Detached are the questions with detached answers, and those that may be such.
	Detached identity.DetachedList
	// agreed are the versions of the questions since configuration and PostHog agreed on one.
	agreed identity.Agreed
	// planned are the IDs that the plan gives to the questions of the configuration.
	planned []string
	// requiredIDs are IDs of questions that the configuration has to state.
	requiredIDs []string
	// state are the questions of the state.
	state []any
	// restoresIDs is set if the next apply restores IDs under which there are no answers.
	restoresIDs bool
}

// reattach finds the questions with detached answers.
func (r rememberedResource) reattach() reattachedResource {
	result := reattachedResource{rememberedResource: r, agreed: r.memory.questions.SinceWrite()}
	ours, theirs, state := object(r.Versions.Code), object(r.Versions.Live), object(r.Versions.Applied)
	if ours == nil || theirs == nil || state == nil {
		return result
	}
	configured, live, previous := questionList(ours), questionList(theirs), questionList(state)
	result.planned = questionIDs(identity.QuestionsIn(configured))

	roots := result.detach(configured, live, previous)
	live = slices.Clone(live)
	for _, d := range result.Detached {
		if !d.IsPossible || d.ID == "" { // a plan restores one that is left out
			live[d.Position] = withID(live[d.Position], d.OldID)
		}
	}
	result.Versions.Code = withQuestions(ours, withIDs(configured, roots))
	result.Versions.Live = withQuestions(theirs, withIDs(live, roots))
	result.Versions.Applied = withQuestions(state, withIDs(previous, roots))
	result.state = questionList(object(result.Versions.Applied))
	result.memory = r.memory.withRootIDs(func(id string) string { return cmp.Or(roots[id], result.agreed.Root(id)) })

	detachedCount := len(result.Detached)
	result.Detached = result.Detached.WithAnswers()
	result.restoresIDs = len(result.Detached) < detachedCount
	for _, d := range result.Detached.Certain() {
		if !d.Stays {
			result.requiredIDs = append(result.requiredIDs, d.OldID)
		}
	}
	return result
}

// detach sets the questions with detached answers: those that the state knows, and those that only
// an earlier pull or the configuration tells. It returns the ID with the answers by each other ID.
func (r *reattachedResource) detach(configured, live, previous []any) map[string]string {
	questions := identity.QuestionsIn(live)
	// The configuration states the ID that a plan leaves although it knows another one.
	r.Detached = slices.DeleteFunc(r.memory.questions.Detached(questions), func(d identity.Detached) bool {
		return !d.IsPossible && !d.Stays && slices.Contains(r.planned, d.ID)
	})
	isKnown := map[string]bool{}
	roots := map[string]string{}
	for _, d := range r.Detached {
		isKnown[d.ID] = true
	}
	for _, q := range identity.QuestionsIn(slices.Concat(configured, live, previous)) {
		if root := r.agreed.Root(q.ID); root != q.ID && identity.IndexOf(questions, root) < 0 {
			roots[q.ID] = root
		}
	}

	agreed := slices.Clone(r.lastAgreed(previous, configured, live))
	for _, q := range identity.QuestionsIn(configured) {
		if q.ID != "" && identity.IndexOf(agreed, q.ID) < 0 && !isKnown[q.ID] {
			agreed = append(agreed, q)
		}
	}
	now := slices.Clone(questions)
	for i, q := range now {
		now[i].ID = cmp.Or(roots[q.ID], q.ID)
	}
	for _, d := range identity.Replay([][]identity.Question{agreed}, now).Detached(now) {
		d.ID = questions[d.Position].ID
		r.addQuestion(d)
	}
	for i, q := range questions { // an earlier pull reported it
		if old := r.agreed.Root(r.memory.lock.Reported[q.ID]); r.memory.locked && old != "" && identity.IndexOf(questions, old) < 0 {
			r.addQuestion(identity.Detached{Position: i, Text: q.Text, ID: q.ID, OldID: old, OldText: q.Text})
		}
	}
	for i, q := range questions {
		oldQuestion, isPossible := r.memory.lock.Possible[q.ID]
		if old := r.agreed.Root(oldQuestion.ID); r.memory.locked && isPossible && identity.IndexOf(questions, old) < 0 {
			r.addQuestion(identity.Detached{Position: i, Text: q.Text, ID: q.ID, OldID: old, OldText: oldQuestion.Text, IsPossible: true})
		}
	}
	for _, d := range r.memory.questions.Restored(questions, r.withoutPlannedIDs(questions, identity.QuestionsIn(configured))) {
		r.addQuestion(d)
	}

	r.detachLeftOut(agreed, questions)

	slices.SortStableFunc(r.Detached, func(a, b identity.Detached) int { return cmp.Compare(a.Position, b.Position) })
	for _, d := range r.Detached.Certain() {
		if d.ID != "" && !d.Stays {
			roots[d.ID] = d.OldID
		}
	}
	return roots
}

// detachLeftOut adds the questions whose IDs a save left out where PostHog gave them none. before are
// the questions when configuration and PostHog last agreed on them.
func (r *reattachedResource) detachLeftOut(agreed, live []identity.Question) {
	recognized := r.memory.questions.WithCarriedIDs(live)
	recognized = identity.Replay([][]identity.Question{agreed}, recognized).WithCarriedIDs(recognized)
	for i, q := range live {
		isListed := slices.ContainsFunc(r.Detached, func(d identity.Detached) bool { return d.Position == i })
		if q.ID != "" || recognized[i].ID == "" || isListed {
			continue
		}
		d := identity.Detached{Position: i, Text: q.Text, OldID: recognized[i].ID, OldText: r.memory.questions.TextOf(recognized[i].ID)}
		if index := identity.IndexOf(agreed, d.OldID); index >= 0 {
			d.OldText = agreed[index].Text
		}
		d.IsPossible = d.OldText != "" && markup.Canonical(d.OldText) != markup.Canonical(d.Text)
		r.addQuestion(d)
	}
}

// withoutPlannedIDs are the questions of the configuration without the IDs that the plan may have
// given them.
func (r *reattachedResource) withoutPlannedIDs(live, planned []identity.Question) []identity.Question {
	questions := slices.Clone(planned)
	for i, pair := range r.memory.questions.Match(live, identity.WithoutIDs(planned)) {
		if pair.ID == planned[i].ID {
			questions[i].ID = ""
		}
	}
	return questions
}

// addQuestion adds a question, unless it is known already. What is certain replaces what is only
// possible.
func (r *reattachedResource) addQuestion(d identity.Detached) {
	isSame := func(entry identity.Detached) bool { return d.ID != "" && entry.ID == d.ID }
	if !d.IsPossible {
		r.Detached = slices.DeleteFunc(r.Detached, func(entry identity.Detached) bool { return isSame(entry) && entry.IsPossible })
	}
	if !slices.ContainsFunc(r.Detached, isSame) {
		r.Detached = append(r.Detached, d)
	}
}

// withQuestions is a version with other questions, if it has any.
func withQuestions(arguments map[string]any, list []any) any {
	if _, ok := arguments[questionsName].([]any); !ok {
		return arguments
	}
	arguments = maps.Clone(arguments)
	arguments[questionsName] = list
	return arguments
}

// withIDs are questions with other IDs.
func withIDs(list []any, ids map[string]string) []any {
	renamed := slices.Clone(list)
	for i := range renamed {
		if id := ids[questionID(renamed[i])]; id != "" {
			renamed[i] = withID(renamed[i], id)
		}
	}
	return renamed
}

// withID is a question with another ID.
func withID(value, id any) any {
	question := maps.Clone(object(value))
	if question != nil {
		question["id"] = id
	}
	return question
}

// reportDetached reports detached answers. isStated reports whether the configuration states an ID.
func (p *pull) reportDetached(r Resource, isStated func(id string) bool) {
	for _, d := range r.Detached {
		if d.IsPossible && isStated(d.ID) {
			continue // it was decided
		}

		command := strings.TrimSpace(identity.DetachedList{d}.RepairCommand(r.Name, d.Before == nil))
		next := "to restore the old ID, run " + command
		switch {
		case d.IsPossible && d.ID == "":
			next = "the next apply restores the old ID; to restore it at once, run " + command
		case d.IsPossible:
			next = "if it is the same question, run " + command + "; if it is a new one, set its id to the new ID"
		case d.Stays:
			next = "answers came in under both IDs: set the id of the question to one of them, or run " + command
		case isStated(d.OldID):
			next = "the configuration states the old ID, and the next apply restores it; to restore it at once, run " + command
		}
		var live any
		if d.ID != "" {
			live = d.ID
		}
		p.report(r, "", code.Finding{
			Outcome: code.Unresolved, Attribute: fmt.Sprintf("%s[%d].id", questionsName, d.Position), Code: d.OldID, Live: live,
			Reason: d.String() + "; " + next, Kind: code.Detached,
		})
	}
}
