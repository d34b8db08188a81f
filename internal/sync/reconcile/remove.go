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
		p.skip(live, "it belongs to organization "+foreignOwner(live), []Attribute{})
		return nil
	case archives && live.Attributes["archived"] == true:
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
	stored, err := survey.FromAPI(ctx, *live.SurveyResponse, survey.Fields{ProjectID: types.StringValue(p.ProjectID)}, &attribute.Response{})
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
