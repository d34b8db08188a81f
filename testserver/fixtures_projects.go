package testserver

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// maxWaitPeriod is the longest wait period of a project in days.
const maxWaitPeriod = 365

// projectEntry is the entry of a project in a fixtures document.
type projectEntry struct {
	ID           int64         `json:"id"`
	Organization uuid.UUID     `json:"organization_id"`
	Name         string        `json:"name"`
	Surveys      *surveyConfig `json:"survey_config,omitempty"`
	SurveysOptIn *bool         `json:"surveys_opt_in,omitempty"`
}

// surveyConfig are the settings of a project for its surveys.
type surveyConfig struct {
	WaitPeriod int64 `json:"seenSurveyWaitPeriodInDays"`
}

func entryOfProject(p *store.Project) projectEntry {
	e := projectEntry{ID: p.ID, Organization: p.Organization, Name: p.Name, SurveysOptIn: p.SurveysOptIn}
	if p.WaitPeriod != 0 {
		e.Surveys = &surveyConfig{p.WaitPeriod}
	}
	return e
}

func (l *loader) project(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, []string{"id", "organization_id", "name", "survey_config", "surveys_opt_in"})
	o.Require("id")
	p := &store.Project{ID: o.ID("id"), Organization: o.UUID("organization_id"), Name: o.Text("name", "Project")}
	if !o.Fields.IsNull("surveys_opt_in") {
		p.SurveysOptIn = new(o.Boolean("surveys_opt_in", false))
	}
	if o.Has("survey_config") {
		settings := strictjson.Read(path+".survey_config", o.Fields["survey_config"], []string{"seenSurveyWaitPeriodInDays"})
		p.WaitPeriod = settings.Integer("seenSurveyWaitPeriodInDays", 0)
		if p.WaitPeriod < 0 || p.WaitPeriod > maxWaitPeriod {
			settings.Fail("seenSurveyWaitPeriodInDays", "must be a whole number from 0 to %d", maxWaitPeriod)
		}
		if settings.Err != nil {
			return settings.Err
		}
	}
	if l.store.Projects.Get(p.ID) != nil {
		o.Fail("id", "another project has it too")
	}
	l.store.AddProject(p)

	l.later(func() error {
		if !o.Has("organization_id") && len(l.store.OrganizationIDs()) > 0 {
			p.Organization = l.store.OrganizationIDs()[0]
		}
		return l.knownOrganization(path+".organization_id", p.Organization)
	})
	return o.Err
}
