package testserver

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/delivery"
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
	Token        string        `json:"api_token,omitempty"`
	Surveys      *surveyConfig `json:"survey_config,omitempty"`
	SurveysOptIn *bool         `json:"surveys_opt_in,omitempty"`
	GroupTypes   []string      `json:"group_types,omitempty"`
}

// surveyConfig are the settings of a project for its surveys.
type surveyConfig struct {
	WaitPeriod int64 `json:"seenSurveyWaitPeriodInDays"`
}

func entryOfProject(p *store.Project) projectEntry {
	e := projectEntry{ID: p.ID, Organization: p.Organization, Name: p.Name, Token: p.Token, SurveysOptIn: p.SurveysOptIn, GroupTypes: p.GroupTypes}
	if p.WaitPeriod != 0 {
		e.Surveys = &surveyConfig{p.WaitPeriod}
	}
	return e
}

func (l *loader) project(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, []string{"id", "organization_id", "name", "api_token", "survey_config", "surveys_opt_in", "group_types"})
	o.Require("id")
	p := &store.Project{ID: o.ID("id"), Organization: o.UUID("organization_id"), Name: o.Text("name", "Project"), Token: o.Text("api_token", "")}
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
	p.GroupTypes = readGroupTypes(o)
	if l.store.Projects.Get(p.ID) != nil {
		o.Fail("id", "another project has it too")
	}
	switch {
	case o.Has("api_token") && !delivery.IsToken(p.Token):
		o.Fail("api_token", "must be 1 to 200 letters, digits, hyphens and underscores, is %q", p.Token)
	case l.store.ProjectWithToken(p.Token) != nil:
		o.Fail("api_token", "another project has it too")
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

// maxGroupTypes is the number of types of groups that a project can have.
const maxGroupTypes = 5

// readGroupTypes reads the names of a project's types of groups, whose places are the indexes
// that flags name them by.
func readGroupTypes(o *strictjson.Object) []string {
	names := o.Texts("group_types")
	if len(names) > maxGroupTypes {
		o.Fail("group_types", "must not be more than %d, is %d", maxGroupTypes, len(names))
	}
	for i, name := range names {
		switch {
		case name == "":
			o.Fail(fmt.Sprintf("group_types[%d]", i), "must not be empty")
		case slices.Contains(names[:i], name):
			o.Fail(fmt.Sprintf("group_types[%d]", i), "is there twice")
		}
	}
	return names
}
