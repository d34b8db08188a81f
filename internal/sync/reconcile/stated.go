package reconcile

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// surveyResponse returns a survey's API response. For a survey from a file, it returns an equivalent
// response. For all other objects, it returns nil.
func surveyResponse(o source.Object) *api.Survey {
	if o.Stated != nil {
		return &o.Stated.Survey
	}
	return o.Whole().SurveyResponse
}

// promote plans how to change a live survey to a desired survey, which comes from a response or a file.
func promote(ctx context.Context, desired source.Object, live survey.Fields, promotion survey.Promotion, now time.Time) (survey.Fields, error) {
	if desired.Stated != nil {
		promotion.Configured, promotion.Status, promotion.Now = true, desired.Stated.Status, now
	}
	return survey.Promote(ctx, *surveyResponse(desired), live, promotion)
}

// dropReachedLimit returns a survey without its status and response limit if PostHog stopped, or may have stopped, the
// live survey at its limit. The action must not launch such a survey again, and PostHog clears the limit when it stops
// the survey.
func (p *planner) dropReachedLimit(ctx context.Context, action *Action, desired source.Object, live survey.Fields) source.Object {
	if desired.Stated == nil && p.SameProject { // an earlier version of the same survey
		return desired
	}
	meaning, unlimited, _ := explainReachedLimit(ctx, desired, live, action.ID, p.Responses)
	if meaning == "" {
		return desired
	}
	action.Remaining = []Attribute{{Path: "status", A: survey.StatusRunning, B: live.Status.ValueString(), Meaning: meaning}}
	return unlimited
}

// explainReachedLimit explains why a live survey is not launched again although the desired one is running: it has or
// may have reached the desired response limit. unlimited is the desired survey without status and limit. For other
// surveys, the explanation is empty.
func explainReachedLimit(ctx context.Context, desired source.Object, live survey.Fields, id string, count func(context.Context, string) responses.Number) (meaning string, unlimited source.Object, isKnown bool) {
	limit, ok := runningLimit(desired)
	if !ok || live.EndDate.IsNull() || !live.ResponsesLimit.IsNull() {
		return "", desired, false
	}

	number := count(ctx, id)
	if meaning = limitMeaning(number, limit, desired.Stated != nil); meaning == "" {
		return "", desired, false
	}
	return meaning, withoutLimit(desired, live), number.Counted >= limit
}

// withoutLimit returns a desired survey without its response limit that leaves the live survey stopped.
func withoutLimit(desired source.Object, live survey.Fields) source.Object {
	unlimited := desired.Whole()
	if desired.Stated != nil {
		spec := *desired.Stated
		spec.Status = ""
		spec.Survey.ResponsesLimit.SetNull()
		unlimited.Stated = &spec
		return unlimited
	}

	response := *unlimited.SurveyResponse
	response.ResponsesLimit.SetNull()
	response.StartDate, response.EndDate = nullable.NewNullableWithValue(live.StartDate.ValueString()), nullable.NewNullableWithValue(live.EndDate.ValueString())
	unlimited.SurveyResponse = &response
	return unlimited
}

// Stopped is a survey from a file that PostHog stopped, or may have stopped, at its response limit.
type Stopped struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
}

// Settle reconciles the surveys of a hand-written file with the surveys of the same name in the other
// source. Afterwards, two kinds of values do not count as differences: values that the file omits, and
// values that PostHog stores in a different form. A survey that PostHog stopped at its limit does not count
// as a difference, either; Settle returns these surveys.
//
// count counts the responses of a survey in the other source. It is nil if counting is not possible.
func Settle(ctx context.Context, a, b []source.Object, now time.Time, count func(context.Context, string) responses.Number) ([]Stopped, error) {
	stopped, err := settle(ctx, a, b, now, count)
	if err != nil {
		return nil, err
	}
	more, err := settle(ctx, b, a, now, count)
	return append(stopped, more...), err
}

func settle(ctx context.Context, fileObjects, currentObjects []source.Object, now time.Time, count func(context.Context, string) responses.Number) (stopped []Stopped, err error) {
	byName := map[string]source.Object{}
	for _, object := range currentObjects {
		if object.Kind == source.Survey {
			byName[plainName(object)] = object
		}
	}
	for i, object := range fileObjects {
		liveObject := byName[plainName(object)]
		response := surveyResponse(liveObject)
		if object.Stated == nil || response == nil {
			continue
		}

		live, err := survey.FromAPI(ctx, *response, survey.Fields{ProjectID: types.StringValue(liveObject.ParentID)}, &attribute.Response{})
		if err != nil {
			return nil, err
		}
		if count != nil {
			meaning, unlimited, isKnown := explainReachedLimit(ctx, object, live, liveObject.ID, count)
			if meaning != "" {
				stopped = append(stopped, Stopped{object.Name, meaning})
			}
			if isKnown {
				object = unlimited
			}
		}
		planned, err := promote(ctx, object, live, survey.Promotion{SameProject: true, Replaced: liveObject.Replaced}, now)
		if err != nil {
			return nil, err
		}
		planned.StartDate, planned.EndDate = live.StartDate, live.EndDate // compare only the status
		settled, err := source.FromSurveyFields(ctx, planned)
		if err != nil {
			return nil, err
		}
		settled.ID, settled.ParentID = object.ID, object.ParentID
		for _, holder := range flags { // the previous flags
			delete(settled.Attributes, holder)
		}
		settled.Stated = object.Stated
		fileObjects[i] = settled
	}
	return stopped, nil
}
