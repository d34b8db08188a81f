package cli

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/sdkversion"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// surveyChecks are the checks of a survey in the order in which the SDKs decide, and last what
// they do with a survey that they show.
var surveyChecks = []string{
	"status", "type", "linked flag", "targeting", "internal flag", "wait period", "repetition", "conditions", "limit", "project", "display", "questions", "sdk",
}

// addCauses adds what may keep the SDKs from showing a survey as was meant, each after the
// check that it belongs to.
func (r *doctorReport) addCauses(ctx context.Context, survey api.Survey, all []api.Survey, source *live) error {
	objects := make([]side.Object, len(all))
	for i, wire := range all {
		object, err := side.FromSurvey(ctx, wire, source.ProjectID)
		if err != nil {
			return err
		}
		objects[i] = object
	}
	causes, err := review.Causes(objects, *survey.ID, review.Options{Cohort: cohortsOf(ctx, source.client.Surveys(source.ProjectID))})
	if err != nil {
		return err
	}

	for _, object := range objects {
		if needs := sdkversion.Needs(object.Attributes); object.ID == *survey.ID && needs != "" {
			r.Checks = append(r.Checks, doctorCheck{doctor.OK, "sdk", "its settings work with " + needs})
		}
	}
	for _, cause := range causes {
		r.Checks = append(r.Checks, doctorCheck{doctor.Warning, string(cause.Stage), cause.Message})
	}
	slices.SortStableFunc(r.Checks, func(a, b doctorCheck) int {
		return cmp.Compare(slices.Index(surveyChecks, a.Check), slices.Index(surveyChecks, b.Check))
	})
	return nil
}

// collected reads all elements, or fails with the first error.
func collected[T any](all iter.Seq2[T, error]) ([]T, error) {
	var list []T
	for element, err := range all {
		if err != nil {
			return nil, err
		}
		list = append(list, element)
	}
	return list, nil
}

// each iterates over what has been read.
func each[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, element := range list {
			if !yield(element, nil) {
				return
			}
		}
	}
}
