package testserver

import (
	"encoding/json"

	"github.com/google/uuid"
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

// surveyConfig are the settings of a project that act on its surveys.
type surveyConfig struct {
	WaitPeriod int64 `json:"seenSurveyWaitPeriodInDays"`
}

func (p *project) entry() projectEntry {
	e := projectEntry{ID: p.id, Organization: p.organization, Name: p.name, SurveysOptIn: p.surveysOptIn}
	if p.waitPeriod != 0 {
		e.Surveys = &surveyConfig{p.waitPeriod}
	}
	return e
}

func (l *loader) project(path string, raw json.RawMessage) error {
	o := readStrict(path, raw, []string{"id", "organization_id", "name", "survey_config", "surveys_opt_in"})
	o.need("id")
	p := &project{id: o.id("id"), organization: o.uuid("organization_id"), name: o.text("name", "Project")}
	if !o.members.isNull("surveys_opt_in") {
		p.surveysOptIn = new(o.boolean("surveys_opt_in", false))
	}
	if o.has("survey_config") {
		settings := readStrict(path+".survey_config", o.members["survey_config"], []string{"seenSurveyWaitPeriodInDays"})
		p.waitPeriod = settings.integer("seenSurveyWaitPeriodInDays", 0)
		if p.waitPeriod < 0 || p.waitPeriod > maxWaitPeriod {
			settings.fail("seenSurveyWaitPeriodInDays", "must be a whole number from 0 to %d", maxWaitPeriod)
		}
		if settings.err != nil {
			return settings.err
		}
	}
	if l.store.projects[p.id] != nil {
		o.fail("id", "another project has it too")
	}
	l.store.addProject(p)

	l.later(func() error {
		if !o.has("organization_id") && len(l.store.order.organizations) > 0 {
			p.organization = l.store.order.organizations[0]
		}
		return l.knownOrganization(path+".organization_id", p.organization)
	})
	return o.err
}
