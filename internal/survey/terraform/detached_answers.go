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

// A save without question IDs assigns new IDs and detaches the answers. On each read, the provider
// detects such questions and asks PostHog which IDs have answers, because someone may have restored
// the old IDs, or new answers may have arrived.

// withAnswerCounts adds the number of answers under each ID to the history of questions whose ID
// was replaced. A count that PostHog does not report stays unknown.
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

// importHistory reads the previous IDs of an imported survey's questions from the activity log. It
// skips surveys that never ran, because they have no answers to detach. After many imports in one
// run, a warning suggests the command that checks all surveys.
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

// mostLooks is the number of imports per run that read the activity log.
const mostLooks = 50

// looksAtImports counts the imports in this run that read the activity log.
func (r *Resource) looksAtImports() int64 {
	counter, _ := r.Existing.LoadOrStore(importLooks{}, new(atomic.Int64))
	looks, _ := counter.(*atomic.Int64)
	return looks.Add(1)
}

// importLooks is the key of the counter in [framework.Data.Existing].
type importLooks struct{}

// inquiry asks PostHog about the IDs of a survey's questions.
type inquiry struct {
	surveys *client.Surveys
	counter *responses.Counter
	id      string
	// versions are the question lists in the activity log, newest first.
	versions []loggedVersion
	// answers maps the current question IDs to their numbers of answers. It is nil if they are
	// unknown.
	answers   map[string]int64
	isNone    bool // isNone means that the survey has no answers
	isCounted bool
}

// loggedVersion is a list of questions with the time of the save that wrote it.
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
		savedAt, _ := time.Parse(time.RFC3339, entry.At.ValueString()) // zero if the entry has no time
		a.versions = append(a.versions, loggedVersion{loggedQuestions(entry.After), savedAt}, loggedVersion{questions: loggedQuestions(entry.Before)})
	}
}

const (
	// activityTime limits the time for optional requests during a read.
	activityTime = 10 * time.Second
	// activityVersions is the number of activity log entries to search for versions.
	activityVersions = 100
)

func loggedQuestions(list types.String) []identity.Question {
	questions, _ := identity.ParseQuestions([]byte(list.ValueString()))
	return questions
}

// questions returns the versions in the log, oldest first.
func (a *inquiry) questions() [][]identity.Question {
	var all [][]identity.Question
	for _, version := range slices.Backward(a.versions) {
		all = append(all, version.questions)
	}
	return all
}

// first returns the index of the oldest version that contains an ID, or -1.
func (a *inquiry) first(id string) int {
	for v, version := range slices.Backward(a.versions) {
		if identity.IndexByID(version.questions, id) >= 0 {
			return v
		}
	}
	return -1
}

// verdict counts the answers of a question, and reports whether someone has already restored its
// ID.
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
		// PostHog does not count answers to every question. Count responses instead.
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

// farAway is late enough to include answers that arrive after the end of a survey.
var farAway = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)

// count reads the numbers of answers. Later calls do nothing.
func (a *inquiry) count(ctx context.Context) {
	if a.isCounted {
		return
	}
	a.isCounted = true
	a.answers, _ = a.surveys.AnswersBetween(ctx, a.id, time.Unix(0, 0), farAway)
	a.isNone = a.answers == nil && a.counter.Now(ctx, a.id).IsNone()
}

// findDetachedAnswers returns the questions whose answers are under a different ID, as far as the
// plan decides about them. It leaves out a question if the configuration contains its new ID,
// because the plan keeps that ID.
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

// acceptedDetachments returns the questions with detached answers whose new IDs are in the
// configuration, if its questions equal the state's. The user may have chosen these IDs, but the
// provider cannot tell them from ignore_changes: Terraform replaces ignored values by the state's.
func acceptedDetachments(past identity.History, config, prior survey.Questions) identity.DetachedList {
	if !config.Equal(prior) {
		return nil
	}
	return harmful(past.Detached(survey.Identities(prior.List())))
}

// harmful returns the questions that certainly have detached answers.
func harmful(list identity.DetachedList) identity.DetachedList {
	return slices.DeleteFunc(list.Certain(), identity.Detached.IsHarmless)
}

const (
	detachedTitle = "Detached answers"
	detachedCause = "The survey was saved in PostHog without question IDs. PostHog replaced them, and the answers so far are under the old IDs:\n"
)

// warnOfAcceptedIDs lists the detached answers that a plan leaves unchanged, because the
// configuration contains the new IDs or ignores them.
func warnOfAcceptedIDs(accepted identity.DetachedList, name types.String, diags *diag.Diagnostics) {
	if len(accepted) == 0 {
		return
	}
	diags.AddWarning(survey.TitleOf(detachedTitle, name), detachedCause+accepted.Lines()+
		"\nThe configuration has the new IDs, or ignore_changes = [questions] hides the replacement. So the apply keeps them, and the next write of the survey ends this warning. "+
		"To restore the old IDs, run:\n"+accepted.RepairCommand(name.ValueString(), isUncounted(accepted)))
}

// warnOfImport lists the detached answers of an imported survey.
func warnOfImport(list identity.DetachedList, name types.String, diags *diag.Diagnostics) {
	detached := harmful(list)
	if len(detached) == 0 {
		return
	}
	diags.AddWarning(survey.TitleOf(detachedTitle, name), detachedCause+detached.Lines()+
		"\nThe next plan shows how an apply handles them. To restore the old IDs without an apply, run:\n"+
		detached.RepairCommand(name.ValueString(), isUncounted(detached)))
}

// warnOfDetachedAnswers lists the questions with detached answers, and explains what the plan does
// about them.
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

// isUncounted reports whether PostHog cannot count the answers because it has no activity log. The
// repair command then needs the Terraform state.
func isUncounted(list identity.DetachedList) bool {
	return slices.ContainsFunc(list, func(d identity.Detached) bool { return d.Before == nil })
}
