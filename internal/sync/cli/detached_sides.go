package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// comparedAnswers finds the detached answers of the surveys of a live source that is compared with
// another one: by the question IDs that the other one states, and by the activity log.
type comparedAnswers struct {
	program *program
	// live is the source that is asked, environment what it names, and other the other source.
	live        *live
	environment string
	other       source.Source
	// isReversed is set if the live source is A.
	isReversed bool
	log        *answerLog
	// found are the questions that the log shows, by the IDs of surveys that were looked up without a sign
	// of anything wrong.
	found map[string]identity.DetachedList
	logs  map[string]loggedSurvey
}

// compareAnswers asks the live source of two; B if both are. It returns nil if none is.
func (p *program) compareAnswers(a, b source.Source) (*comparedAnswers, error) {
	isReversed := b.Form != source.Live
	if isReversed {
		a, b = b, a
	}
	if b.Form != source.Live {
		return nil, nil //nolint:nilnil // nothing can be asked
	}
	e, err := p.sourceEnvironment(b.Argument)
	if err != nil || e.ProjectID == "" {
		return nil, err
	}
	service, err := p.live(e, p.selection().of(true, false))
	if err != nil {
		return nil, err
	}
	return &comparedAnswers{
		program: p, live: service, environment: b.Argument, other: a, isReversed: isReversed, log: service.answerLog(),
		found: map[string]identity.DetachedList{}, logs: map[string]loggedSurvey{},
	}, nil
}

// lookUp looks up the surveys of a YAML file that does not state the IDs of all questions: nothing
// else shows that PostHog replaced them. It sets the IDs that have the answers in written objects,
// which states them where the file states none.
func (c *comparedAnswers) lookUp(ctx context.Context, desired, current []source.Object) error {
	surveys := map[string]api.Survey{}
	for _, o := range current {
		if response := o.Whole().SurveyResponse; o.Kind == source.Survey && response != nil {
			surveys[strings.TrimSpace(o.Name)] = *response
		}
	}
	for i, o := range desired {
		survey, isLive := surveys[strings.TrimSpace(o.Name)]
		if o.Stated == nil || !isLive {
			continue
		}
		ids := statedIDs(o)
		if slices.Contains(ids, "") && c.log.isWorthALook(ctx, survey) {
			desired[i] = c.lookUpOne(ctx, o, survey, ids)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func (c *comparedAnswers) lookUpOne(ctx context.Context, desired source.Object, survey api.Survey, ids []string) source.Object {
	logged, ok := c.log.read(ctx, survey)
	if !ok {
		return desired
	}
	c.logs[*survey.ID] = logged
	list := slices.DeleteFunc(logged.detachedList(ctx).WithAnswers(), func(d identity.Detached) bool { return slices.Contains(ids, d.ID) })
	if len(list) == 0 {
		return desired
	}
	c.found[*survey.ID] = list
	return withOldIDs(desired, list)
}

// statedIDs are the IDs that a YAML file states for the questions of a survey; empty for none.
func statedIDs(o source.Object) []string {
	raws, _ := o.Stated.Survey.Questions.Get() // none for null
	questions, _ := past.ParseQuestionList(raws)
	ids := make([]string, len(questions))
	for i, q := range questions {
		ids[i] = q.ID
	}
	return ids
}

// withOldIDs is a survey whose questions have the IDs with the answers.
func withOldIDs(o source.Object, list identity.DetachedList) source.Object {
	questions, _ := o.Attributes["questions"].([]any)
	questions = slices.Clone(questions)
	for i, question := range questions {
		fields, _ := question.(map[string]any)
		for _, d := range list {
			if fields["id"] == d.ID {
				fields = maps.Clone(fields)
				fields["id"] = d.OldID
				questions[i] = fields
				break
			}
		}
	}
	o.Attributes = maps.Clone(o.Attributes)
	o.Attributes["questions"] = questions
	return o
}

// inObjects are the surveys with detached answers among those that differ.
func (c *comparedAnswers) inObjects(ctx context.Context, objects []reconcile.Object) ([]detachedSurvey, error) {
	surveys := []detachedSurvey{}
	for _, o := range objects {
		id := o.IDB
		if c.isReversed {
			id = o.IDA
		}
		if o.Kind != source.Survey || id == "" {
			continue
		}
		survey, err := c.of(ctx, id, o.Name, o.Attributes)
		if err != nil {
			return nil, err
		}
		if len(survey.list) > 0 {
			surveys = append(surveys, survey)
		}
	}
	return surveys, nil
}

// of are the questions of a survey with detached answers: those that the log shows, and those for which
// the other source states another ID.
func (c *comparedAnswers) of(ctx context.Context, id, name string, attributes []reconcile.Attribute) (detachedSurvey, error) {
	list := c.found[id]
	replaced := c.replacedIDs(attributes)
	if len(replaced) == 0 && len(list) == 0 {
		return detachedSurvey{}, nil
	}

	logged, isLogged := c.readLog(ctx, id)
	if ctx.Err() != nil {
		return detachedSurvey{}, ctx.Err()
	}
	repair := repairing{flags: c.program.environmentFlags(c.environment), isUnlogged: !isLogged}
	if isLogged {
		replaced, repair.isUnlogged = c.classify(ctx, logged, replaced)
	}
	if repair.isUnlogged {
		repair.flags, repair.otherwise = c.sources(repair.flags)
	}
	for _, d := range replaced {
		if !slices.ContainsFunc(list, func(candidate identity.Detached) bool { return candidate.ID == d.ID && d.ID != "" }) {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b identity.Detached) int { return cmp.Compare(a.Position, b.Position) })
	return newDetachedSurvey(id, name, list, repair), nil
}

// readLog reads the activity log of a survey once.
func (c *comparedAnswers) readLog(ctx context.Context, id string) (logged loggedSurvey, ok bool) {
	if logged, ok = c.logs[id]; ok {
		return logged, true
	}
	survey, err := c.log.surveys.Retrieve(ctx, id)
	if err != nil {
		return logged, false
	}
	if logged, ok = c.log.read(ctx, survey); ok {
		c.logs[id] = logged
	}
	return logged, ok
}

// classify returns questions as the log shows them, with the numbers of answers. One whose stated ID the
// survey never had is none of them. isUnlogged is set if the log does not show the stated ID of one.
func (c *comparedAnswers) classify(ctx context.Context, logged loggedSurvey, replaced identity.DetachedList) (list identity.DetachedList, isUnlogged bool) {
	possible := map[[2]string]bool{}
	for _, d := range logged.detachedList(ctx) {
		possible[[2]string{d.ID, d.OldID}] = d.IsPossible
	}
	for _, d := range replaced {
		_, wasHeld := logged.timeline.Holding(d.OldID)
		if isNew := !wasHeld && logged.feed.IsComplete; isNew {
			continue
		}
		if isPossible, ok := possible[[2]string{d.ID, d.OldID}]; ok {
			d.IsPossible = isPossible
		}
		list = append(list, d)
	}
	return list, logged.count(ctx, list)
}

// sources are the flags by which repair finds IDs that the log does not show, or what restores them
// without repair.
func (c *comparedAnswers) sources(flags []string) (all []string, otherwise string) {
	switch {
	case c.other.Form == source.State || c.other.Form == source.Code:
		return append(flags, "--state", c.other.Argument), ""
	case c.other.IsWritten():
		words := append([]string{"posthog-sync", "sync", c.other.String(), source.Source{Form: source.Live, Argument: c.environment}.String(), "--yes"}, flags...)
		for i := range words {
			words[i] = escape.Shell(words[i])
		}
		return nil, strings.Join(words, " ")
	case c.other.Form == source.File:
		return append(flags, "--snapshot", c.other.Argument), ""
	}
	return nil, ""
}

// replacedIDs returns the questions in the differences of a survey that have another ID than the other source
// states.
func (c *comparedAnswers) replacedIDs(attributes []reconcile.Attribute) (list identity.DetachedList) {
	for _, a := range attributes {
		switch {
		case a.Detached == nil:
		case c.isReversed:
			d := *a.Detached
			d.Text, d.OldText, d.ID, d.OldID = d.OldText, d.Text, d.OldID, d.ID
			if _, err := fmt.Sscanf(a.Path, "questions[%d].id", &d.Position); err == nil && d.OldID != "" {
				list = append(list, d)
			}
		default:
			list = append(list, *a.Detached)
		}
	}
	return list
}
