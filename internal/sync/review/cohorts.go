package review

import (
	"context"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// CohortsOf reads the cohorts of a project when they are asked for, each once.
func CohortsOf(ctx context.Context, surveys *client.Surveys) func(id int64) (Cohort, bool) {
	type found struct {
		cohort Cohort
		known  bool
	}
	read := map[int64]found{}
	return func(id int64) (Cohort, bool) {
		f, ok := read[id]
		if !ok {
			wire, known := surveys.Cohort(ctx, id)
			f.known = known
			f.cohort.Name, _ = wire.Name.Get() // none for null
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
