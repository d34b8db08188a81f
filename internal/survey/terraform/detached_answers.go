package terraform

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// A save that leaves out the IDs of questions gives them new ones, and detaches their answers.
// A read detects such questions, and asks PostHog under which IDs the answers are: someone may
// have restored the old IDs since, or new answers may have come in.

// withAnswerCounts is what is remembered of questions, with what PostHog says of those that have two IDs.
// What it does not say stays unknown.
func (r *Resource) withAnswerCounts(ctx context.Context, past identity.History, f survey.Fields) identity.History {
	detached := past.Detached(survey.Identities(f.Questions.List())).Certain()
	if len(detached) == 0 {
		return past
	}

	ctx, cancel := context.WithTimeout(ctx, activityTime)
	defer cancel()
	inquiry := r.inquiry(ctx, f)
	for _, d := range detached {
		if counts, isReturn := inquiry.verdict(ctx, d); isReturn {
			past = past.AfterReturn(d.ID)
		} else {
			past = past.WithCounts(d.ID, counts)
		}
	}
	return past
}

func (r *Resource) inquiry(ctx context.Context, f survey.Fields) *inquiry {
	a := &inquiry{surveys: r.surveys(f), counter: responseCounter(r.Data, f.ProjectID.ValueString()), id: f.ID.ValueString()}
	a.readVersions(ctx)
	return a
}

// importHistory is what the activity log shows of the questions of a survey that is imported: which of
// them had other IDs. A survey that never ran has no answers that could be detached. After many
// imports in one run a warning names the command that looks at all surveys.
func (r *Resource) importHistory(ctx context.Context, past identity.History, f survey.Fields, diags *diag.Diagnostics) identity.History {
	if f.StartDate.IsNull() || f.Questions.IsEmpty() {
		return past
	}

	looks := r.looksAtImports()
	if looks > mostLooks {
		if looks == mostLooks+1 {
			diags.AddWarning("Detached answers are not looked for in all imports",
				fmt.Sprintf("More than %d surveys are imported. Whether the others have detached answers is not known. To list all surveys with detached answers, run:\n  posthog-sync repair --dry-run", mostLooks))
		}
		return past
	}
	if responseCounter(r.Data, f.ProjectID.ValueString()).Of(ctx, f.ID.ValueString()).IsNone() {
		return past
	}

	ctx, cancel := context.WithTimeout(ctx, activityTime)
	defer cancel()
	live := survey.Identities(f.Questions.List())
	if logged := identity.Replay(r.inquiry(ctx, f).questions(), live); len(logged.Detached(live)) > 0 {
		return logged
	}
	return past
}

// mostLooks is how many imports of one run look at the activity log.
const mostLooks = 50

// looksAtImports counts the looks of this run.
func (r *Resource) looksAtImports() int64 {
	counter, _ := r.Existing.LoadOrStore(importLooks{}, new(atomic.Int64))
	looks, _ := counter.(*atomic.Int64)
	return looks.Add(1)
}

// importLooks is the key of the number of looks.
type importLooks struct{}

// inquiry asks PostHog about the IDs of the questions of a survey.
type inquiry struct {
	surveys *client.Surveys
	counter *responses.Counter
	id      string
	// versions are those of the activity log, newest first.
	versions []loggedVersion
	// answers are the numbers of answers by the IDs that the questions have now; nil while they
	// are not known.
	answers   map[string]int64
	isNone    bool // there are no answers at all
	isCounted bool
}

// loggedVersion is a list of questions, and when a save made it.
type loggedVersion struct {
	questions []identity.Question
	at        time.Time
}

func (a *inquiry) readVersions(ctx context.Context) {
	body, err := a.surveys.Activity(ctx, a.id, activityVersions)
	if err != nil {
		return
	}
	entries, err := framework.ActivityEntries(body)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if entry.Field.ValueString() != "questions" {
			continue
		}
		savedAt, _ := time.Parse(time.RFC3339, entry.At.ValueString()) // zero for none
		a.versions = append(a.versions, loggedVersion{loggedQuestions(entry.After), savedAt}, loggedVersion{questions: loggedQuestions(entry.Before)})
	}
}

const (
	// activityTime bounds the requests that a read can do without.
	activityTime = 10 * time.Second
	// activityVersions is the number of entries of the activity log that are searched for versions.
	activityVersions = 100
)

func loggedQuestions(list types.String) []identity.Question {
	questions, _ := identity.ParseQuestions([]byte(list.ValueString()))
	return questions
}

// questions are the versions of the log, oldest first.
func (a *inquiry) questions() [][]identity.Question {
	var all [][]identity.Question
	for _, version := range slices.Backward(a.versions) {
		all = append(all, version.questions)
	}
	return all
}

// first is the index of the oldest version that has an ID; -1 for none.
func (a *inquiry) first(id string) int {
	for v, version := range slices.Backward(a.versions) {
		if identity.IndexByID(version.questions, id) >= 0 {
			return v
		}
	}
	return -1
}

// verdict is what PostHog says of a question, and whether someone has restored the ID that it has.
func (a *inquiry) verdict(ctx context.Context, d identity.Detached) (counts identity.Counts, isReturn bool) {
	live, old := a.first(d.ID), a.first(d.OldID)
	if old >= 0 && live > old {
		return counts, true
	}

	a.count(ctx)
	switch since, ok := a.answers[d.ID]; {
	case a.isNone:
		return identity.Counts{Before: new(int64), Since: new(int64)}, false
	case ok:
		counts.Since = &since
	}
	if live >= 0 && !a.versions[live].at.IsZero() {
		savedAt := a.versions[live].at
		if count, ok, err := a.surveys.ResponseCountBetween(ctx, a.id, time.Unix(0, 0), savedAt); err == nil && ok {
			counts.Before = &count
		}
		// PostHog does not count the answers to every question, but the responses since.
		if counts.Since == nil {
			if count, ok, err := a.surveys.ResponseCountBetween(ctx, a.id, savedAt, farAway); err == nil && ok {
				counts.Since = &count
			}
		}
	}

	hasSince := counts.Since != nil && *counts.Since > 0
	hasNoneBefore := counts.Before != nil && *counts.Before == 0
	counts.Stays = hasSince && !hasNoneBefore
	return counts, hasSince && hasNoneBefore
}

// farAway is so late that answers after the end of a survey count.
var farAway = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)

// count reads the numbers of answers once.
func (a *inquiry) count(ctx context.Context) {
	if a.isCounted {
		return
	}
	a.isCounted = true
	a.answers, _ = a.surveys.AnswersBetween(ctx, a.id, time.Unix(0, 0), farAway)
	a.isNone = a.answers == nil && a.counter.Now(ctx, a.id).IsNone()
}

// findDetachedAnswers are the questions that PostHog holds under another ID than the one with their
// answers, as far as the plan decides about them: one whose ID the configuration states is kept.
func findDetachedAnswers(past identity.History, pairs survey.QuestionPairs) identity.DetachedList {
	var all identity.DetachedList
	isListed := map[int]bool{}
	for _, d := range past.Detached(survey.Identities(pairs.Before)) {
		i := pairs.PlannedIndex(d.Position)
		isKept := i >= 0 && pairs.After[i].ID.ValueString() == d.ID
		if isDecided := isKept || i < 0 && !d.IsPossible; !isDecided && !d.IsHarmless() {
			d.IsStated = i >= 0 && pairs.After[i].ID.ValueString() == d.OldID
			all = append(all, d)
			isListed[d.Position] = true
		}
	}

	for i, pair := range pairs.Pairs {
		isWithoutID := pair.Index >= 0 && pairs.Before[pair.Index].ID.IsNull() && pair.ID != "" && survey.IsOmittedID(pairs.After[i].ID)
		if isWithoutID && !isListed[pair.Index] {
			text := pairs.Before[pair.Index].Question.ValueString()
			all = append(all, identity.Detached{Position: pair.Index, Text: text, OldID: pair.ID, OldText: past.LastText(pair.ID)})
		}
	}
	for _, d := range past.FindRestored(survey.Identities(pairs.Before), survey.Identities(pairs.After)) {
		if !isListed[d.Position] {
			all = append(all, d)
		}
	}
	return all
}

// acceptedDetachments are the questions with detached answers whose new IDs the configuration states, if it has
// all questions as the state has them. That may be a decision, but ignore_changes looks the same to
// the provider: Terraform puts the state in place of what is ignored.
func acceptedDetachments(past identity.History, config, prior survey.Questions) identity.DetachedList {
	if !config.Equal(prior) {
		return nil
	}
	return harmful(past.Detached(survey.Identities(prior.List())))
}

// harmful are the questions of a list that certainly have detached answers.
func harmful(list identity.DetachedList) identity.DetachedList {
	return slices.DeleteFunc(list.Certain(), identity.Detached.IsHarmless)
}

const (
	detachedTitle = "Detached answers"
	detachedCause = "The survey was saved in PostHog without question IDs. PostHog replaced them, and the answers so far are under the old IDs:\n"
)

// warnOfAcceptedIDs shows which detached answers a plan leaves as they are, since the configuration has
// the new IDs or ignores them.
func warnOfAcceptedIDs(accepted identity.DetachedList, name types.String, diags *diag.Diagnostics) {
	if len(accepted) == 0 {
		return
	}
	diags.AddWarning(survey.TitleOf(detachedTitle, name), detachedCause+accepted.Lines()+
		"\nThe configuration has the new IDs, or ignore_changes = [questions] hides the replacement. So the apply keeps them, and the next write of the survey ends this warning. "+
		"To restore the old IDs, run:\n"+accepted.RepairCommand(name.ValueString(), isUncounted(accepted)))
}

// warnOfImport shows which detached answers an imported survey has.
func warnOfImport(list identity.DetachedList, name types.String, diags *diag.Diagnostics) {
	detached := harmful(list)
	if len(detached) == 0 {
		return
	}
	diags.AddWarning(survey.TitleOf(detachedTitle, name), detachedCause+detached.Lines()+
		"\nThe next plan shows what an apply does about them. To restore the old IDs without an apply, run:\n"+
		detached.RepairCommand(name.ValueString(), isUncounted(detached)))
}

// warnOfDetachedAnswers shows which questions of a survey have detached answers, and what the plan does.
func warnOfDetachedAnswers(list identity.DetachedList, prior survey.Fields, diags *diag.Diagnostics) {
	name := prior.Name.ValueString()
	var restored, stay identity.DetachedList
	for _, d := range list.Certain() {
		if d.Stays && !d.IsStated {
			stay = append(stay, d)
		} else {
			restored = append(restored, d)
		}
	}

	var details []string
	if len(restored) > 0 {
		details = append(details, detachedCause+restored.Lines()+"\nThe apply restores the old IDs, which reattaches the answers. Answers under the new IDs are detached then. "+
			"With -replace, it creates another survey instead, without any answers.\n"+
			"To restore the old IDs without an apply, run:\n"+restored.RepairCommand(name, isUncounted(restored)))
	}
	if len(stay) > 0 {
		details = append(details, detachedCause+stay.Lines()+"\nAnswers came in under both IDs, so the apply keeps the new IDs. To restore the old ones, run:\n"+stay.RepairCommand(name, isUncounted(stay))+
			"\nTo keep the new ones, set the id of each question to its new ID. An apply that changes the questions keeps the new IDs from then on.")
	}
	if possible := list.Possible(); len(possible) > 0 {
		details = append(details, "These questions have new IDs. Each may be a question that was asked before, whose answers are under another ID:\n"+possible.Lines()+
			"\nIf a question is the same, restore its old ID:\n"+possible.RepairCommand(name, isUncounted(possible))+
			"\nIf it is a new one, set its id to the new ID.")
	}
	if len(details) > 0 {
		diags.AddWarning(survey.TitleOf(detachedTitle, prior.Name), strings.Join(details, "\n\n"))
	}
}

// isUncounted reports whether PostHog has no activity log by which answers are counted: repair
// then needs the state.
func isUncounted(list identity.DetachedList) bool {
	return slices.ContainsFunc(list, func(d identity.Detached) bool { return d.Before == nil })
}
