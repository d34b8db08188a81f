package reconcile

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// surveyResponse returns the response of a survey, or the survey of a file in the same form; nil for neither.
func surveyResponse(o source.Object) *api.Survey {
	if o.Stated != nil {
		return &o.Stated.Survey
	}
	return o.Whole().SurveyResponse
}

// promote plans the change of a live survey to a desired one, of a response or of a file.
func promote(ctx context.Context, desired source.Object, live survey.Fields, promotion survey.Promotion, now time.Time) (survey.Fields, error) {
	if desired.Stated != nil {
		promotion.Configured, promotion.Status, promotion.Now = true, desired.Stated.Status, now
	}
	return survey.Promote(ctx, *surveyResponse(desired), live, promotion)
}

// dropReachedLimit returns a survey of a file without its status and its limit, where the service has stopped
// the live one because it got as many responses, or may have: it is not launched again for that. The
// service then clears the limit.
func (p *planner) dropReachedLimit(ctx context.Context, action *Action, desired source.Object, live survey.Fields) source.Object {
	meaning, unlimited, _ := explainReachedLimit(ctx, desired, live, action.ID, p.Responses)
	if meaning == "" {
		return desired
	}
	action.Remaining = []Attribute{{Path: "status", A: survey.StatusRunning, B: live.Status.ValueString(), Meaning: meaning}}
	return unlimited
}

// explainReachedLimit explains why a live survey is not launched again that a file wants to run: it has got as many
// responses as the limit of the file, or may have. unlimited is the survey of the file without status
// and limit. The meaning is empty for any other survey.
func explainReachedLimit(ctx context.Context, desired source.Object, live survey.Fields, id string, count func(context.Context, string) responses.Number) (meaning string, unlimited source.Object, isKnown bool) {
	if desired.Stated == nil || desired.Stated.Status != survey.StatusRunning || live.EndDate.IsNull() || !live.ResponsesLimit.IsNull() {
		return "", desired, false
	}
	limit, err := desired.Stated.Survey.ResponsesLimit.Get()
	if err != nil {
		return "", desired, false
	}

	number := count(ctx, id)
	isKnown = number.Counted >= limit
	switch {
	case isKnown:
		meaning = "it has got as many responses as responses_limit says: raise that to run it again, or set status: completed"
	case number.IsKnown():
		return "", desired, false
	default:
		meaning = "whether it has got as many responses as responses_limit says is not known: " + number.Reason +
			". Run sync again when it is, launch it in PostHog if it has got fewer, or set status: completed"
	}

	spec := *desired.Stated
	spec.Status = ""
	spec.Survey.ResponsesLimit.SetNull()
	unlimited = desired
	unlimited.Stated = &spec
	return meaning, unlimited, isKnown
}

// Stopped is a survey of a file that PostHog has stopped at its limit of responses, or may have.
type Stopped struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
}

// Settle replaces the surveys of a file that people write by what they make of the other source's of
// their names: what the file leaves out, and what the service stores in another form, is no
// difference then. Neither is that PostHog stopped one at its limit: these surveys are returned. count
// counts the responses of a survey of the other side; nil where nobody can.
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
		planned, err := promote(ctx, object, live, survey.Promotion{SameProject: true}, now)
		if err != nil {
			return nil, err
		}
		planned.StartDate, planned.EndDate = live.StartDate, live.EndDate // the status tells enough
		settled, err := source.FromSurveyFields(ctx, planned)
		if err != nil {
			return nil, err
		}
		settled.ID, settled.ParentID = object.ID, object.ParentID
		for _, holder := range flags { // those of before
			delete(settled.Attributes, holder)
		}
		settled.Stated = object.Stated
		fileObjects[i] = settled
	}
	return stopped, nil
}
