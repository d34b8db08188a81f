package cli

import (
	"context"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
)

// cohortsOf reads the cohorts of a project when they are asked for, each once.
func cohortsOf(ctx context.Context, surveys *client.Surveys) func(id int64) (review.Cohort, bool) {
	type found struct {
		cohort review.Cohort
		known  bool
	}
	read := map[int64]found{}
	return func(id int64) (review.Cohort, bool) {
		f, ok := read[id]
		if !ok {
			wire, known := surveys.Cohort(ctx, id)
			f = found{review.Cohort{Name: orEmpty(wire.Name)}, known}
			filters, err := wire.Filters.Get()
			isStatic := wire.IsStatic != nil && *wire.IsStatic
			if decoded, decodeErr := jsonvalue.Decode(filters); err == nil && decodeErr == nil && !isStatic {
				f.cohort.IsBehavioral = asksForEvents(decoded)
			}
			read[id] = f
		}
		return f.cohort, f.known
	}
}

// asksForEvents reports whether a part of the filters of a cohort is about what people did.
func asksForEvents(filters any) bool {
	switch filters := filters.(type) {
	case []any:
		return slices.ContainsFunc(filters, asksForEvents)
	case map[string]any:
		if filters["type"] == "behavioral" {
			return true
		}
		return asksForEvents(filters["values"]) || asksForEvents(filters["properties"])
	}
	return false
}
