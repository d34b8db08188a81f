package try

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
)

// Kind is what a note is about.
type Kind string

// The kinds of notes.
const (
	// StandInFlag is a feature flag of which the code knows the id alone: it is on for everybody.
	StandInFlag Kind = "stand_in_flag"
	// EmptyCohort is a cohort whose members are not known: nobody is in it.
	EmptyCohort Kind = "empty_cohort"
	// UnknownValue is an attribute that Terraform knows only after an apply.
	UnknownValue Kind = "unknown_value"
)

// Note says in what a world differs from the service.
type Note struct {
	Kind Kind
	// Name is that of the survey, Value the id of what stands in, or an attribute.
	Name, Value string
}

// contents are what a world begins with.
type contents struct {
	// document has what is known from a service, and what stands in for the rest.
	document  string
	projectID string
	// planned are the surveys of code, held those of a service or a snapshot.
	planned []planned
	held    []api.Survey
	notes   []Note
}

// planned is a survey of code, and its id if it exists already.
type planned struct {
	id, name string
	request  api.SurveyRequest
	// dates launch and stop it.
	dates api.SurveyRequest
}

// contentsOf takes the surveys of a side apart. All belong to one project.
func contentsOf(objects []side.Object) (contents, error) {
	c := contents{projectID: "1"}
	builder := snapshot.Builder{}
	var projects []string
	for _, object := range objects {
		if object.Kind != side.Survey {
			continue
		}
		if object.ParentID != "" && !slices.Contains(projects, object.ParentID) {
			projects = append(projects, object.ParentID)
		}

		if object.SurveyResponse != nil {
			if err := builder.AddSurvey(*object.SurveyResponse); err != nil {
				return c, fmt.Errorf("survey %q: %w", object.Name, err)
			}
			c.held = append(c.held, *object.SurveyResponse)
			continue
		}
		if err := c.plan(object); err != nil {
			return c, fmt.Errorf("survey %q: %w", object.Name, err)
		}
	}
	if len(projects) > 1 {
		return c, fmt.Errorf("the surveys are of %d projects (%s), and an app has the token of one: choose those of one project with --select",
			len(projects), strings.Join(projects, ", "))
	}
	if len(projects) == 1 {
		// "@current" is whatever project the key belongs to.
		if _, err := strconv.ParseInt(projects[0], 10, 64); err == nil {
			c.projectID = projects[0]
		}
	}

	builder.ProjectID = c.projectID
	document, err := builder.Document()
	if err != nil {
		return c, err
	}
	return c, c.complete(document)
}

// complete adds what the surveys refer to, and writes the document.
func (c *contents) complete(document snapshot.Document) error {
	project, err := strconv.ParseInt(c.projectID, 10, 64)
	if err != nil {
		return err
	}
	if err := c.addStandIns(&document, project); err != nil {
		return err
	}
	for _, cohort := range document.Cohorts {
		c.notes = append(c.notes, Note{Kind: EmptyCohort, Value: strconv.FormatInt(cohort.ID, 10)})
	}

	// A snapshot knows no settings of its project: surveys are tried where they are shown.
	var written strings.Builder
	if err := document.Write(&written); err != nil {
		return err
	}
	decoded, err := jsonvalue.Decode(written.String())
	if err != nil {
		return err
	}
	fields, _ := decoded.(map[string]any)
	fields["organizations"] = []any{map[string]any{"id": organizationID}}
	fields["projects"] = []any{map[string]any{
		"id": json.Number(c.projectID), "organization_id": organizationID, "api_token": token, "surveys_opt_in": true,
	}}
	delete(fields, "pipeline_import_apps")
	text, err := json.Marshal(fields)
	c.document = string(text)
	return err
}

// organizationID is the organization of a world, token the token of its project.
const (
	organizationID = "00000000-0000-0000-0000-000000000001"
	token          = "phc_try"
)
