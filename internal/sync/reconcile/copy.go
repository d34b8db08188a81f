package reconcile

import (
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// CopyDocument returns a document with a copy of B: B's objects with their response counts, and all other
// objects that A's surveys reference. withSurveys is set if the plan compares surveys.
func CopyDocument(desired, current []source.Object, o Options, withSurveys bool, counts map[string]int64) (snapshot.Document, error) {
	builder := snapshot.Builder{OrganizationID: o.OrganizationID}
	if withSurveys {
		builder.ProjectID = o.ProjectID
	}
	for _, object := range current {
		var err error
		if object.Kind == source.App {
			err = builder.AddApp(*object.AppResponse)
		} else {
			err = builder.AddSurvey(*object.Whole().SurveyResponse)
		}
		if err != nil {
			return snapshot.Document{}, err
		}
	}
	builder.SetResponses(counts)
	document, err := builder.Document()
	if err != nil || len(document.Projects) == 0 {
		return document, err
	}
	return document, o.addReferences(&document, desired)
}

// addReferences adds B's flags, actions, cohorts, and insights that only A's surveys reference.
func (o Options) addReferences(document *snapshot.Document, desired []source.Object) error {
	for key, id := range o.Flags {
		if err := document.AddFlag(id, map[string]any{"key": o.FlagKeys[key]}); err != nil {
			return err
		}
	}
	for _, id := range o.Actions {
		document.AddNamed(&document.Actions, id, fmt.Sprint("action ", id))
	}
	for _, id := range o.Cohorts {
		document.AddNamed(&document.Cohorts, id, "")
	}
	if !o.SameProject {
		return nil
	}

	// Within one project, IDs are the same in A and B.
	for _, object := range desired {
		response := surveyResponse(object)
		if response == nil {
			continue
		}
		references := survey.FindReferences(*response)
		for _, id := range references.UnknownFlags {
			if err := document.AddFlag(id, map[string]any{"key": fmt.Sprint("flag-", id)}); err != nil {
				return err
			}
		}
		for _, action := range references.Actions {
			document.AddNamed(&document.Actions, action.ID, action.Name)
		}
		for _, id := range references.Cohorts {
			document.AddNamed(&document.Cohorts, id, "")
		}
		if id, err := response.LinkedInsightID.Get(); err == nil {
			document.AddNamed(&document.Insights, id, "")
		}
	}
	return nil
}
