package terraform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// A save that leaves out the ids of questions gives them new ones, and cuts off their answers.
// A read recognizes such questions, and asks the service under which ids the answers are:
// somebody may have given the old ids back since, or new answers may have come in.

// judged is what is remembered of questions, with what the service says of those that have
// two ids. What it does not say stays unknown.
func (r *Resource) judged(ctx context.Context, past survey.QuestionHistory, f survey.Fields) survey.QuestionHistory {
	known := past.Known(f.Questions.List())
	if len(known) == 0 {
		return past
	}

	ctx, cancel := context.WithTimeout(ctx, activityTime)
	defer cancel()
	asked := cutInquiry{surveys: r.surveys(f), counter: counterOf(r.Data, f.ProjectID.ValueString()), id: f.ID.ValueString()}
	asked.readLists(ctx)
	for _, c := range known {
		if facts, isReturn := asked.verdict(ctx, c); isReturn {
			past = past.Returned(c.Live)
		} else {
			past = past.Judged(c.Live, facts)
		}
	}
	return past
}

// cutInquiry asks the service about the ids of the questions of a survey.
type cutInquiry struct {
	surveys *client.Surveys
	counter *responses.Counter
	id      string
	// lists are the lists of ids of the activity log, newest first.
	lists []loggedIDs
	// answers are the numbers of answers by the ids that the questions have now; nil while they
	// are not known.
	answers   map[string]int64
	isNone    bool // there are no answers at all
	isCounted bool
}

// loggedIDs are the ids of a list of questions, and when a save made the list.
type loggedIDs struct {
	ids []string
	at  time.Time
}

func (a *cutInquiry) readLists(ctx context.Context) {
	body, err := a.surveys.Activity(ctx, a.id, activityLists)
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
		at, _ := time.Parse(time.RFC3339, entry.At.ValueString()) // zero for none
		a.lists = append(a.lists, loggedIDs{idsOf(entry.After), at}, loggedIDs{ids: idsOf(entry.Before)})
	}
}

const (
	// activityTime bounds the requests that a read can do without.
	activityTime = 10 * time.Second
	// activityLists is the number of entries of the activity log that are searched for lists.
	activityLists = 100
)

func idsOf(list types.String) []string {
	var questions []struct {
		ID string `json:"id"`
	}
	if json.Unmarshal([]byte(list.ValueString()), &questions) != nil {
		return nil
	}
	ids := make([]string, len(questions))
	for i, q := range questions {
		ids[i] = q.ID
	}
	return ids
}

// first is the place of the oldest list that has an id; -1 for none.
func (a *cutInquiry) first(id string) int {
	for k, list := range slices.Backward(a.lists) {
		if slices.Contains(list.ids, id) {
			return k
		}
	}
	return -1
}

// verdict is what the service says of a question, and whether somebody has given it back the id
// that it has.
func (a *cutInquiry) verdict(ctx context.Context, c survey.CutQuestion) (facts survey.CutFacts, isReturn bool) {
	live, old := a.first(c.Live), a.first(c.Old)
	if old >= 0 && live > old {
		return facts, true
	}

	a.count(ctx)
	switch since, ok := a.answers[c.Live]; {
	case a.isNone:
		return survey.CutFacts{Before: new(int64), Since: new(int64)}, false
	case ok:
		facts.Since = &since
	}
	if live >= 0 && !a.lists[live].at.IsZero() {
		at := a.lists[live].at
		if sent, ok, err := a.surveys.SentBetween(ctx, a.id, time.Unix(0, 0), at); err == nil && ok {
			facts.Before = &sent
		}
		// The service does not tell the answers to every question, but the responses since.
		if facts.Since == nil {
			if sent, ok, err := a.surveys.SentBetween(ctx, a.id, at, farAway); err == nil && ok {
				facts.Since = &sent
			}
		}
	}

	hasSince := facts.Since != nil && *facts.Since > 0
	hasNoneBefore := facts.Before != nil && *facts.Before == 0
	facts.Stays = hasSince && !hasNoneBefore
	return facts, hasSince && hasNoneBefore
}

// farAway is so late that answers after the end of a survey count.
var farAway = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)

// count reads the numbers of answers once.
func (a *cutInquiry) count(ctx context.Context) {
	if a.isCounted {
		return
	}
	a.isCounted = true
	a.answers, _ = a.surveys.AnswersBetween(ctx, a.id, time.Unix(0, 0), farAway)
	a.isNone = a.answers == nil && a.counter.Now(ctx, a.id).IsNone()
}

// warnOfCuts says which questions of a survey lost their answers, and what the plan does.
func warnOfCuts(cut []survey.CutQuestion, pairs survey.QuestionPairs, prior survey.Fields, diags *diag.Diagnostics) {
	var back, stay, likely []survey.CutQuestion
	for _, c := range cut {
		i := pairs.PlannedIndex(c.Place)
		switch {
		case i < 0 || !survey.IsOmittedID(pairs.After[i].ID) && pairs.After[i].ID.ValueString() == c.Live:
			// The code says what becomes of it.
		case c.IsLikely:
			likely = append(likely, c)
		case c.Stays:
			stay = append(stay, c)
		default:
			back = append(back, c)
		}
	}

	for i, from := range pairs.Origins { // the service may leave a question without any id
		if from.Prior >= 0 && pairs.Before[from.Prior].ID.IsNull() && !survey.IsOmittedID(from.ID) && survey.IsOmittedID(pairs.After[i].ID) {
			asked := pairs.Before[from.Prior].Question.ValueString()
			back = append(back, survey.CutQuestion{Place: from.Prior, Text: asked, Old: from.ID.ValueString()})
		}
	}

	name := prior.Name.ValueString()
	const cause = "Somebody saved the survey without ids of questions, so the service gave new ids, and the answers before are under the old ones:\n"
	var details []string
	if len(back) > 0 {
		details = append(details, cause+linesOf(back)+"\nThis plan gives the old ids back, and the answers with them. Those under the new ids lose their question then. "+
			"To keep the new id of a question instead, set its id to that. To give the old ids back without an apply: "+survey.GiveBackCommand(name, back...))
	}
	if len(stay) > 0 {
		details = append(details, cause+linesOf(stay)+"\nAnswers came in under both ids, so this plan leaves the new ones. Decide which ones count: set the id of a question to one of the two, "+
			"or give the old ids back: "+survey.GiveBackCommand(name, stay...)+"\nAn apply that changes the survey keeps the new ids from then on.")
	}
	if len(likely) > 0 {
		details = append(details, "These questions are like others that are gone. If they are the same, their answers before are under the old ids:\n"+linesOf(likely)+
			"\nThis plan leaves their ids. To give the old ids back: "+survey.GiveBackCommand(name, likely...))
	}
	if len(details) > 0 {
		diags.AddWarning(survey.TitleOf("Answers cut off", prior.Name), strings.Join(details, "\n\n"))
	}
}

func linesOf(cut []survey.CutQuestion) string {
	lines := make([]string, len(cut))
	for i, c := range cut {
		lines[i] = "  " + c.String()
	}
	return strings.Join(lines, "\n")
}
