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

// reattached is a resource whose questions have one ID in all versions: the one with the answers.
type reattached struct {
	recalled
	// Detached are the questions with detached answers, and those that may be such.
	Detached identity.DetachedList
	// agreed are the versions of the questions since configuration and PostHog agreed on one.
	agreed identity.Agreed
	// planned are the IDs that the plan gives to the questions of the configuration.
	planned []string
	// stated are IDs of questions that the configuration has to state.
	stated []string
	// state are the questions of the state.
	state []any
	// restoresIDs is set if the next apply restores IDs under which there are no answers.
	restoresIDs bool
}

// reattach finds the questions with detached answers.
func (r recalled) reattach() reattached {
	to := reattached{recalled: r, agreed: r.memory.questions.SinceWrite()}
	ours, theirs, state := object(r.Versions.Code), object(r.Versions.Live), object(r.Versions.Applied)
	if ours == nil || theirs == nil || state == nil {
		return to
	}
	stated, live, was := questionsOf(ours), questionsOf(theirs), questionsOf(state)
	to.planned = idsOf(identity.QuestionsIn(stated))

	roots := to.detach(stated, live, was)
	live = slices.Clone(live)
	for _, d := range to.Detached {
		if !d.IsPossible || d.ID == "" { // a plan restores one that is left out
			live[d.Position] = identified(live[d.Position], d.OldID)
		}
	}
	to.Versions.Code = withQuestions(ours, withIDs(stated, roots))
	to.Versions.Live = withQuestions(theirs, withIDs(live, roots))
	to.Versions.Applied = withQuestions(state, withIDs(was, roots))
	to.state = questionsOf(object(to.Versions.Applied))
	to.memory = r.memory.renamed(func(id string) string { return cmp.Or(roots[id], to.agreed.Root(id)) })

	all := len(to.Detached)
	to.Detached = to.Detached.WithAnswers()
	to.restoresIDs = len(to.Detached) < all
	for _, d := range to.Detached.Certain() {
		if !d.Stays {
			to.stated = append(to.stated, d.OldID)
		}
	}
	return to
}

// detach sets the questions with detached answers: those that the state knows, and those that only
// an earlier pull or the configuration tells. It returns the ID with the answers by each other ID.
func (r *reattached) detach(stated, live, was []any) map[string]string {
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
	for _, q := range identity.QuestionsIn(slices.Concat(stated, live, was)) {
		if root := r.agreed.Root(q.ID); root != q.ID && identity.IndexOf(questions, root) < 0 {
			roots[q.ID] = root
		}
	}

	before := slices.Clone(r.saidOr(was, stated, live))
	for _, q := range identity.QuestionsIn(stated) {
		if q.ID != "" && identity.IndexOf(before, q.ID) < 0 && !isKnown[q.ID] {
			before = append(before, q)
		}
	}
	now := slices.Clone(questions)
	for i, q := range now {
		now[i].ID = cmp.Or(roots[q.ID], q.ID)
	}
	for _, d := range identity.Replay([][]identity.Question{before}, now).Detached(now) {
		d.ID = questions[d.Position].ID
		r.addDetached(d)
	}
	for i, q := range questions { // an earlier pull reported it
		if old := r.agreed.Root(r.memory.lock.Reported[q.ID]); r.memory.locked && old != "" && identity.IndexOf(questions, old) < 0 {
			r.addDetached(identity.Detached{Position: i, Text: q.Text, ID: q.ID, OldID: old, OldText: q.Text})
		}
	}
	for i, q := range questions {
		was, isPossible := r.memory.lock.Possible[q.ID]
		if old := r.agreed.Root(was.ID); r.memory.locked && isPossible && identity.IndexOf(questions, old) < 0 {
			r.addDetached(identity.Detached{Position: i, Text: q.Text, ID: q.ID, OldID: old, OldText: was.Text, IsPossible: true})
		}
	}
	for _, d := range r.memory.questions.Restored(questions, r.certainlyStated(questions, identity.QuestionsIn(stated))) {
		r.addDetached(d)
	}

	r.detachLeftOut(before, questions)

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
func (r *reattached) detachLeftOut(before, live []identity.Question) {
	named := r.memory.questions.WithCarriedIDs(live)
	named = identity.Replay([][]identity.Question{before}, named).WithCarriedIDs(named)
	for i, q := range live {
		isListed := slices.ContainsFunc(r.Detached, func(d identity.Detached) bool { return d.Position == i })
		if q.ID != "" || named[i].ID == "" || isListed {
			continue
		}
		d := identity.Detached{Position: i, Text: q.Text, OldID: named[i].ID, OldText: r.memory.questions.TextOf(named[i].ID)}
		if at := identity.IndexOf(before, d.OldID); at >= 0 {
			d.OldText = before[at].Text
		}
		d.IsPossible = d.OldText != "" && markup.Canonical(d.OldText) != markup.Canonical(d.Text)
		r.addDetached(d)
	}
}

// certainlyStated are the questions of the configuration without the IDs that the plan may have
// given them.
func (r *reattached) certainlyStated(live, planned []identity.Question) []identity.Question {
	stated := slices.Clone(planned)
	for i, pair := range r.memory.questions.Match(live, identity.WithoutIDs(planned)) {
		if pair.ID == planned[i].ID {
			stated[i].ID = ""
		}
	}
	return stated
}

// addDetached adds a question, unless it is known already. What is certain replaces what is only
// possible.
func (r *reattached) addDetached(d identity.Detached) {
	isSame := func(other identity.Detached) bool { return d.ID != "" && other.ID == d.ID }
	if !d.IsPossible {
		r.Detached = slices.DeleteFunc(r.Detached, func(other identity.Detached) bool { return isSame(other) && other.IsPossible })
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
		if id := ids[idOf(renamed[i])]; id != "" {
			renamed[i] = identified(renamed[i], id)
		}
	}
	return renamed
}

// identified is a question with another ID.
func identified(value, id any) any {
	question := maps.Clone(object(value))
	if question != nil {
		question["id"] = id
	}
	return question
}

// leaveDetached reports detached answers. isStated reports whether the configuration states an ID.
func (p *pull) leaveDetached(r Resource, isStated func(id string) bool) {
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
		p.found(r, "", code.Finding{
			Outcome: code.Unresolved, Attribute: fmt.Sprintf("%s[%d].id", questionsName, d.Position), Code: d.OldID, Live: live,
			Reason: d.String() + "; " + next, Kind: code.Detached,
		})
	}
}
