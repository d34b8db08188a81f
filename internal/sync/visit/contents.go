package visit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// contents contains a world's initial objects.
type contents struct {
	// document contains the known PostHog objects, and stand-ins for unknown objects.
	document  string
	projectID string
	// planned contains the surveys from configuration. held contains the surveys from PostHog or a snapshot.
	planned []planned
	held    []api.Survey
	// notes describes how the world differs from PostHog.
	notes []string
}

// planned is a survey from configuration. It has an ID if the survey already exists.
type planned struct {
	id, name string
	request  api.SurveyRequest
	// dates contains the dates that launch and stop the survey.
	dates api.SurveyRequest
}

// readContents sorts the surveys of a source into contents. All surveys must belong to one project.
func readContents(objects []source.Object) (contents, error) {
	c := contents{projectID: "1"}
	builder := snapshot.Builder{}
	var projects []string
	for _, object := range objects {
		if object.Kind != source.Survey {
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
		return c, fmt.Errorf("the surveys are from %d projects (%s), but an app uses the token of only one project. Use --select to choose the surveys of one project",
			len(projects), strings.Join(projects, ", "))
	}
	if len(projects) == 1 {
		// "@current" refers to the API key's project, so it is not a fixed ID.
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

// complete adds the objects that surveys reference, and encodes the document.
func (c *contents) complete(document snapshot.Document) error {
	if err := c.addStandIns(&document); err != nil {
		return err
	}
	for _, cohort := range document.Cohorts {
		c.notes = append(c.notes, fmt.Sprintf("The members of cohort %d are unknown, so it is treated as empty.", cohort.ID))
	}

	// A snapshot does not contain its project's settings. The world enables surveys, so that users can try them.
	var written strings.Builder
	if err := document.Write(&written); err != nil {
		return err
	}
	decoded, err := jsonvalue.Decode(written.String())
	if err != nil {
		return err
	}
	fields, _ := decoded.(map[string]any)
	fields["organizations"] = []any{map[string]any{"id": organizationID, "features": features}}
	fields["projects"] = []any{map[string]any{
		"id": json.Number(c.projectID), "organization_id": organizationID, "api_token": token, "surveys_opt_in": true,
	}}
	delete(fields, "pipeline_import_apps")
	text, err := json.Marshal(fields)
	c.document = string(text)
	return err
}

// features lists the features of the world's organization: all features that surveys can use. A real
// organization's plan does not affect who sees a survey.
var features = []any{testserver.FeatureListFilters, testserver.FeatureProjectWaitPeriod, testserver.FeatureWhiteLabelling}

// organizationID is the ID of the world's organization, and token is its project's token.
const (
	organizationID = "00000000-0000-0000-0000-000000000001"
	token          = "phc_try"
)

// notRequested lists request fields that a world does not need, because PostHog computes them or they
// affect only PostHog's own pages.
var notRequested = []string{
	"remove_targeting_flag", "response_sampling_daily_limits", "current_iteration", "current_iteration_start_date",
	"iteration_start_dates", "linked_insight_id", "archived", "start_date", "end_date",
}

// decisive lists attributes whose actual values determine who sees a survey. The world needs their values,
// but does not print them.
var decisive = []string{"targeting_flag_filters", "targeting_flag_id", "linked_flag_id", "conditions"}

// plan adds a survey from configuration. It adds the request that creates the survey and the request that
// launches it.
func (c *contents) plan(object source.Object) error {
	body := map[string]any{}
	for _, name := range api.Fields("SurveyRequest") {
		value, isSet := object.Attributes[name]
		switch {
		case !isSet || slices.Contains(notRequested, name):
		case name == "questions":
			body[name] = source.WireQuestions(source.Shown(value))
		case slices.Contains(decisive, name):
			body[name] = source.Plain(value)
		default:
			body[name] = source.Shown(value)
		}
	}
	p := planned{id: object.ID, name: object.Name}
	if err := recode(body, &p.request); err != nil {
		return fmt.Errorf("its attributes cannot be converted to a request: %w", err)
	}
	if err := recode(surveyDates(object), &p.dates); err != nil {
		return fmt.Errorf("its dates cannot be converted to a request: %w", err)
	}
	c.planned = append(c.planned, p)

	// For other unknown attributes, the world uses PostHog's default.
	for _, name := range object.Unknown {
		if name == "questions" || slices.Contains(decisive, name) {
			c.notes = append(c.notes, fmt.Sprintf("The %s of survey %q is known only after apply, so it is treated as not set.", name, object.Name))
		}
	}
	return nil
}

// launchedBefore is the start date of surveys that the configuration sets to running without a start date.
const launchedBefore = "2020-01-01T00:00:00Z"

// surveyDates returns a survey's dates. If its attributes do not contain dates, the dates follow from the
// status.
func surveyDates(object source.Object) map[string]any {
	dates := map[string]any{}
	for _, name := range []string{"start_date", "end_date"} {
		if value := object.Attributes[name]; value != nil {
			dates[name] = source.Plain(value)
		}
	}
	status, _ := source.Plain(object.Attributes["status"]).(string)
	if dates["start_date"] == nil && (status == "running" || status == "completed") {
		dates["start_date"] = launchedBefore
	}
	if dates["end_date"] == nil && status == "completed" {
		dates["end_date"] = launchedBefore
	}
	if archived, _ := source.Plain(object.Attributes["archived"]).(bool); archived {
		dates["archived"] = true
	}
	return dates
}

// startedAt returns the request that launches a survey at a time.
func startedAt(t time.Time) api.SurveyRequest {
	return api.SurveyRequest{StartDate: nullable.NewNullableWithValue(t.UTC().Format(time.RFC3339))}
}

// recode converts a value through JSON.
func recode(input any, output any) error {
	raw, err := json.Marshal(input)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, output)
}

// asResponse converts a request to a response, which contains the targeting as a flag.
func asResponse(request api.SurveyRequest) (api.Survey, error) {
	var wire api.Survey
	if err := recode(request, &wire); err != nil {
		return wire, err
	}

	if id, err := request.TargetingFlagID.Get(); err == nil {
		wire.TargetingFlag.Set(api.FeatureFlag{ID: &id})
	}
	if raw, err := request.TargetingFlagFilters.Get(); err == nil {
		flag := api.FeatureFlag{ID: new(int64(0)), Key: new(survey.OwnFlagPrefix)}
		if err := json.Unmarshal(raw, &flag.Filters); err != nil {
			return wire, fmt.Errorf("targeting_flag_filters: %w", err)
		}
		wire.TargetingFlag.Set(flag)
	}
	return wire, nil
}
