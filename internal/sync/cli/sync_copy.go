package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
)

// copyDocument is the fixtures document of a copy of B: its objects, and what the surveys of
// A are going to refer to.
func (j *syncJob) copyDocument() (string, error) {
	builder := snapshot.Builder{OrganizationID: j.live.OrganizationID}
	if j.selected.surveys {
		builder.ProjectID = j.live.ProjectID
	}
	for _, o := range j.current {
		var err error
		if o.Kind == side.App {
			err = builder.AddApp(*o.AppResponse)
		} else {
			err = builder.AddSurvey(*o.SurveyResponse)
		}
		if err != nil {
			return "", err
		}
	}
	builder.SetResponses(j.counter.Counts())
	document, err := builder.Document()
	if err != nil {
		return "", err
	}
	if err := j.addReferences(&document); err != nil {
		return "", err
	}

	var text strings.Builder
	err = document.Write(&text)
	return text.String(), err
}

// addReferences adds the flags, actions, cohorts and insights of B that the surveys of A
// refer to and no survey of B does.
func (j *syncJob) addReferences(document *snapshot.Document) error {
	if len(document.Projects) == 0 {
		return nil
	}
	project := document.Projects[0].ID
	if err := j.addFlags(document, project); err != nil {
		return err
	}

	add := func(list *[]snapshot.Named, id int64, name string) {
		isListed := slices.ContainsFunc(*list, func(n snapshot.Named) bool { return n.ID == id })
		if !isListed {
			*list = append(*list, snapshot.Named{ID: id, ProjectID: project, Name: name})
		}
	}
	for _, id := range j.options.Actions {
		add(&document.Actions, id, fmt.Sprint("action ", id))
	}
	for _, id := range j.options.Cohorts {
		add(&document.Cohorts, id, "")
	}
	if !j.options.SameProject {
		return nil
	}

	// Within one project the ids of A are those of B.
	for _, o := range j.desired {
		if o.SurveyResponse == nil {
			continue
		}
		references := survey.ReferencesOf(*o.SurveyResponse)
		for _, action := range references.Actions {
			add(&document.Actions, action.ID, action.Name)
		}
		for _, id := range references.Cohorts {
			add(&document.Cohorts, id, "")
		}
		if id, err := o.SurveyResponse.LinkedInsightID.Get(); err == nil {
			add(&document.Insights, id, "")
		}
	}
	return nil
}

// addFlags adds the flags of B that the surveys of A refer to and the document lacks.
func (j *syncJob) addFlags(document *snapshot.Document, project int64) error {
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

	for key, id := range j.options.Flags {
		if listed[id] {
			continue
		}
		listed[id] = true
		raw, err := json.Marshal(map[string]any{"id": id, "project_id": project, "key": j.options.FlagKeys[key]})
		if err != nil {
			return err
		}
		document.FeatureFlags = append(document.FeatureFlags, raw)
	}
	return nil
}
