package testserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
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
	o := wire.ReadEntry(path, raw, []string{"id", "organization_id", "name", "api_token", "survey_config", "surveys_opt_in", "group_types"})
	o.Require("id")
	p := &store.Project{ID: o.ID("id"), Organization: o.UUID("organization_id"), Name: o.Text("name", "Project"), Token: o.Text("api_token", "")}
	if !o.Fields.IsNull("surveys_opt_in") {
		p.SurveysOptIn = new(o.Boolean("surveys_opt_in", false))
	}
	if o.Has("survey_config") {
		settings := wire.ReadEntry(path+".survey_config", o.Fields["survey_config"], []string{"seenSurveyWaitPeriodInDays"})
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
	case o.Has("api_token") && !sdk.IsToken(p.Token):
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
func readGroupTypes(o *wire.Entry) []string {
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

// cohortEntry is the entry of a cohort in a fixtures document.
type cohortEntry struct {
	ID          int64           `json:"id"`
	Project     int64           `json:"project_id"`
	Name        string          `json:"name"`
	Behavioral  any             `json:"behavioral"`
	Backfilling bool            `json:"backfilling,omitempty"`
	Filters     json.RawMessage `json:"filters,omitempty"`
	IsStatic    bool            `json:"is_static,omitempty"`
	// Members are the distinct ids of the people of a static cohort.
	Members []string `json:"members,omitempty"`
}

func entryOfCohort(c *store.Cohort) cohortEntry {
	return cohortEntry{c.ID, c.Project, c.Name, c.Behavioral(), c.Backfilling, c.Filters, c.IsStatic, c.Members}
}

func (l *loader) cohort(path string, raw json.RawMessage) error {
	o := wire.ReadEntry(path, raw, []string{"id", "project_id", "name", "behavioral", "backfilling", "filters", "is_static", "members"})
	o.Require("id", "project_id")
	c := &store.Cohort{ID: o.ID("id"), Project: o.ID("project_id"), Name: o.Text("name", "Cohort"), Backfilling: o.Boolean("backfilling", false)}
	c.Events = readEvents(o)
	c.IsStatic, c.Members = o.Boolean("is_static", o.Has("members")), o.Texts("members")
	if !o.Fields.IsNull("filters") {
		c.Filters = o.Fields["filters"]
	}
	switch {
	case c.Filters != nil && !wire.IsObject(c.Filters):
		o.Fail("filters", "must be an object, is %s", wire.KindOf(c.Filters))
	case len(c.Members) > 0 && !c.IsStatic:
		o.Fail("members", "is for static cohorts: the people of this one are chosen by its filters")
	}
	isTaken := l.store.Cohorts.Get(c.ID) != nil
	l.store.AddCohort(c)
	return l.of(c.Project, o, isTaken, "cohort")
}

// readEvents reads behavioral: the conditions on events, or true for one on page views.
func readEvents(o *wire.Entry) []store.EventCondition {
	const name = "behavioral"
	if !wire.IsArray(o.Fields[name]) {
		if o.Boolean(name, false) {
			return []store.EventCondition{store.PageViews}
		}
		return nil
	}
	var events []store.EventCondition
	o.List(name, func(path string, item json.RawMessage) error {
		event := wire.ReadEntry(path, item, []string{"key", "value"})
		event.Require("key")
		if event.Err == nil {
			events = append(events, store.EventCondition{Key: event.Text("key", ""), Value: event.Text("value", "performed_event")})
		}
		return event.Err
	})
	return events
}

func (l *loader) insight(path string, raw json.RawMessage) error {
	o := wire.ReadEntry(path, raw, []string{"id", "project_id", "name"})
	o.Require("id", "project_id")
	i := &store.Insight{ID: o.ID("id"), Project: o.ID("project_id"), Name: o.Text("name", "Insight")}
	isTaken := l.store.Insights.Get(i.ID) != nil
	l.store.AddInsight(i)
	return l.of(i.Project, o, isTaken, "insight")
}

// appSourceKeys are the keys of an app_sources entry: the code that the hosted service
// finds when it installs an app from a URL. plugin_json is null if it finds none.
var appSourceKeys = []string{"url", "tag", "plugin_json"}

func (l *loader) appSource(path string, raw json.RawMessage) error {
	o := wire.ReadEntry(path, raw, appSourceKeys)
	o.Require("url", "plugin_json")
	s := store.Source{Tag: o.Text("tag", store.NewestTag), Description: o.Fields["plugin_json"]}
	address := o.Text("url", "")
	s.URL, _, _ = strings.Cut(address, "?")
	if !strings.HasPrefix(address, "file:") {
		s.URL = strings.Trim(s.URL, "/")
	}
	switch taken := l.store.Sources.Has(s.URL); {
	case o.Err != nil:
		return o.Err
	case taken:
		o.Fail("url", "another entry has it too")
	case s.Description[0] != '{' && s.Description[0] != 'n':
		o.Fail("plugin_json", "must be an object or null, is %s", wire.KindOf(s.Description))
	}
	l.store.AddSource(s)
	return o.Err
}

// flagEntryKeys are the keys of a feature_flags entry.
var flagEntryKeys = append(slices.DeleteFunc(api.Fields("FeatureFlag"), func(name string) bool { return name == "team_id" }), append(flagOnlyMembers, "project_id")...)

func (l *loader) flag(path string, raw json.RawMessage) error {
	f, err := readFlag(path, raw)
	if err != nil {
		return err
	}
	if l.store.Flags.Get(f.ID) != nil {
		return fmt.Errorf("%s.id: another feature flag has it too", path)
	}
	l.store.AddFlag(f)
	l.later(func() error { return l.knownProject(path+".project_id", f.Project) })
	return nil
}

func readFlag(path string, raw json.RawMessage) (*store.Flag, error) {
	o := wire.ReadEntry(path, raw, flagEntryKeys)
	o.Require("id", "project_id", "key")
	store.FlagTable.CheckEntry(o)
	if !o.Fields.IsNull(flagAuthor) {
		o.Integer(flagAuthor, 0)
	}
	f := &store.Flag{ID: o.ID("id"), Project: o.ID("project_id")}
	if o.Err == nil {
		f.Object = store.NewObject(store.FlagTable, o.Fields, []string{"id", "project_id"})
	}
	return f, o.Err
}

func (l *loader) response(path string, raw json.RawMessage) error {
	o := wire.ReadEntry(path, raw, []string{"survey_id", "count", "at", "project_id", "archived", "submission_id"})
	o.Require("survey_id", "count")
	r := store.ResponseCount{Survey: o.UUID("survey_id"), Project: o.ID("project_id"), Count: o.Integer("count", 0), At: o.Fields["at"]}
	r.Archived, r.Submission = o.Boolean("archived", false), o.Text("submission_id", "")
	switch {
	case r.At == nil:
		r.At = json.RawMessage("null")
	case r.At[0] != 'n' && !wire.IsTimestamp(r.At):
		o.Fail("at", "must be a date-time, is %s", r.At)
	}
	if r.Count < 0 {
		o.Fail("count", "must not be below 0, is %s", strconv.FormatInt(r.Count, 10))
	}
	l.last = append(l.last, func() error { return l.resolveResponse(path, r) })
	return o.Err
}

// resolveResponse finds the project of a response. Responses outlive their survey: those of a deleted
// one have a project_id.
func (l *loader) resolveResponse(path string, r store.ResponseCount) error {
	if s := l.store.Survey(r.Survey); s != nil {
		r.Project = s.Project
	} else if r.Project == 0 {
		return fmt.Errorf("%s.survey_id: there is no survey %s; answers to a deleted one need a project_id", path, r.Survey)
	}
	l.store.AddResponse(r)
	return l.knownProject(path+".project_id", r.Project)
}

// readApp reads an app entry, which has the form of a response. Keys that the contract does
// not know come from a newer service and are kept.
func readApp(path string, raw json.RawMessage) (*store.App, error) {
	o := wire.ReadEntry(path, raw, nil)
	o.Require("organization_id", "id", "name")
	store.AppTable.CheckEntry(o)
	a := &store.App{ID: o.ID("id"), Organization: o.UUID("organization_id")}
	if o.Err == nil {
		a.Object = store.NewObject(store.AppTable, o.Fields, []string{"id", "organization_id", "organization_name"})
	}
	return a, o.Err
}

func (l *loader) app(path string, raw json.RawMessage) error {
	a, err := readApp(path, raw)
	if err == nil && l.store.Apps.Get(a.ID) != nil {
		err = fmt.Errorf("%s.id: another app has it too", path)
	}
	if err != nil {
		return err
	}
	l.store.AddLoadedApp(a)
	l.apps[a.Organization] = append(l.apps[a.Organization], a)
	l.later(func() error { return l.knownOrganization(path+".organization_id", a.Organization) })
	return nil
}

// putApp adds or replaces an app of a live store. If it is invalid, nothing changes.
func (l *loader) putApp(path string, raw json.RawMessage, before *store.App) (*store.App, error) {
	a, err := readApp(path, raw)
	if err == nil && before != nil && a.ID != before.ID {
		err = fmt.Errorf("%s: id cannot be changed", path)
	}
	if err == nil {
		err = l.knownOrganization(path+".organization_id", a.Organization)
	}
	if err == nil && l.store.Apps.Get(a.ID) != before {
		err = fmt.Errorf("%s.id: another app has it too", path)
	}
	if err != nil {
		return nil, err
	}
	if before != nil {
		l.store.RemoveApp(before)
	}
	l.store.AddApp(a)
	return a, nil
}
