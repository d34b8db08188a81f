package reconcile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// NewPlan plans the actions that make B's objects (live) equal to A's objects (desired). Both lists must
// come from API responses: from live sources or snapshots. live must contain all of B's objects, even
// objects that are not selected, because their names are in use.
func NewPlan(ctx context.Context, desired, live []source.Object, o Options) (Plan, error) {
	if err := checkNames(desired, o); err != nil {
		return Plan{}, err
	}

	p := planner{Options: o, live: live, skipped: []SkippedObject{}}
	pairs, missing, extra := o.match(desired, live)
	for _, pair := range pairs {
		if o.selects(pair.A.Name) || o.selects(pair.B.Name) {
			if err := p.update(ctx, pair); err != nil {
				return Plan{}, err
			}
		}
	}
	for _, object := range missing {
		if o.selects(object.Name) {
			if err := p.create(ctx, object); err != nil {
				return Plan{}, err
			}
		}
	}
	for _, object := range extra {
		if o.selects(object.Name) {
			if err := p.remove(ctx, object); err != nil {
				return Plan{}, err
			}
		}
	}

	p.limitDeletes()
	p.refuseTakenNames()
	return p.orderActions(ctx)
}

// planner collects the actions of a plan.
type planner struct {
	Options
	live    []source.Object
	actions []Action
	skipped []SkippedObject
	same    int
}

// update plans the update of an object that both sources contain.
func (p *planner) update(ctx context.Context, pair Pair) error {
	if owner := foreignOwner(pair.B); owner != "" {
		p.skip(pair.B, "it belongs to organization "+owner, Attributes(pair.A, pair.B))
		return nil
	}

	action, err := p.planPromotion(ctx, pair.A, &pair.B)
	if err != nil {
		return err
	}
	switch {
	case action.Outcome == Refused:
	case len(action.Changes) > 0:
		p.refuseDetachedAnswers(ctx, &action)
		p.refuseFlagDeletion(&action, pair.B)
		p.guardState(&action)
	case len(action.Remaining) > 0:
		p.skip(pair.B, "it differs only in values that sync does not change", action.Remaining)
		return nil
	default:
		p.same++
		return nil
	}
	p.actions = append(p.actions, action)
	return nil
}

// create plans the creation of an object that B does not contain.
func (p *planner) create(ctx context.Context, desired source.Object) error {
	if owner := foreignOwner(desired); owner != "" {
		p.skip(desired, fmt.Sprintf("in %s it belongs to organization %s", p.A, owner), []Attribute{})
		return nil
	}
	action, err := p.planPromotion(ctx, desired, nil)
	if p.HidesApps && desired.Kind == source.App && !importapp.IsShown(action.AppRequest) {
		action.refuse(fmt.Sprintf("PostHog would hide it because of its capabilities, so every sync would create it again. To skip it, use --exclude %q", desired.Name))
	}
	p.actions = append(p.actions, action)
	return err
}

// planPromotion returns the action that makes a live object equal to a desired object. live is nil if
// the live object does not exist yet.
func (p *planner) planPromotion(ctx context.Context, desired source.Object, live *source.Object) (Action, error) {
	desired = desired.Whole()
	action := Action{Kind: desired.Kind, Verb: Create, Name: desired.Name, Outcome: Planned, DesiredApp: desired.AppResponse, Changes: []ValueChange{}, Remaining: []Attribute{}}
	before := source.Object{Kind: desired.Kind, ParentID: p.parent(desired.Kind)}
	if live != nil {
		action.Verb, action.ID, action.Seen, before = Update, live.ID, Fingerprint(*live), live.Whole()
	}

	after, refusal, err := p.request(ctx, &action, desired, before)
	switch {
	case err != nil:
		return action, err
	case refusal != "":
		action.refuse(refusal)
		return action, nil
	}

	for _, difference := range Attributes(after, before) {
		action.Changes = append(action.Changes, ValueChange{Path: difference.Path, Before: difference.B, After: difference.A})
		if text, ok := droppedQuestion(difference); ok {
			action.Dropped = append(action.Dropped, text)
		}
		if d := difference.Detached; d != nil {
			action.Replaced = append(action.Replaced, ReplacedID{Path: difference.Path, ID: d.ID, Old: d.OldID, Detached: *d})
		}
	}
	action.Moved = movedIDs(before, after)
	action.launches = isShown(after) && !isShown(before)
	p.addPossible(ctx, &action, desired, before, after)
	action.MappedFlags = p.mappedFlags(desired)
	p.keepEffect(&action, before, &after)
	isStated := desired.Stated != nil
	if isStated {
		// Remaining differences are relative to the survey that the file describes.
		spec := desired.Stated
		desired = after
		desired.Stated = spec
	}
	stays := slices.Clone(action.Remaining)
	action.Remaining = append(action.Remaining, Attributes(p.mapReferences(desired), p.reduceActions(after))...)
	if live != nil && action.isEmpty() {
		// All differences are read-only.
		action.Changes, action.Dropped, action.Moved = []ValueChange{}, nil, nil
		if !isStated {
			action.Remaining = append(stays, Attributes(p.mapReferences(desired), p.reduceActions(before))...)
		}
	}
	return action, nil
}

// keepEffect stores the survey before and after an action in the action. before has no ID if the survey
// does not exist yet, and after is nil if the action deletes the survey. A question without an ID is
// new.
func (p *planner) keepEffect(action *Action, before source.Object, after *source.Object) {
	if action.Kind != source.Survey {
		return
	}
	action.Effect = tfplan.Change{After: after}
	if before.ID != "" {
		action.Effect.Before = &before
	}
	if after == nil {
		return
	}
	questions, _ := after.Attributes["questions"].([]any)
	unknown := make([]any, len(questions))
	for i, question := range questions {
		fields, _ := question.(map[string]any)
		unknown[i] = map[string]any{"id": fields["id"] == nil}
	}
	action.Effect.AfterUnknown = map[string]any{"questions": unknown}
}

// wholeQuestion matches the path of a question that only one of two lists contains.
var wholeQuestion = regexp.MustCompile(`^questions\[\d+\]$`)

// AddedQuestion returns the question that a change adds, and the question's position. ok is false for
// other changes.
func (c ValueChange) AddedQuestion() (position int, question identity.Question, ok bool) {
	fields, isQuestion := c.After.(map[string]any)
	if !wholeQuestion.MatchString(c.Path) || !isQuestion || c.Before != nil {
		return 0, question, false
	}
	_, err := fmt.Sscanf(c.Path, "questions[%d]", &position)
	return position, decodeQuestions([]any{fields})[0], err == nil
}

// droppedQuestion returns the text of a question that B loses. ok is false for other differences.
func droppedQuestion(difference Attribute) (text string, ok bool) {
	question, isQuestion := difference.B.(map[string]any)
	if !wholeQuestion.MatchString(difference.Path) || !isQuestion || difference.A != nil {
		return "", false
	}
	text, _ = question["question"].(string)
	return text, true
}

// request sets an action's request. It returns the resulting object, or the reason for a refusal.
func (p *planner) request(ctx context.Context, action *Action, desired, before source.Object) (after source.Object, refusal string, err error) {
	if action.Kind == source.App {
		after, err = p.appRequest(ctx, action, before)
		return after, refusal, err
	}
	return p.surveyRequest(ctx, action, desired, before)
}

func (p *planner) appRequest(ctx context.Context, action *Action, before source.Object) (source.Object, error) {
	live := importapp.Fields{OrganizationID: types.StringValue(p.OrganizationID)}
	if before.AppResponse != nil {
		live = importapp.FromAPI(*before.AppResponse, live, &attribute.Response{})
	}

	planned := importapp.Promote(*action.DesiredApp, live)
	action.AppRequest = importapp.ToAPI(planned, live)
	return source.FromAppFields(ctx, planned)
}

func (p *planner) surveyRequest(ctx context.Context, action *Action, desired, before source.Object) (after source.Object, refusal string, err error) {
	live := survey.Fields{ProjectID: types.StringValue(p.ProjectID)}
	if before.SurveyResponse != nil {
		if live, err = survey.FromAPI(ctx, *before.SurveyResponse, live, &attribute.Response{}); err != nil {
			return after, refusal, err
		}
	}
	desired = p.dropReachedLimit(ctx, action, desired, live)
	promotion := survey.Promotion{Replaced: before.Replaced, KeepSchedule: p.KeepSchedule, SameProject: p.SameProject, Flags: p.Flags, Actions: p.Actions, Cohorts: p.Cohorts}
	planned, err := promote(ctx, desired, live, promotion, p.Now)
	if err != nil {
		return after, err.Error(), nil //nolint:nilerr // it refuses this survey, and ends nothing else
	}
	if refusal := newErrors(desired, before, planned, live); refusal != "" {
		return after, refusal, nil
	}

	var diags diag.Diagnostics
	action.SurveyRequest = survey.ToAPI(ctx, planned, live, p.NewID, &diags)
	if diags.HasError() {
		return after, diags.Errors()[0].Detail(), nil
	}
	after, err = source.FromSurveyFields(ctx, planned)
	p.nameFlags(&after)
	return after, refusal, err
}

// newErrors returns the errors that the update of a survey from a file adds. A file with question IDs may contain errors
// that PostHog already stores.
func newErrors(desired, before source.Object, planned, live survey.Fields) string {
	if desired.Stated == nil || before.SurveyResponse == nil {
		return ""
	}
	pairs := identity.Compare(before.Replaced.Undo(survey.Identities(live.Questions.List())), survey.Identities(planned.Questions.List()))
	var texts []string
	for _, finding := range check.NewErrors(planned, live, pairs).InYAML() {
		texts = append(texts, finding.Text)
	}
	return strings.Join(texts, "; ")
}

// nameFlags replaces a planned survey's flags with the planned flags. Until then, the survey contains the
// previous flags.
func (p *planner) nameFlags(after *source.Object) {
	for name, holder := range flags {
		delete(after.Attributes, holder)
		for key, id := range p.Flags {
			if number := after.Attributes[name]; number != nil && fmt.Sprint(number) == fmt.Sprint(id) {
				after.Attributes[holder] = map[string]any{"key": p.FlagKeys[key]}
			}
		}
	}
}

// skip adds one of B's objects to the skipped objects.
func (p *planner) skip(o source.Object, reason string, differences []Attribute) {
	p.skipped = append(p.skipped, SkippedObject{Kind: o.Kind, Name: o.Name, ID: o.ID, Reason: reason, Attributes: differences})
}

// foreignOwner returns the organization that owns a global app if another organization lists the app. For
// other objects, it returns an empty string.
func foreignOwner(o source.Object) string {
	if o.AppResponse == nil {
		return ""
	}
	return importapp.ForeignOwner(*o.AppResponse, o.ParentID)
}

// MatchBy is a method of pairing the objects of two sources.
type MatchBy string

// Methods of pairing.
const (
	// ByName pairs objects with the same kind and name.
	ByName MatchBy = "name"
	// ByID pairs objects with the same ID, and the remaining objects by name. Both sources must belong to the
	// same project.
	ByID MatchBy = "id"
)

// Deletion selects which objects to delete if A does not contain them.
type Deletion string

// Values of Deletion.
const (
	// KeepExtra deletes no objects.
	KeepExtra Deletion = ""
	// DeleteUnanswered deletes all objects except surveys with responses.
	DeleteUnanswered Deletion = "unanswered"
	// DeleteWithResponses deletes all objects, including surveys with responses.
	DeleteWithResponses Deletion = "with-responses"
)

// ObjectKey identifies an object of one source.
type ObjectKey struct {
	Kind source.Kind
	ID   string
}

// Options are the options of NewPlan.
type Options struct {
	// A and B are the names of the two sources, for messages.
	A, B  string
	Match MatchBy
	// Selects reports whether the plan includes objects with the given name. Nil selects all objects.
	Selects func(name string) bool
	// KeepSchedule copies start and end dates.
	KeepSchedule bool
	// ProjectID and OrganizationID are the IDs of B's project and organization.
	ProjectID, OrganizationID string
	// SameProject is set if the surveys of both sources belong to the same project.
	SameProject bool
	// Flags maps the keys of A's feature flags to flag IDs in B. FlagKeys maps them to keys in B.
	Flags    map[string]int64
	FlagKeys map[string]string
	// Actions and Cohorts map IDs in A to IDs in B.
	Actions, Cohorts map[int64]int64
	// Delete and Archive determine what happens to objects that A does not contain. If there are more
	// than MaxDeletes such objects, the plan refuses to delete or archive any of them.
	Delete     Deletion
	Archive    bool
	MaxDeletes int
	// AllowDetachedAnswers allows updates that remove questions from surveys with responses.
	AllowDetachedAnswers bool
	// Responses returns the response count of B's survey. Answers returns the answer counts under the survey's
	// question IDs, and is nil if PostHog cannot count them. Both may send requests.
	Responses func(ctx context.Context, id string) responses.Number
	Answers   func(ctx context.Context, id string) map[string]int64
	// Managed maps each of B's objects that a Terraform state manages to a location for messages.
	Managed map[ObjectKey]string
	// HidesApps is set if B's PostHog instance hides apps that do not have an import capability.
	HidesApps bool
	// NewID returns an ID for a new question.
	NewID func() string
	// Now is the launch date or end date of surveys that a file launches or stops.
	Now time.Time
}

func (o Options) selects(name string) bool { return o.Selects == nil || o.Selects(name) }

// parent returns the ID of B's project or organization, depending on the kind.
func (o Options) parent(kind source.Kind) string {
	if kind == source.App {
		return o.OrganizationID
	}
	return o.ProjectID
}

// remove plans the removal of an object that A does not contain. By default, the object is kept.
func (p *planner) remove(ctx context.Context, live source.Object) error {
	archives := p.Archive && live.Kind == source.Survey
	switch {
	case foreignOwner(live) != "":
		p.skip(live, "it belongs to organization "+foreignOwner(live), []Attribute{})
		return nil
	case archives && live.Whole().Attributes["archived"] == true:
		p.skip(live, fmt.Sprintf("only %s has it, and it is archived", p.B), []Attribute{})
		return nil
	case !archives && p.Delete == KeepExtra:
		p.skip(live, fmt.Sprintf("only %s has it", p.B), []Attribute{})
		return nil
	}

	action := Action{
		Kind: live.Kind, Verb: Delete, Name: live.Name, ID: live.ID, Seen: Fingerprint(live), Outcome: Planned,
		Changes: []ValueChange{}, Remaining: []Attribute{},
	}
	if archives {
		action.Verb = Archive
		if err := p.archive(ctx, &action, live); err != nil {
			return err
		}
	} else {
		p.keepEffect(&action, live.Whole(), nil)
		if live.Kind == source.Survey && p.Delete != DeleteWithResponses {
			action.Unanswered = true
			p.guardResponses(ctx, &action)
		}
	}
	p.guardState(&action)
	p.actions = append(p.actions, action)
	return nil
}

// archive sets a request that archives a survey.
func (p *planner) archive(ctx context.Context, action *Action, live source.Object) error {
	live = live.Whole()
	request, err := p.edit(ctx, live, func(f *survey.Fields) { f.Archived = types.BoolValue(true) })
	action.SurveyRequest = request
	action.Changes = []ValueChange{{Path: "archived", Before: live.Attributes["archived"], After: true}}
	after := live
	after.Attributes = maps.Clone(live.Attributes)
	after.Attributes["archived"] = true
	p.keepEffect(action, live, &after)
	return err
}

// edit returns a request that makes a single change to a survey.
func (p *planner) edit(ctx context.Context, live source.Object, change func(*survey.Fields)) (api.SurveyRequest, error) {
	stored, err := survey.FromAPI(ctx, *live.Whole().SurveyResponse, survey.Fields{ProjectID: types.StringValue(p.ProjectID)}, &attribute.Response{})
	if err != nil {
		return api.SurveyRequest{}, err
	}
	edited := stored
	change(&edited)

	var diags diag.Diagnostics
	request := survey.ToAPI(ctx, edited, stored, p.NewID, &diags)
	if diags.HasError() {
		return request, errors.New(diags.Errors()[0].Detail())
	}
	return request, nil
}
