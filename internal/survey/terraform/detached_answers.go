package terraform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/markup"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// A save without question IDs assigns new IDs and detaches the answers. On each read, the provider
// detects such questions and asks PostHog which IDs have answers, because someone may have restored
// the old IDs, or new answers may have arrived.

// withLog adds the activity log's information about detached answers: the IDs that the questions had, and the number of
// answers under each. It asks only if some answers are or may be detached, or if a survey that has run has other questions
// than before the read. Counts that PostHog does not report stay unknown.
func (r *Resource) withLog(ctx context.Context, before, history identity.History, f survey.Fields) identity.History {
	live := survey.Identities(f.Questions.List())
	mayHide := !f.StartDate.IsNull() && history.MayHideReplaced(before, live)
	if !mayHide && len(history.Detached(live)) == 0 {
		return history
	}

	ctx, cancel := context.WithTimeout(ctx, activityTime)
	defer cancel()
	log := r.readLog(ctx, f)
	all := log.detached(ctx).Certain()
	logged := slices.DeleteFunc(slices.Clone(all), func(d identity.Detached) bool {
		// If only one of two equal questions remains after a save replaced both IDs, and the state never had the other one,
		// the one in the state remains.
		root := history.Root(d.ID)
		return root != d.ID && !history.Has(d.OldID) && !log.timeline.IsAsked(root) && log.timeline.LostTogether(root, d.OldID)
	})
	for _, d := range logged {
		history = history.WithReplaced(d, log.timeline.IDs(d.Position))
	}
	for _, d := range history.Detached(live) {
		if slices.ContainsFunc(logged, func(l identity.Detached) bool { return l.ID == d.ID }) {
			continue
		}
		relation := log.timeline.Relation(d.ID, d.OldID)
		history = history.WithLogged(d, relation)
		if !d.IsPossible && relation == "" {
			history = log.settle(ctx, history, d)
		}
	}
	return history
}

// surveyLog is what PostHog knows about the past of a survey's questions.
type surveyLog struct {
	timeline *past.Timeline
	counter  past.Counter
	// versions are the question lists in the log, oldest first.
	versions [][]identity.Question
}

// readLog reads the newest part of the activity log. If it cannot be read, only the current
// questions are known.
func (r *Resource) readLog(ctx context.Context, f survey.Fields) surveyLog {
	surveys, id := r.surveys(f), f.ID.ValueString()
	feed, _ := past.ReadFeed(ctx, func(ctx context.Context, page, _ int64) (json.RawMessage, error) {
		if page > 1 {
			return nil, errOlderPages
		}
		return surveys.Activity(ctx, id, activityVersions)
	})
	start, _ := time.Parse(time.RFC3339, f.StartDate.ValueString()) // zero for none
	return surveyLog{
		timeline: past.Follow(past.FromIdentities(survey.Identities(f.Questions.List())), feed),
		counter:  &past.ServiceCounter{Surveys: surveys, SurveyID: id, Start: start, FirstLaunch: feed.FirstLaunch(start)},
		versions: feed.Versions(),
	}
}

// errOlderPages makes the reading of an activity log end after its newest part.
var errOlderPages = errors.New("older entries are not read during a plan")

// detached lists the questions with detached answers. A question keeps its current ID only if that ID is known to have
// answers. Otherwise, no decision is needed, because the plan shows which IDs it restores.
func (l surveyLog) detached(ctx context.Context) identity.DetachedList {
	list := l.timeline.Detached(ctx, l.counter)
	for i, d := range list {
		list[i].Stays = d.Since != nil && *d.Since > 0
	}
	return list
}

// settle adds the counts for a question whose old ID the log does not contain. It forgets the
// replacement if someone has restored the ID, or if all answers are under the current ID.
func (l surveyLog) settle(ctx context.Context, history identity.History, d identity.Detached) identity.History {
	counts := l.timeline.Counts(ctx, l.counter, d)
	hasNoneBefore := counts.Before != nil && *counts.Before == 0
	counts.Stays = counts.Since != nil && *counts.Since > 0
	if l.timeline.IsRestored(d.ID) || counts.Stays && hasNoneBefore {
		return history.AfterReturn(d.ID)
	}
	return history.WithCounts(d.ID, counts)
}

// importHistory reads the previous IDs of an imported survey's questions from the activity log. It
// skips surveys without responses, because they have no answers to detach. After many imports in one
// run, a warning suggests the command that checks all surveys.
func (r *Resource) importHistory(ctx context.Context, history identity.History, f survey.Fields, diags *diag.Diagnostics) identity.History {
	looks := r.looksAtImports()
	isOver := looks.Load() > mostLooks
	if f.Questions.IsEmpty() || isOver || !responseCounter(r.Data, f.ProjectID.ValueString()).Of(ctx, f.ID.ValueString()).MayBeSome(f.StartDate.IsNull()) {
		return history
	}
	if look := looks.Add(1); look > mostLooks {
		if look == mostLooks+1 {
			diags.AddWarning("Detached answers are not looked for in all imports",
				fmt.Sprintf("More than %d surveys are imported. Whether the others have detached answers is not known. To list all surveys with detached answers, run:\n  posthog-sync repair --dry-run", mostLooks))
		}
		return history
	}

	ctx, cancel := context.WithTimeout(ctx, activityTime)
	defer cancel()
	live := survey.Identities(f.Questions.List())
	log := r.readLog(ctx, f)
	if logged := identity.Replay(log.versions, live); len(logged.Detached(live))+len(log.detached(ctx)) > 0 {
		history = logged.AfterImport()
	}
	return history
}

// mostLooks is the number of imports per run that read the activity log.
const mostLooks = 50

// looksAtImports returns the number of imports in this run that read the activity log.
func (r *Resource) looksAtImports() *atomic.Int64 {
	counter, _ := r.Existing.LoadOrStore(importLooks{}, new(atomic.Int64))
	return counter.(*atomic.Int64) //nolint:forcetypeassert // the key is of this file alone
}

// importLooks is the key of the counter in [framework.Data.Existing].
type importLooks struct{}

const (
	// activityTime limits the time for optional requests during a read.
	activityTime = 10 * time.Second
	// activityVersions is the number of activity log entries to search for versions.
	activityVersions = 100
)

// findDetachedAnswers returns the questions whose answers are under a different ID, as far as the
// plan decides about them. If the configuration contains the new ID, the plan keeps it. The user may
// have chosen it, but ignore_changes has the same effect, because Terraform replaces ignored values
// with the state's.
func findDetachedAnswers(history identity.History, pairs survey.QuestionPairs) (all identity.DetachedList) {
	isListed := map[int]bool{}
	for _, d := range pairs.Detached {
		i := pairs.PlannedIndex(d.Position)
		isKept := i >= 0 && d.ID != "" && pairs.After[i].ID.ValueString() == d.ID
		isRestored := d.ID != "" && slices.ContainsFunc(pairs.After, func(q survey.Question) bool { return q.ID.ValueString() == d.OldID })
		isDecided := d.IsPossible && (isKept || isRestored || d.ID == "" && setsID(pairs, d))
		switch isRemoved := i < 0 && !d.IsPossible; {
		case d.IsHarmless() || isRemoved || isDecided:
		default:
			d.IsCarried = d.HasSharedID && i >= 0 && pairs.Pairs[i].ID == d.OldID
			d.IsKept = isKept
			d.IsStated = i >= 0 && pairs.After[i].ID.ValueString() == d.OldID
			all = append(all, d)
			isListed[d.Position] = true
		}
	}

	for i, pair := range pairs.Pairs {
		isWithoutID := pair.Index >= 0 && pairs.Before[pair.Index].ID.IsNull() && pair.ID != "" && survey.IsOmittedID(pairs.After[i].ID)
		if isWithoutID && !isListed[pair.Index] {
			text, oldText := pairs.Before[pair.Index].Question.ValueString(), history.LastText(pair.ID)
			isReworded := oldText != "" && markup.Canonical(oldText) != markup.Canonical(text)
			all = append(all, identity.Detached{Position: pair.Index, Text: text, OldID: pair.ID, OldText: oldText, IsPossible: isReworded, IsCarried: true})
		}
	}
	return all
}

// setsID reports whether the configuration sets an ID for a question that has none in PostHog.
func setsID(pairs survey.QuestionPairs, d identity.Detached) bool {
	if i := pairs.PlannedIndex(d.Position); i >= 0 {
		return !survey.IsOmittedID(pairs.After[i].ID)
	}
	for i, q := range pairs.After { // its ID makes it a new question
		if pairs.PriorIndex(i) < 0 && q.Question.ValueString() == d.Text && !survey.IsOmittedID(q.ID) {
			return true
		}
	}
	return false
}

const (
	detachedTitle = "Detached answers"
	detachedCause = "The survey was saved in PostHog without question IDs. PostHog replaced them, and the answers so far are under the old IDs:\n"
)

// warnOfImport lists an imported survey's detached answers, as the plan does for a configuration that
// sets no question IDs. If the same run plans the survey, its plan does not repeat the warning.
func (r *Resource) warnOfImport(history identity.History, imported survey.Fields, diags *diag.Diagnostics) {
	config := slices.Clone(imported.Questions.List())
	for i := range config {
		config[i].ID = types.StringNull()
	}
	questions := survey.NewQuestions(config)
	pairs := survey.PairQuestions(questions, questions, imported.Questions, history)
	if detail := describeDetachedAnswers(findDetachedAnswers(history, pairs), imported); detail != "" {
		r.Existing.Store(importWarning(imported, detail), true)
		diags.AddWarning(survey.WarningTitle(detachedTitle, imported.Name), detail)
	}
}

// warned is the key for an import's warning in [framework.Data.Existing].
type warned struct{ project, id, detail string }

func importWarning(f survey.Fields, detail string) warned {
	return warned{f.ProjectID.ValueString(), f.ID.ValueString(), detail}
}

// warnOfDetachedAnswers lists the questions with detached answers, and explains what the plan does
// about them.
func (r *Resource) warnOfDetachedAnswers(list identity.DetachedList, prior survey.Fields, diags *diag.Diagnostics) {
	detail := describeDetachedAnswers(list, prior)
	if r.Data != nil {
		if _, isReported := r.Existing.LoadAndDelete(importWarning(prior, detail)); isReported {
			return
		}
	}
	if detail != "" {
		diags.AddWarning(survey.WarningTitle(detachedTitle, prior.Name), detail)
	}
}

// describeDetachedAnswers returns the text of the warning, or an empty one.
func describeDetachedAnswers(list identity.DetachedList, prior survey.Fields) string {
	var restored, stay, kept, unexplained identity.DetachedList
	for _, d := range list.Certain() {
		switch {
		case d.IsKept && d.Before == nil && d.Since == nil:
			unexplained = append(unexplained, d)
		case d.IsKept:
			kept = append(kept, d)
		case d.Stays && !d.IsStated:
			stay = append(stay, d)
		default:
			restored = append(restored, d)
		}
	}

	var details []string
	if len(restored) > 0 {
		details = append(details, detachedCause+restored.Lines()+"\nThe apply restores the old IDs, which reattaches the answers. Answers under the new IDs are detached then. "+
			"With -replace, it creates another survey instead, without any answers.\n"+
			"To restore the old IDs without an apply, run:\n"+repairCommand(restored, prior))
	}
	if len(stay) > 0 {
		details = append(details, detachedCause+stay.Lines()+"\nAnswers came in under both IDs, so the apply keeps the new IDs. To restore the old ones, run:\n"+repairCommand(stay, prior)+
			"\nTo keep the new ones, set the id of each question to its new ID. This warning ends with the next apply that changes the survey.")
	}
	if len(kept) > 0 {
		details = append(details, detachedCause+kept.Lines()+
			"\nThe configuration has the new IDs, or ignore_changes = [questions] hides the replacement. So the apply keeps them, and this warning ends with the next apply that changes the survey. "+
			"To restore the old IDs, run:\n"+repairCommand(kept, prior))
	}
	if len(unexplained) > 0 {
		details = append(details, "The IDs of these questions changed after the last apply, and PostHog does not report which IDs have the answers:\n"+unexplained.Lines()+
			"\nThe configuration has the new IDs, or ignore_changes = [questions] hides the change. So the apply keeps them, and this warning ends with the next apply that changes the survey. "+
			"If you did not restore these IDs, for example with posthog-sync repair, run:\n"+repairCommand(unexplained, prior))
	}

	var possible, leftOut, carried, shared identity.DetachedList
	for _, d := range list.Possible() {
		switch {
		case d.IsCarried && d.ID != "":
			shared = append(shared, d)
		case d.IsCarried:
			carried = append(carried, d)
		case d.ID == "":
			leftOut = append(leftOut, d)
		default:
			possible = append(possible, d)
		}
	}
	if len(carried) > 0 {
		details = append(details, "These questions have no IDs, and their texts have changed. Each may be the question that was asked before:\n"+carried.Lines()+
			"\nThe apply restores the old IDs. If a question is a different one, set a new ID for it, such as a new UUID.")
	}
	if len(shared) > 0 {
		details = append(details, "These questions have the ID of another question. Each may be one that was asked before:\n"+shared.Lines()+
			"\nThe apply restores the old IDs. If a question is a different one, set a new ID for it, such as a new UUID.")
	}
	if len(leftOut) > 0 {
		details = append(details, "These questions have no IDs. Each may be one that was asked before:\n"+leftOut.Lines()+
			"\nIf it is, restore its old ID, which has its answers:\n"+repairCommand(leftOut, prior)+
			"\nOtherwise, set a new ID for it, such as a new UUID.")
	}
	if free := possible.Free(); len(free) > 0 {
		details = append(details, "The IDs of these questions changed. Each may be a question that was asked before, whose answers are under another ID:\n"+free.Lines()+
			"\nIf a question is the same, restore its old ID:\n"+repairCommand(free, prior)+
			"\nIf it is a new one, set its id to the new ID.")
	}
	if taken := possible.Taken(); len(taken) > 0 {
		details = append(details, "These questions have the IDs of other questions. Each may be a question that was asked before, whose answers are under another ID:\n"+taken.Lines()+
			"\nIf the questions are the same, set the old ID of each one in the configuration. The next apply then moves the IDs back.")
	}
	return strings.Join(details, "\n\n")
}

// repairCommand returns the command that restores a survey's old IDs, on a separate line. If PostHog cannot count the
// answers because it has no activity log, the command needs the Terraform state.
func repairCommand(list identity.DetachedList, prior survey.Fields) string {
	repair := identity.Repair{Survey: prior.Name.ValueString(), ID: prior.ID.ValueString()}
	if slices.ContainsFunc(list, func(d identity.Detached) bool { return d.Before == nil }) {
		repair.IsUnlogged, repair.Flags = true, []string{"--state", "."}
	}
	return "  " + repair.Command(list)
}
