package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// comparedAnswers finds detached answers when a live source is compared with another source. It uses
// the question IDs in the other source and the activity log of the live source.
type comparedAnswers struct {
	program *program
	// live is the live source, environment is its name, and other is the other source.
	live        *live
	environment string
	other       source.Source
	// isReversed is set if A is the live source.
	isReversed bool
	log        *answerLog
	// found maps survey IDs to the questions that the log shows. It contains only surveys that were looked
	// up without a visible problem.
	found map[string]identity.DetachedList
	logs  map[string]loggedSurvey
	// kept maps survey IDs to the questions with detached answers whose new IDs the other source's plan
	// keeps. Both sources have the same IDs for these questions.
	kept map[string]identity.DetachedList
}

// compareAnswers returns a comparedAnswers for the live source, or for B if both sources are live. It
// returns nil if neither source is live. counter counts the responses of the live source. It may be nil.
func (p *program) compareAnswers(a, b source.Source, counter *responses.Counter) (*comparedAnswers, error) {
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
	log := service.answerLog()
	log.environment = b.Argument
	if counter != nil {
		log.counter = counter
	}

	return &comparedAnswers{
		program: p, live: service, environment: b.Argument, other: a, isReversed: isReversed, log: log,
		found: map[string]identity.DetachedList{}, logs: map[string]loggedSurvey{},
	}, nil
}

// lookUp looks up the surveys of a YAML file that does not set all question IDs, because only the
// activity log shows that PostHog replaced those IDs. If the file does not set a question's ID, lookUp
// changes desired to use the ID that has the answers. If onlyRestored is set, it does so only for
// questions whose old IDs a sync restores.
func (c *comparedAnswers) lookUp(ctx context.Context, desired, current []source.Object, onlyRestored bool) error {
	byName := map[string]int{} // indexes of the live surveys
	for k, o := range current {
		if o.Kind == source.Survey && o.Whole().SurveyResponse != nil {
			byName[strings.TrimSpace(o.Name)] = k
		}
	}

	for i, o := range desired {
		k, isLive := byName[strings.TrimSpace(o.Name)]
		if o.Stated == nil || !isLive {
			continue
		}

		ids, survey := statedIDs(o), *current[k].Whole().SurveyResponse
		if slices.Contains(ids, "") && c.log.isWorthALook(ctx, survey) {
			list, logged := c.lookUpOne(ctx, survey, ids)
			if onlyRestored {
				list = list.Restored()
			}
			current[k].Replaced = logged.replacedIDs(ids)
			var err error
			if desired[i], err = withOldIDs(o, past.Identities(logged.questions), current[k].Replaced, list); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// lookUpCopies looks up the live surveys that the other source contains as copies, for example from another project. A
// copy has other question IDs, so only the activity log shows that PostHog replaced those of the live survey.
func (c *comparedAnswers) lookUpCopies(ctx context.Context, other, current []source.Object) error {
	for _, o := range current {
		isCopy := func(from source.Object) bool { return isCopyOf(from, o) }
		if o.Kind != source.Survey || !c.live.selected.selects(o.Name) || !slices.ContainsFunc(other, isCopy) {
			continue
		}

		whole := o.Whole()
		start, _ := whole.Attributes["start_date"].(string)
		if !c.log.isWorthALook(ctx, api.Survey{ID: &o.ID, StartDate: nullable.NewNullableWithValue(start)}) {
			continue
		}

		if logged, ok := c.readLogOfObject(ctx, whole); ok {
			if list := logged.detachedList(ctx).WithAnswers(); len(list) > 0 {
				c.found[o.ID] = list
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// isCopyOf reports whether a survey from another project has the same name as a live one.
func isCopyOf(from, o source.Object) bool {
	isOther := from.ID != "" && from.ID != o.ID
	return from.Kind == source.Survey && from.Stated == nil && isOther && strings.TrimSpace(from.Name) == strings.TrimSpace(o.Name)
}

// lookUpOne returns a survey's questions with detached answers, unless the file sets their current or old
// IDs. It also returns the survey's activity log.
func (c *comparedAnswers) lookUpOne(ctx context.Context, survey api.Survey, ids []string) (identity.DetachedList, loggedSurvey) {
	logged, ok := c.readLogOf(ctx, survey)
	if !ok {
		return nil, loggedSurvey{}
	}
	list := slices.DeleteFunc(logged.detachedList(ctx).WithAnswers(), func(d identity.Detached) bool {
		return slices.Contains(ids, d.ID) || slices.Contains(ids, d.OldID)
	})
	if len(list) > 0 {
		c.found[*survey.ID] = list
	}
	return list, logged
}

// statedIDs returns the question IDs that a YAML file sets for a survey. An ID is empty if the file
// does not set it.
func statedIDs(o source.Object) []string {
	raws, _ := o.Stated.Survey.Questions.Get() // no questions if null
	questions, _ := past.ParseQuestionList(raws)
	ids := make([]string, len(questions))
	for i, q := range questions {
		ids[i] = q.ID
	}
	return ids
}

// withOldIDs returns a YAML file's survey with the question IDs that have the answers. It does not change
// IDs that the file sets.
func withOldIDs(o source.Object, live []identity.Question, replaced identity.ReplacedIDs, list identity.DetachedList) (source.Object, error) {
	questions, _ := o.Attributes["questions"].([]any)
	questions = slices.Clone(questions)
	raws, _ := o.Stated.Survey.Questions.Get() // no questions if null
	raws = slices.Clone(raws)
	for i, pair := range identity.Compare(replaced.Undo(live), identity.NewQuestions(questions)) {
		fields, _ := questions[i].(map[string]any)
		index := slices.IndexFunc(list, func(d identity.Detached) bool {
			return d.Position == pair.Index && (fields["id"] == nil || fields["id"] == d.ID)
		})
		if index < 0 {
			continue
		}

		fields = maps.Clone(fields)
		fields["id"] = list[index].OldID
		questions[i] = fields
		var err error
		if raws[i], err = identity.WithID(raws[i], list[index].OldID); err != nil {
			return o, err
		}
	}

	o.Attributes = maps.Clone(o.Attributes)
	o.Attributes["questions"] = questions
	stated := *o.Stated
	stated.Survey.Questions.Set(raws)
	o.Stated = &stated
	return o, nil
}

// inObjects returns the surveys with detached answers. It checks the objects that differ, the loaded objects
// whose new IDs a plan keeps, and those in which the activity log shows detached answers.
func (c *comparedAnswers) inObjects(ctx context.Context, objects []reconcile.Object, loaded []source.Object) ([]detachedSurvey, error) {
	surveys, isSeen := []detachedSurvey{}, map[string]bool{}
	add := func(id, name string, attributes []reconcile.Attribute) error {
		if id == "" || isSeen[id] {
			return nil
		}
		isSeen[id] = true
		survey, err := c.of(ctx, id, name, attributes)
		if len(survey.list) > 0 {
			surveys = append(surveys, survey)
		}
		return err
	}

	for _, o := range objects {
		id := o.IDB
		if c.isReversed {
			id = o.IDA
		}
		if o.Kind != source.Survey {
			continue
		}
		if err := add(id, o.Name, o.Attributes); err != nil {
			return nil, err
		}
	}
	for _, o := range loaded {
		if len(c.kept[o.ID]) == 0 && len(c.found[o.ID]) == 0 {
			continue
		}
		if err := add(o.ID, o.Name, nil); err != nil {
			return nil, err
		}
	}
	return surveys, nil
}

// of returns a survey with the questions that have detached answers: those that the log shows, and those
// whose ID differs in the other source.
func (c *comparedAnswers) of(ctx context.Context, id, name string, attributes []reconcile.Attribute) (detachedSurvey, error) {
	list := c.found[id]
	replaced := identity.MergeDetached(c.replacedIDs(attributes), c.kept[id])
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
	} else {
		for i := range replaced {
			replaced[i].Stays = true // the answers under the new ID are unknown
		}
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
	return c.readLogOf(ctx, survey)
}

// readLogOfObject reads the activity log of a survey, which it retrieves if the object lacks PostHog's response.
func (c *comparedAnswers) readLogOfObject(ctx context.Context, o source.Object) (logged loggedSurvey, ok bool) {
	if o.SurveyResponse == nil {
		return c.readLog(ctx, o.ID)
	}
	return c.readLogOf(ctx, *o.SurveyResponse)
}

// readLogOf reads the activity log of a survey that was just retrieved.
func (c *comparedAnswers) readLogOf(ctx context.Context, survey api.Survey) (logged loggedSurvey, ok bool) {
	if logged, ok = c.log.read(ctx, survey); ok {
		c.logs[*survey.ID] = logged
	}
	return logged, ok
}

// classify sets each question's answer count, and whether the log shows that the question is only possibly
// the same. It omits questions whose old ID never existed in the survey. isUnlogged is set if any old ID
// is missing from the log.
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

// sources returns the flags that tell repair where to find IDs that the log does not show. If repair
// cannot restore them, it returns a sync command that can.
func (c *comparedAnswers) sources(flags []string) (all []string, otherwise string) {
	switch {
	case c.other.Form == source.State || c.other.Form == source.Code:
		return append(flags, "--state", c.other.Argument), ""
	case c.other.IsWritten():
		return nil, syncCommand(c.other, c.environment, flags)
	case c.other.Form == source.File:
		return append(flags, "--snapshot", c.other.Argument), ""
	}
	return nil, ""
}

// syncCommand returns the command that writes a YAML file to an environment.
func syncCommand(file source.Source, environment string, flags []string) string {
	words := append([]string{"posthog-sync", "sync", file.String(), source.Source{Form: source.Live, Argument: environment}.String(), "--yes"}, flags...)
	for i := range words {
		words[i] = escape.Shell(words[i])
	}
	return strings.Join(words, " ")
}

// replacedIDs returns the questions among a survey's differences whose IDs differ between the two
// sources.
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
