package reconcile

import (
	"context"
	"fmt"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// limitAttributes are the attributes that differ after PostHog stopped a survey at its response limit.
var limitAttributes = []string{"start_date", "end_date", "responses_limit"}

// WithoutReachedLimits returns the differences between two projects without surveys that run in A, and that PostHog
// stopped in B at A's response limit, which it then cleared. It returns these surveys, and the adjusted summary. count
// counts the responses of a survey in B.
func WithoutReachedLimits(ctx context.Context, objects []Object, summary Summary, count func(ctx context.Context, id string) responses.Number) ([]Object, Summary, []Stopped) {
	var stopped []Stopped
	remaining := []Object{}
	for _, object := range objects {
		limit, ok := object.clearedLimit()
		if !ok {
			remaining = append(remaining, object)
			continue
		}

		number := count(ctx, object.IDB)
		if meaning := limitMeaning(number, limit, false); meaning != "" {
			stopped = append(stopped, Stopped{object.Name, meaning})
		}
		if number.Counted >= limit {
			object.Attributes = slices.DeleteFunc(slices.Clone(object.Attributes), func(a Attribute) bool { return slices.Contains(limitAttributes, a.Path) })
		}
		if len(object.Attributes) == 0 {
			summary.Changed--
			summary.Same++
			continue
		}
		remaining = append(remaining, object)
	}
	return remaining, summary, stopped
}

// clearedLimit returns A's response limit if A runs, and B is another survey that is stopped and has none.
func (o Object) clearedLimit() (limit int64, ok bool) {
	isStopped, isDraft := false, false
	for _, a := range o.Attributes {
		switch a.Path {
		case "start_date":
			isDraft = a.A == nil
		case "end_date":
			isStopped = a.A == nil && a.B != nil
		case "responses_limit":
			if a.A != nil && a.B == nil {
				_, err := fmt.Sscan(jsonvalue.String(a.A), &limit)
				ok = err == nil
			}
		}
	}
	return limit, ok && isStopped && !isDraft && o.IsCopy && o.Kind == source.Survey && o.Change == Changed
}

// limitMeaning explains why a survey that should run is not launched again. It is empty if the survey has fewer
// responses than its limit. isStated is set if a file describes the survey, and not a survey in another project.
func limitMeaning(number responses.Number, limit int64, isStated bool) string {
	remedy := "also stop it in the other project"
	if isStated {
		remedy = "set status: completed"
	}

	switch {
	case number.Counted >= limit:
		return "it has reached responses_limit. To run it again, raise the limit. To keep it stopped, " + remedy
	case number.IsKnown():
		return ""
	}
	return "it is unknown whether it has reached responses_limit: " + number.Reason +
		". Run sync again later, launch it in PostHog if it has fewer responses, or " + remedy
}

// runningLimit returns the response limit of a survey that should run.
func runningLimit(desired source.Object) (limit int64, ok bool) {
	response := surveyResponse(desired)
	if response == nil {
		return 0, false
	}
	limit, err := response.ResponsesLimit.Get()
	if desired.Stated != nil {
		return limit, err == nil && desired.Stated.Status == survey.StatusRunning
	}
	_, startErr := response.StartDate.Get()
	_, endErr := response.EndDate.Get() // fails without a date
	return limit, err == nil && startErr == nil && endErr != nil
}
