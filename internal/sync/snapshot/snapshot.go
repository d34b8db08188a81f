// Package snapshot reads and writes snapshots. A snapshot contains the surveys and import apps of a project
// and an organization in the test server's fixtures format. It must not contain API keys, secret defaults,
// or persons. The package sends no requests: the caller passes the HTTP responses to a [Builder].
package snapshot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/inputfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Document is a fixtures document for the test server. It contains the surveys and import apps of a project
// and an organization, without API keys. Its lists are sorted by ID, and its objects' keys by name, so that
// two snapshots can be compared line by line.
type Document struct {
	// Removed lists the features that this PostHog version no longer supports, in the test server's
	// format.
	Removed       []string       `json:"removed,omitempty"`
	Organizations []Organization `json:"organizations,omitempty"`
	Projects      []Project      `json:"projects,omitempty"`
	// FeatureFlags contains the flags that surveys reference.
	FeatureFlags []json.RawMessage `json:"feature_flags"`
	Actions      []Named           `json:"actions,omitempty"`
	Cohorts      []Named           `json:"cohorts,omitempty"`
	Insights     []Named           `json:"insights,omitempty"`
	// Surveys contains responses with an added project_id.
	Surveys            []json.RawMessage `json:"surveys"`
	PipelineImportApps []json.RawMessage `json:"pipeline_import_apps"`
	Responses          []Responses       `json:"responses,omitempty"`
}

// removedApps is the name for import apps under the key removed.
const removedApps = "pipeline_import_apps"

// Organization is an organization in a snapshot.
type Organization struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
}

// Project is a project in a snapshot.
type Project struct {
	ID             int64  `json:"id"`
	OrganizationID string `json:"organization_id,omitempty"`
}

// Named is an object that surveys reference by ID: an action, a cohort, or an insight.
type Named struct {
	ID        int64  `json:"id"`
	ProjectID int64  `json:"project_id"`
	Name      string `json:"name,omitempty"`
	// Steps contains the events that an action matches.
	Steps []any `json:"steps,omitempty"`
}

// Responses is a survey's number of responses.
type Responses struct {
	SurveyID string `json:"survey_id"`
	Count    int64  `json:"count"`
}

// AddNamed adds one of the project's actions, cohorts, or insights to a list, unless the list already
// contains it.
func (d *Document) AddNamed(list *[]Named, id int64, name string) {
	addNamed(list, Named{ID: id, ProjectID: d.Projects[0].ID, Name: name})
}

func addNamed(list *[]Named, object Named) {
	if !slices.ContainsFunc(*list, func(n Named) bool { return n.ID == object.ID }) {
		*list = append(*list, object)
	}
}

// AddFlag adds one of the project's feature flags, unless the document already contains a flag with its ID.
func (d *Document) AddFlag(id int64, fields map[string]any) error {
	for _, raw := range d.FeatureFlags {
		var flag struct {
			ID int64 `json:"id"`
		}
		if err := json.Unmarshal(raw, &flag); err != nil || flag.ID == id {
			return err
		}
	}
	fields["id"], fields["project_id"] = id, d.Projects[0].ID
	raw, err := encode(fields)
	d.FeatureFlags = append(d.FeatureFlags, raw)
	return err
}

// Write writes the indented document with a trailing newline.
func (d Document) Write(to io.Writer) error {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(d)
}

// RecordedSurvey is a survey in a snapshot.
type RecordedSurvey struct {
	ProjectID string
	api.Survey
}

// RecordedApp is an import app in a snapshot.
type RecordedApp struct {
	OrganizationID string
	api.PipelineImportApp
}

// Contents contains the objects of a snapshot, or of any fixtures document.
type Contents struct {
	Surveys []RecordedSurvey
	Apps    []RecordedApp
	// HasSurveys is set if the document describes a project, even one without surveys. HasApps is set if
	// it describes an organization.
	HasSurveys, HasApps bool
}

// ignored lists the keys of a fixtures document that contain neither surveys nor import apps. Test server
// dumps contain all of the server's keys, and a test parses such a dump.
type ignored struct {
	Clock        json.RawMessage `json:"clock"`
	Users        json.RawMessage `json:"users"`
	Keys         json.RawMessage `json:"api_keys"`
	FeatureFlags json.RawMessage `json:"feature_flags"`
	Actions      json.RawMessage `json:"actions"`
	Cohorts      json.RawMessage `json:"cohorts"`
	Insights     json.RawMessage `json:"insights"`
	AppSources   json.RawMessage `json:"app_sources"`
	Responses    json.RawMessage `json:"responses"`
}

// Parse parses a document. An unknown key is an error. Otherwise, a misspelled list would count as empty,
// and sync might delete objects that a source does not contain.
func Parse(text []byte) (Contents, error) {
	var document struct {
		ignored
		Removed       []string          `json:"removed"`
		Organizations []json.RawMessage `json:"organizations"`
		Projects      []json.RawMessage `json:"projects"`
		Surveys       []json.RawMessage `json:"surveys"`
		Apps          []json.RawMessage `json:"pipeline_import_apps"`
	}
	if err := jsonvalue.UnmarshalKnown(text, &document); err != nil {
		return Contents{}, fmt.Errorf("the file is not a snapshot: %w", err)
	}

	c := Contents{
		HasSurveys: len(document.Projects)+len(document.Surveys) > 0,
		HasApps:    len(document.Organizations)+len(document.Apps) > 0 && !slices.Contains(document.Removed, removedApps),
	}
	for i, raw := range document.Surveys {
		survey, err := readSurvey(raw)
		if err != nil {
			return Contents{}, fmt.Errorf("surveys[%d]: %w", i, err)
		}
		c.Surveys = append(c.Surveys, survey)
	}
	for i, raw := range document.Apps {
		app, err := readApp(raw)
		if err != nil {
			return Contents{}, fmt.Errorf("pipeline_import_apps[%d]: %w", i, err)
		}
		c.Apps = append(c.Apps, app)
	}
	return c, nil
}

// readSurvey reads a survey and its project. The API contract has no field for the project, because the
// project is part of the request path.
func readSurvey(raw json.RawMessage) (RecordedSurvey, error) {
	var owner struct {
		ProjectID *int64 `json:"project_id"`
	}
	var s RecordedSurvey
	if err := json.Unmarshal(raw, &owner); err != nil {
		return s, err
	}
	if err := json.Unmarshal(raw, &s.Survey); err != nil {
		return s, err
	}
	if owner.ProjectID == nil || s.ID == nil {
		return s, errors.New("needs id and project_id")
	}
	if uuid.Validate(*s.ID) != nil || len(*s.ID) != len(uuid.UUID{}.String()) {
		return s, fmt.Errorf("the ID %q is not a UUID, so this is not a survey", *s.ID)
	}
	s.ProjectID = strconv.FormatInt(*owner.ProjectID, 10)
	delete(s.AdditionalProperties, "project_id")
	return s, nil
}

func readApp(raw json.RawMessage) (RecordedApp, error) {
	var a RecordedApp
	if err := json.Unmarshal(raw, &a.PipelineImportApp); err != nil {
		return a, err
	}
	organization, err := a.PipelineImportApp.OrganizationID.Get()
	if err != nil || a.ID == nil {
		return a, errors.New("needs id and organization_id")
	}
	a.OrganizationID = organization
	return a, nil
}

// decode decodes an object without rounding its numbers.
func decode(raw []byte) (map[string]any, error) {
	var value map[string]any
	err := jsonvalue.Unmarshal(raw, &value)
	return value, err
}

// encode encodes JSON with sorted keys.
func encode(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// Open reads a document from a file.
func Open(path string) (Contents, error) {
	text, err := inputfile.Read(path)
	if err != nil {
		return Contents{}, err
	}
	contents, err := Parse(text)
	if err != nil {
		return Contents{}, fmt.Errorf("%s: %w", path, err)
	}
	return contents, nil
}

// Objects returns a snapshot's objects, and removes the surveys from contents. as converts each object, for
// example with [source.Object.Shelved].
func Objects(ctx context.Context, contents Contents, as func(source.Object) source.Object) ([]source.Object, error) {
	var objects []source.Object
	for i, survey := range contents.Surveys {
		object, err := source.FromSurvey(ctx, survey.Survey, survey.ProjectID)
		if err != nil {
			return nil, err
		}
		objects = append(objects, as(object))
		contents.Surveys[i] = RecordedSurvey{}
	}
	for _, app := range contents.Apps {
		object, err := source.FromApp(ctx, app.PipelineImportApp, app.OrganizationID)
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}
