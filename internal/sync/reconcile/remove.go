package reconcile

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// remove plans what becomes of an object that A lacks. By default it is left alone.
func (p *planner) remove(ctx context.Context, live side.Object) error {
	archives := p.Archive && live.Kind == side.Survey
	switch {
	case foreignOwner(live) != "":
		p.leave(live, "it belongs to organization "+foreignOwner(live), []Attribute{})
		return nil
	case archives && live.Attributes["archived"] == true:
		p.leave(live, "only B has it, and it is archived", []Attribute{})
		return nil
	case !archives && p.Delete == KeepExtra:
		p.leave(live, "only B has it", []Attribute{})
		return nil
	}

	action := Action{
		Kind: live.Kind, Verb: Delete, Name: live.Name, ID: live.ID, Seen: Fingerprint(live), Outcome: Planned,
		Changes: []ValueChange{}, Left: []Attribute{},
	}
	if archives {
		action.Verb = Archive
		if err := p.archive(ctx, &action, live); err != nil {
			return err
		}
	} else if live.Kind == side.Survey && p.Delete != DeleteWithResponses {
		action.Unanswered = true
		p.refuseAnswered(ctx, &action)
	}
	p.refuseManaged(&action)
	p.actions = append(p.actions, action)
	return nil
}

// archive sets the request that archives a survey.
func (p *planner) archive(ctx context.Context, action *Action, live side.Object) error {
	request, err := p.edit(ctx, live, func(f *survey.Fields) { f.Archived = types.BoolValue(true) })
	action.SurveyRequest = request
	action.Changes = []ValueChange{{Path: "archived", Before: live.Attributes["archived"], After: true}}
	return err
}

// edit returns the request that makes a single change to a survey.
func (p *planner) edit(ctx context.Context, live side.Object, change func(*survey.Fields)) (api.SurveyRequest, error) {
	stored, err := survey.FromAPI(ctx, *live.SurveyAnswer, survey.Fields{ProjectID: types.StringValue(p.ProjectID)}, &attribute.Answer{})
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

// refuseAnswered refuses to delete a survey that has responses, or may have some.
func (p *planner) refuseAnswered(ctx context.Context, action *Action) {
	number, flag := p.Responses(ctx, action.ID), "--allow-delete="+string(DeleteWithResponses)
	switch {
	case number.Counted > 0:
		action.refuse(fmt.Sprintf("it has %s responses, which would be lost: %s deletes it anyway, --archive keeps them", number, flag))
	case !number.IsKnown():
		action.refuse(fmt.Sprintf("whether it has responses is not known: %s. %s deletes it anyway, --archive keeps them", number.Reason, flag))
	}
}

// refuseCutAnswers refuses to drop questions of a survey that has responses, or may have
// some.
func (p *planner) refuseCutAnswers(ctx context.Context, action *Action) {
	if len(action.Dropped) == 0 || p.AllowCutAnswers {
		return
	}
	number := p.Responses(ctx, action.ID)
	action.Count(number)
	switch {
	case number.IsNone():
	case number.Counted > 0:
		action.refuse("it would cut off answers: --allow-cut-answers does it anyway")
	default:
		action.refuse("it may cut off answers: --allow-cut-answers does it anyway")
	}
}

// limitDeletes refuses to delete or archive anything if there are more such actions than
// allowed: a side that lacks so much may be the wrong one.
func (p *planner) limitDeletes() {
	var removed []int
	for i, action := range p.actions {
		if action.Removes() && action.Outcome != Refused {
			removed = append(removed, i)
		}
	}
	if len(removed) <= p.MaxDeletes {
		return
	}
	for _, i := range removed {
		p.actions[i].refuse(fmt.Sprintf("%d objects would be deleted or archived, and at most %d may be: --max-deletes %d allows it",
			len(removed), p.MaxDeletes, len(removed)))
	}
}
