package pull

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/markup"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// A save without IDs gives questions new IDs, which detaches their answers. pull treats this as
// damage and not as an edit: it merges the questions under the IDs that have the answers. It writes
// these IDs into the configuration, so that the next apply restores them.

// reattachedResource is a resource whose questions have the same ID in all versions: the ID that has
// the answers.
type reattachedResource struct {
	rememberedResource
	// Detached lists the questions whose answers are certainly or possibly detached.
	Detached identity.DetachedList
	// agreed contains the versions of the questions since the configuration and PostHog last agreed.
	agreed identity.Agreed
	// roots maps the other IDs of a question to the ID that has its answers. kept maps such an ID to a newer one that
	// the configuration sets.
	roots, kept map[string]string
	// planned contains the question IDs after the plan is applied.
	planned []string
	// requiredIDs contains the question IDs that the configuration must set.
	requiredIDs []string
	// guessedIDs contains the old IDs of questions that are only possibly the configured ones.
	guessedIDs []string
	// state contains the questions in the state.
	state []any
	// restoresIDs is set if the next apply restores IDs that have no answers.
	restoresIDs bool
}

// reattach finds the questions with detached answers and replaces their IDs.
func (r rememberedResource) reattach() reattachedResource {
	result := reattachedResource{rememberedResource: r, agreed: r.memory.questions.SinceWrite()}
	ours, theirs, state := object(r.Versions.Code), object(r.Versions.Live), object(r.Versions.Applied)
	if ours == nil || theirs == nil || state == nil {
		return result
	}
	configured, live, previous := questionList(ours), questionList(theirs), questionList(state)
	result.planned = questionIDs(identity.NewQuestions(configured))

	result.Detached = result.detached(configured, live, previous)
	result.kept = result.findKeptIDs(identity.NewQuestions(live))
	result.roots = result.findRoots(identity.NewQuestions(live), identity.NewQuestions(slices.Concat(configured, live, previous)))
	live = result.withOwnIDs(live)
	for _, d := range result.Detached {
		if isSame := !d.IsPossible || d.IsCarried; isSame && !d.IsKept {
			live[d.Position] = withID(live[d.Position], d.OldID)
		}
	}
	result.Versions.Code = withQuestions(ours, withIDs(configured, result.roots)) // a plan may give an old ID to another question
	result.Versions.Live = withQuestions(theirs, result.withRootIDs(live))
	result.Versions.Applied = withQuestions(state, result.withRootIDs(previous))
	result.state = questionList(object(result.Versions.Applied))
	result.memory = r.memory.withRootIDs(result.rootID)

	detachedCount := len(result.Detached)
	result.Detached = result.Detached.WithAnswers()
	result.restoresIDs = len(result.Detached) < detachedCount
	certain := result.Detached.Certain()
	var guessed []string
	if len(certain) > 0 {
		guessed = result.guessIDs(identity.NewQuestions(questionList(theirs)), identity.NewQuestions(configured))
	}
	for _, d := range certain {
		switch isGuessed := slices.Contains(guessed, d.OldID) || slices.Contains(guessed, d.ID); {
		case isGuessed:
			result.guessedIDs = append(result.guessedIDs, d.OldID)
		case !d.Stays && !d.IsKept:
			result.requiredIDs = append(result.requiredIDs, d.OldID)
		}
	}
	return result
}

// detached lists the questions with detached answers. It looks for them in everything that pull remembers:
// the state, the last version that both sides shared, an earlier pull's report, and the IDs in the
// configuration.
func (r reattachedResource) detached(configured, live, previous []any) identity.DetachedList {
	ours, theirs := identity.NewQuestions(configured), identity.NewQuestions(live)

	inState := r.memory.questions.Detached(theirs)
	for i, d := range inState {
		inState[i].IsKept = !d.IsPossible && slices.Contains(r.planned, d.ID)
	}
	stated := r.withoutPlannedIDs(theirs, ours)
	inCode := r.memory.questions.FindRestored(theirs, stated)
	agreed := slices.Clone(r.lastAgreed(previous, configured, live))
	for _, q := range stated {
		isDetached := slices.ContainsFunc(inState, func(d identity.Detached) bool { return d.ID == q.ID })
		if q.ID != "" && identity.IndexByID(agreed, q.ID) < 0 && !isDetached {
			agreed = append(agreed, q)
		}
	}
	sources := []identity.DetachedList{inState, r.leftOut(agreed, theirs), r.detachedSince(agreed, theirs), r.lockReports(theirs), inCode}
	for i := range sources {
		sources[i] = r.memory.questions.CheckLogged(sources[i])
	}
	merged := identity.MergeDetached(sources...)
	for i, d := range merged {
		isStated := slices.Contains(r.literalIDs, d.ID) || len(r.literalIDs) == 0 && d.ID != "" && identity.IndexByID(stated, d.ID) >= 0
		if isStated && !d.IsPossible {
			merged[i].IsKept = true // an apply keeps the IDs that the configuration sets
		}
	}
	return merged
}

// detachedSince lists the questions whose IDs were replaced by a save after both sides shared the agreed
// questions.
func (r reattachedResource) detachedSince(agreed, live []identity.Question) identity.DetachedList {
	under := slices.Clone(live)
	for i, q := range live {
		if root := r.agreed.Root(q.ID); identity.IndexByID(live, root) < 0 {
			under[i].ID = root
		}
	}

	found := identity.Replay([][]identity.Question{agreed}, under).Detached(under)
	for i, d := range found {
		found[i].ID = live[d.Position].ID
	}
	return found
}

// lockReports lists the questions that an earlier pull reported.
func (r reattachedResource) lockReports(live []identity.Question) (found identity.DetachedList) {
	if !r.memory.locked {
		return nil
	}
	for i, q := range live {
		old, isPossible := r.memory.lock.Possible[q.ID]
		if id := r.memory.lock.Reported[q.ID]; id != "" {
			old, isPossible = identity.Question{ID: id, Text: q.Text}, false
		}
		if id := r.agreed.Root(old.ID); id != "" && identity.IndexByID(live, id) < 0 {
			found = append(found, identity.Detached{Position: i, Text: q.Text, ID: q.ID, OldID: id, OldText: old.Text, IsPossible: isPossible})
		}
	}
	return found
}

// leftOut lists the questions that a save left without any ID. agreed contains the questions from the time
// when the configuration and PostHog last agreed.
func (r reattachedResource) leftOut(agreed, live []identity.Question) (found identity.DetachedList) {
	recognized := identity.Replay([][]identity.Question{agreed}, live).WithCarriedIDs(live)
	recognized = r.memory.questions.WithCarriedIDs(recognized)
	for i, q := range live {
		if q.ID != "" || recognized[i].ID == "" {
			continue
		}
		d := identity.Detached{Position: i, Text: q.Text, OldID: recognized[i].ID, OldText: r.memory.questions.LastText(recognized[i].ID), IsCarried: true}
		if index := identity.IndexByID(agreed, d.OldID); index >= 0 {
			d.OldText = agreed[index].Text
		}
		d.IsPossible = d.OldText != "" && markup.Canonical(d.OldText) != markup.Canonical(d.Text)
		found = append(found, d)
	}
	return found
}

// rootID returns the ID of a question in all versions.
func (r reattachedResource) rootID(id string) string {
	root := cmp.Or(r.roots[id], r.agreed.Root(id))
	return cmp.Or(r.kept[root], root)
}

// withRootIDs returns a copy of the questions of PostHog or the state with their IDs in all versions.
func (r reattachedResource) withRootIDs(list []any) []any {
	return withIDs(withIDs(list, r.roots), r.kept)
}

// withOwnIDs returns a copy of the live questions without the IDs that belong to another one. A question that had another
// ID before gets it back.
func (r reattachedResource) withOwnIDs(live []any) []any {
	own := slices.Clone(live)
	questions := identity.NewQuestions(live)
	kept := r.memory.questions.WithOwnIDs(questions)
	carried := r.memory.questions.WithCarriedIDs(kept)
	for i, q := range questions {
		switch {
		case q.ID == kept[i].ID:
		case carried[i].ID == "":
			own[i] = withID(own[i], nil)
		default:
			own[i] = withID(own[i], carried[i].ID)
		}
	}
	return own
}

// findKeptIDs maps old IDs of detached answers to the new IDs that the configuration sets. The user decided that these
// questions are the same, or that the new question takes the place of the old one.
func (r reattachedResource) findKeptIDs(live []identity.Question) map[string]string {
	kept := map[string]string{}
	for _, d := range r.Detached {
		isOnly := !slices.ContainsFunc(r.Detached, func(other identity.Detached) bool { return other != d && (other.ID == d.ID || other.OldID == d.OldID) })
		isFree := identity.IndexByID(live, d.OldID) < 0 && !slices.Contains(r.literalIDs, d.OldID)
		if slices.Contains(r.literalIDs, d.ID) && !d.IsMoved && isOnly && isFree {
			kept[d.OldID] = d.ID
		}
	}
	return kept
}

// findRoots maps all other IDs of a question to the ID that has its answers.
func (r reattachedResource) findRoots(live, all []identity.Question) map[string]string {
	roots := map[string]string{}
	for _, q := range all {
		root := r.agreed.Root(q.ID)
		if isKept := r.kept[root] == q.ID; !isKept && root != q.ID && identity.IndexByID(live, root) < 0 {
			roots[q.ID] = root
		}
	}
	for _, d := range r.Detached.Certain() {
		if d.ID != "" && !d.Stays && !d.IsKept {
			roots[d.ID] = d.OldID
		}
	}
	return roots
}

// withoutPlannedIDs returns the configured questions without IDs that the plan may have added. The
// configuration certainly sets the remaining IDs.
func (r reattachedResource) withoutPlannedIDs(live, planned []identity.Question) []identity.Question {
	questions := slices.Clone(planned)
	for i, pair := range r.memory.questions.Match(live, identity.WithoutIDs(planned)) {
		if pair.ID == planned[i].ID && !slices.Contains(r.literalIDs, pair.ID) {
			questions[i].ID = ""
		}
	}
	return questions
}

// guessIDs returns the planned IDs of the configured questions that differ so much from the live ones that they are only
// possibly the same. The configuration must not set these IDs, because the plan would no longer report the questions.
func (r reattachedResource) guessIDs(live, planned []identity.Question) (ids []string) {
	for i, pair := range r.memory.questions.Match(live, r.withoutPlannedIDs(live, planned)) {
		isEdited := pair.Rule >= identity.SameText
		if isEdited && !pair.IsCertain && planned[i].ID != "" {
			ids = append(ids, planned[i].ID)
		}
	}
	return ids
}

// withQuestions returns a copy of a version with different questions, if the version has questions.
func withQuestions(arguments map[string]any, list []any) any {
	if _, ok := arguments[questionsName].([]any); !ok {
		return arguments
	}
	arguments = maps.Clone(arguments)
	arguments[questionsName] = list
	return arguments
}

// withIDs returns a copy of the questions with IDs replaced according to ids.
func withIDs(list []any, ids map[string]string) []any {
	renamed := slices.Clone(list)
	for i := range renamed {
		if id := ids[questionID(renamed[i])]; id != "" {
			renamed[i] = withID(renamed[i], id)
		}
	}
	return renamed
}

// withID returns a copy of a question with a different ID.
func withID(value, id any) any {
	question := maps.Clone(object(value))
	if question != nil {
		question["id"] = id
	}
	return question
}

// reportDetachedAnswers reports detached answers. literalIDs contains the IDs that the block set before this pull.
func (p *pull) reportDetachedAnswers(r Resource, literalIDs []string) {
	written := p.writtenIDs(r)
	isStated := func(id string) bool { return slices.Contains(literalIDs, id) || slices.Contains(written, id) }
	for _, d := range r.Detached {
		if d.IsPossible && d.ID != "" && slices.Contains(literalIDs, d.ID) {
			continue // the user chose the new ID
		}

		all := identity.DetachedList{d}
		if d.IsPossible && d.ID != "" { // one of them may need the ID of another
			all = r.Detached.Possible().Free()
		}
		repair := identity.Repair{Survey: r.Name, ID: r.ID, Flags: p.repairFlags}
		if slices.ContainsFunc(all, func(d identity.Detached) bool { return d.Before == nil }) {
			repair.IsUnlogged, repair.Flags = true, slices.Concat(p.repairFlags, []string{"--state", p.tree.dir})
			all = slices.DeleteFunc(slices.Clone(all), func(d identity.Detached) bool { return !r.memory.questions.Has(d.OldID) })
		}
		run := "run " + repair.Command(all)
		now, orRun := "; to restore it now, "+run, ", or "+run
		if repair.IsUnlogged && !r.memory.questions.Has(d.OldID) { // repair does not know the ID
			run, now, orRun = "set the old ID in the configuration", "", ""
		}
		next := "to restore the old ID, " + run
		switch {
		case d.IsTaken:
			next = "another question has the old ID; if it is the same question, set the old ID in the configuration"
		case d.IsPossible && d.IsCarried:
			next = "the next apply restores the old ID" + now
		case d.IsPossible && d.ID == "" && !isStated(d.OldID):
			next = "if it is the same question, " + run + "; if it is a new question, set a new ID for it"
		case d.IsPossible && d.ID != "":
			next = "if it is the same question, " + run + "; if it is a new question, set its id to the new ID"
		case isStated(d.ID):
			next = "the configuration sets the new ID, so the next apply keeps it; to restore the old ID, set the question's id to it" + orRun
		case d.Stays:
			next = "both IDs have answers: set the question's id to one of them" + orRun
		case d.IsKept:
			next = "ignore_changes hides the new ID from the configuration, so the next apply keeps it; to restore the old ID, " + run
		case isStated(d.OldID):
			next = "the configuration sets the old ID, so the next apply restores it" + now
		case slices.Contains(r.guessedIDs, d.OldID) && slices.Contains(r.planned, d.OldID):
			next = "the next apply restores the old ID for a question of the configuration that differs; if that is a different question, set a new ID for it" + now
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
