package survey

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// Promotion says how a survey is written onto another one, which may be in another
// project.
type Promotion struct {
	// KeepSchedule carries start and end over. Without it a new survey is a draft, and
	// another one keeps its dates.
	KeepSchedule bool
	// SameProject says that both surveys are in one project, where numbers of actions,
	// cohorts and insights mean the same.
	SameProject bool
	// Flags are the ids of feature flags in the project of the live survey, by the keys
	// that the desired survey refers to them by.
	Flags map[string]int64
	// Actions and Cohorts are ids in the project of the live survey, by those that the
	// desired survey refers to; not used in one project.
	Actions, Cohorts map[int64]int64
}

// Promote returns what a survey is to become so that it is like a desired one: what the
// plan of a configuration with the values of the desired survey would be. The zero live
// is a new survey.
//
// What belongs to the live survey alone stays: its id, what the service computes, and the
// ids of its questions. What the response of the desired survey does not have at all,
// since its service does not know it, stays too. So does a value that means the same.
func Promote(ctx context.Context, desired api.Survey, live Fields, p Promotion) (Fields, error) {
	// Flags and questions are matched below: an equal number proves nothing.
	prior := live
	prior.LinkedFlagID, prior.TargetingFlagID = types.Int64Null(), types.Int64Null()
	prior.Questions = types.ListNull(questionType)

	planned, err := FromAPI(ctx, desired, prior, &attribute.Answer{})
	if err != nil {
		return Fields{}, err
	}

	p.keepComputed(&planned, live)
	p.planSchedule(&planned, live)
	if err := p.planReferences(&planned, desired, live); err != nil {
		return Fields{}, err
	}
	if err := p.planQuestions(&planned, desired, live); err != nil {
		return Fields{}, err
	}

	keepEquivalentFields(&planned, live)
	resetCleared(&planned, live)
	return planned, nil
}

// keepComputed keeps what nobody writes.
func (p Promotion) keepComputed(planned *Fields, live Fields) {
	planned.ID, planned.ProjectID = live.ID, live.ProjectID
	planned.CreatedAt, planned.CreatedBy, planned.UserAccessLevel = live.CreatedAt, live.CreatedBy, live.UserAccessLevel
	planned.LinkedFlag, planned.TargetingFlag, planned.InternalTargetingFlag = live.LinkedFlag, live.TargetingFlag, live.InternalTargetingFlag
	planned.FeatureFlagKeys = live.FeatureFlagKeys

	planned.IterationStartDates, planned.CurrentIteration = live.IterationStartDates, live.CurrentIteration
	planned.CurrentIterationStartDate = live.CurrentIterationStartDate
	planned.SamplingDailyLimits = live.SamplingDailyLimits
}

func (p Promotion) planSchedule(planned *Fields, live Fields) {
	if !p.KeepSchedule {
		planned.StartDate, planned.EndDate = live.StartDate, live.EndDate
	}
	planned.Status = statusOf(planned.StartDate, planned.EndDate)
}

// planQuestions gives each question the id of the live question that it is. An id
// of the desired survey counts where the live one has it too, as a copy does.
func (p Promotion) planQuestions(planned *Fields, desired api.Survey, live Fields) error {
	if !desired.Questions.IsSpecified() {
		planned.Questions = live.Questions
		return nil
	}

	var diags diag.Diagnostics
	wanted, _ := decodeQuestions(planned.Questions, &diags)
	held, _ := decodeQuestions(live.Questions, &diags)
	if len(wanted) == 0 {
		return asError(diags)
	}

	known := map[string]bool{}
	for _, q := range held {
		known[q.ID.ValueString()] = true
	}
	sameSurvey := p.SameProject && desired.ID != nil && live.ID.Equal(types.StringPointerValue(desired.ID))
	matched := make([]Question, len(wanted))
	for i, q := range wanted {
		if !sameSurvey && !known[q.ID.ValueString()] {
			q.ID = types.StringNull()
		}
		matched[i] = q
	}

	for i, from := range matchQuestions(held, nil, matched) {
		switch {
		case from.prior >= 0:
			config := wanted[i]
			planQuestion(&wanted[i], config, held[from.prior], true)
			if config.Extra.IsNull() {
				wanted[i].Extra = config.Extra
			}
			keepEmptyJSON(&wanted[i].Extra, held[from.prior].Extra)
			keepEmptyJSON(&wanted[i].Translations, held[from.prior].Translations)
			wanted[i].ID = from.id
		case isOmittedID(wanted[i].ID):
			wanted[i].ID = types.StringUnknown() // a new one, before the request is sent
		}
	}
	planned.Questions = encodeQuestions(wanted)
	return asError(diags)
}

// keepEquivalentFields keeps the live value of every attribute that the service would
// store as it is now, and of those that are empty on both sides.
func keepEquivalentFields(planned *Fields, live Fields) {
	for _, one := range []struct {
		planned *types.String
		live    types.String
		same    attribute.Equivalent
	}{
		{&planned.Name, live.Name, sameTrimmed},
		{&planned.Description, live.Description, sameTrimmed},
		{&planned.BaseLanguage, live.BaseLanguage, sameLanguage},
	} {
		if !one.live.IsNull() && one.same(one.live.ValueString(), one.planned.ValueString()) {
			*one.planned = one.live
		}
	}

	for _, one := range []struct {
		planned *jsontypes.Normalized
		live    jsontypes.Normalized
		same    attribute.Equivalent
	}{
		{&planned.Appearance, live.Appearance, sameJSONMarkup},
		{&planned.Translations, live.Translations, sameJSONMarkup},
		{&planned.Conditions, live.Conditions, sameConditions},
		{&planned.FormContent, live.FormContent, attribute.EquivalentJSON},
		{&planned.TargetingFlagFilters, live.TargetingFlagFilters, attribute.EquivalentJSON},
	} {
		if !one.live.IsNull() && !one.planned.IsNull() && one.same(one.live.ValueString(), one.planned.ValueString()) {
			*one.planned = one.live
		}
		keepEmptyJSON(one.planned, one.live)
	}

	attributes, before := attribute.FromStruct(planned), attribute.FromStruct(&live)
	for name, value := range attributes {
		if attribute.IsEmpty(value) && attribute.IsEmpty(before[name]) {
			attributes[name] = before[name]
		}
	}
	attribute.ToStruct(planned, attributes)
}

// keepEmptyJSON keeps a live value that says nothing, where nothing is planned.
func keepEmptyJSON(planned *jsontypes.Normalized, live jsontypes.Normalized) {
	if isEmptyObject(*planned) && isEmptyObject(live) {
		*planned = live
	}
}

// isEmptyObject reports whether an attribute holds no JSON, or an object or list with
// nothing in it but nulls.
func isEmptyObject(text jsontypes.Normalized) bool {
	if text.IsNull() {
		return true
	}
	for _, empty := range []string{"{}", "[]", "null"} {
		if attribute.EquivalentJSON(text.ValueString(), empty) {
			return true
		}
	}
	return false
}

// resetCleared plans the service's default where the desired survey has no value and the
// live one has: as for an attribute that is taken out of a configuration.
func resetCleared(planned *Fields, live Fields) {
	for _, one := range []struct {
		planned *types.String
		live    types.String
		reset   string
	}{
		{&planned.Description, live.Description, ""},
		{&planned.Schedule, live.Schedule, "once"},
		{&planned.BaseLanguage, live.BaseLanguage, "en"},
	} {
		if one.planned.IsNull() && !one.live.IsNull() {
			*one.planned = types.StringValue(one.reset)
		}
	}

	for _, one := range []struct {
		planned *types.Bool
		live    types.Bool
	}{
		{&planned.Archived, live.Archived},
		{&planned.EnablePartialResponses, live.EnablePartialResponses},
		{&planned.EnableIframeEmbedding, live.EnableIframeEmbedding},
	} {
		if one.planned.IsNull() && !one.live.IsNull() {
			*one.planned = types.BoolValue(false)
		}
	}
}
