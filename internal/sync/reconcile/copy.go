package reconcile

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// CopyOf is a document with a copy of B: its objects, with their numbers of responses, and what
// the surveys of A are going to refer to. withSurveys is set where surveys are compared.
func CopyOf(desired, current []side.Object, o Options, withSurveys bool, counts map[string]int64) (side.SnapshotDocument, error) {
	builder := side.SnapshotBuilder{OrganizationID: o.OrganizationID}
	if withSurveys {
		builder.ProjectID = o.ProjectID
	}
	for _, one := range current {
		var err error
		if one.Kind == side.App {
			err = builder.AddApp(*one.AppResponse)
		} else {
			err = builder.AddSurvey(*one.SurveyResponse)
		}
		if err != nil {
			return side.SnapshotDocument{}, err
		}
	}
	builder.SetResponses(counts)
	document, err := builder.Document()
	if err != nil || len(document.Projects) == 0 {
		return document, err
	}
	return document, o.addReferences(&document, desired)
}

// addReferences adds the flags, actions, cohorts and insights of B that the surveys of A
// refer to and no survey of B does.
func (o Options) addReferences(document *side.SnapshotDocument, desired []side.Object) error {
	project := document.Projects[0].ID
	if err := o.addFlags(document, project); err != nil {
		return err
	}

	add := func(list *[]side.Named, id int64, name string) {
		isListed := slices.ContainsFunc(*list, func(n side.Named) bool { return n.ID == id })
		if !isListed {
			*list = append(*list, side.Named{ID: id, ProjectID: project, Name: name})
		}
	}
	for _, id := range o.Actions {
		add(&document.Actions, id, fmt.Sprint("action ", id))
	}
	for _, id := range o.Cohorts {
		add(&document.Cohorts, id, "")
	}
	if !o.SameProject {
		return nil
	}

	// Within one project the ids of A are those of B.
	for _, one := range desired {
		if one.SurveyResponse == nil {
			continue
		}
		references := survey.ReferencesOf(*one.SurveyResponse)
		for _, action := range references.Actions {
			add(&document.Actions, action.ID, action.Name)
		}
		for _, id := range references.Cohorts {
			add(&document.Cohorts, id, "")
		}
		if id, err := one.SurveyResponse.LinkedInsightID.Get(); err == nil {
			add(&document.Insights, id, "")
		}
	}
	return nil
}

// addFlags adds the flags of B that the surveys of A refer to and the document lacks.
func (o Options) addFlags(document *side.SnapshotDocument, project int64) error {
	listed := map[int64]bool{}
	for _, raw := range document.FeatureFlags {
		var flag struct {
			ID int64 `json:"id"`
		}
		if err := json.Unmarshal(raw, &flag); err != nil {
			return err
		}
		listed[flag.ID] = true
	}

	for key, id := range o.Flags {
		if listed[id] {
			continue
		}
		listed[id] = true
		raw, err := json.Marshal(map[string]any{"id": id, "project_id": project, "key": o.FlagKeys[key]})
		if err != nil {
			return err
		}
		document.FeatureFlags = append(document.FeatureFlags, raw)
	}
	return nil
}
