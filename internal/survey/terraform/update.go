package terraform

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// update is an update of a survey, of which there are three values: what the plan saw, what is
// wanted, and what is there.
type update struct {
	// seen is the prior state, from which the plan was made.
	seen survey.Fields
	// wanted is the plan, which becomes the state; sent is the same for the request, in which
	// a question whose configured id is "" has the one that it has on the service.
	wanted survey.Model
	sent   survey.Fields
	// there is what the service holds right before the write; nil when nothing is written.
	there *api.Survey
}

// Update implements resource.Resource.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	ctx, end := providerdata.Operation(ctx, "update", req.Plan, &resp.Diagnostics)
	defer end()

	diags := &resp.Diagnostics
	config, seen, wanted := modelOf(ctx, req.Config.Raw, diags), modelOf(ctx, req.State.Raw, diags), modelOf(ctx, req.Plan.Raw, diags)
	if diags.HasError() || !r.Ready(diags) {
		return
	}

	stamp(&wanted.Fields, r.Now())
	memory := survey.LoadMemory(ctx, req.Private, seen.Name, diags)
	past := memory.Questions
	u := update{seen: seen.Fields, wanted: wanted, sent: wanted.Fields}
	u.sent.Questions = withRequestIDs(wanted.Questions, config.Questions, survey.Match(past.WithIDs(seen.Questions).List(), past, config.Questions.List()))

	if attribute.EqualExcept(req.Plan.Raw, req.State.Raw, providerOnly...) {
		applied := appliedFrom(config.Questions, u.sent.Questions, nil)
		r.storeUnsent(ctx, u, memory.AfterWrite(applied, applied, r.Now()), resp)
		return
	}

	request := u.request(ctx, diags)
	if diags.HasError() {
		return
	}
	written, ok := r.send(ctx, &u, request, req.Private, diags)
	if !ok {
		return
	}

	complete(ctx, r.surveys(u.seen), &written, u.there, u.wanted.Fields, u.seen, diags)
	r.store(ctx, written, u.wanted, write{
		config: req.Config.Raw, questions: config.Questions, request: request, sent: u.sent.Questions, memory: memory,
		state: &resp.State, identity: resp.Identity, private: resp.Private, diags: diags,
	})
}

// storeUnsent stores an update of what the provider alone knows: nothing is sent.
func (r *Resource) storeUnsent(ctx context.Context, u update, memory survey.Memory, resp *resource.UpdateResponse) {
	memory.Save(ctx, resp.Private, &resp.Diagnostics)
	attribute.Encode(ctx, u.wanted, surveyschema.ObjectType(), &resp.State.Raw, &resp.Diagnostics)
	providerdata.SetIdentity(ctx, resp.Identity, identityOf(u.seen), &resp.Diagnostics)
}

// request is what makes the wanted survey out of the one that was seen. It is empty when nothing
// that can be written has changed, such as a computed value.
func (u update) request(ctx context.Context, diags *diag.Diagnostics) api.SurveyRequest {
	request := survey.ToAPI(ctx, u.sent, u.seen, uuid.NewString, diags)
	if survey.IsEmptyRequest(request) {
		return switchOnRequest(ctx, u.wanted.Fields, u.seen, diags)
	}
	return request
}

// send sends a request if what is there is what was seen, or what is wanted; it returns false
// after an error. An empty request is a read.
func (r *Resource) send(
	ctx context.Context, u *update, request api.SurveyRequest, private attribute.PrivateState, diags *diag.Diagnostics,
) (written api.Survey, ok bool) {
	written, err := r.surveys(u.seen).Change(ctx, u.seen.ID.ValueString(), func(ctx context.Context, live api.Survey) (api.SurveyRequest, error) {
		if survey.IsEmptyRequest(request) {
			return request, nil
		}
		u.there = &live
		return request, r.refuseOverwrite(ctx, live, request, u.sent, u.seen, private, diags)
	})
	if err != nil && !errors.Is(err, errRefused) {
		diags.Append(refusal("update", u.seen, err))
	}
	return written, err == nil
}
