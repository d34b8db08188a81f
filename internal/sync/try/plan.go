package try

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// notRequested are fields of a request that a world does without: the service computes them,
// or they are about the web interface.
var notRequested = []string{
	"remove_targeting_flag", "response_sampling_daily_limits", "current_iteration", "current_iteration_start_date",
	"iteration_start_dates", "linked_insight_id", "archived", "start_date", "end_date",
}

// decisive are attributes whose plain values decide who sees a survey. They are not shown.
var decisive = []string{"targeting_flag_filters", "targeting_flag_id", "linked_flag_id", "conditions"}

// plan adds a survey of code: the request that creates it, and the one that launches it.
func (c *contents) plan(object side.Object) error {
	body := map[string]any{}
	for _, name := range api.Fields("SurveyRequest") {
		value, isSet := object.Attributes[name]
		switch {
		case !isSet || slices.Contains(notRequested, name):
		case name == "questions":
			body[name] = side.WireQuestions(side.Shown(value))
		case slices.Contains(decisive, name):
			body[name] = side.Plain(value)
		default:
			body[name] = side.Shown(value)
		}
	}
	p := planned{id: object.ID, name: object.Name}
	if err := recode(body, &p.request); err != nil {
		return fmt.Errorf("its attributes make no request: %w", err)
	}
	if err := recode(datesOf(object), &p.dates); err != nil {
		return fmt.Errorf("its dates make no request: %w", err)
	}
	c.planned = append(c.planned, p)

	// The others are those for which the service has a default, as the world has.
	for _, name := range object.Unknown {
		if name == "questions" || slices.Contains(decisive, name) {
			c.notes = append(c.notes, Note{Kind: UnknownValue, Name: object.Name, Value: name})
		}
	}
	return nil
}

// launchedBefore is when a survey runs from whose code says that it runs, and no date.
const launchedBefore = "2020-01-01T00:00:00Z"

// datesOf are the dates of a survey by its attributes: its dates, or its status.
func datesOf(object side.Object) map[string]any {
	dates := map[string]any{}
	for _, name := range []string{"start_date", "end_date"} {
		if value := object.Attributes[name]; value != nil {
			dates[name] = side.Plain(value)
		}
	}
	status, _ := side.Plain(object.Attributes["status"]).(string)
	if dates["start_date"] == nil && (status == "running" || status == "completed") {
		dates["start_date"] = launchedBefore
	}
	if dates["end_date"] == nil && status == "completed" {
		dates["end_date"] = launchedBefore
	}
	if archived, _ := side.Plain(object.Attributes["archived"]).(bool); archived {
		dates["archived"] = true
	}
	return dates
}

// startedAt is the request that launches a survey.
func startedAt(t time.Time) api.SurveyRequest {
	return api.SurveyRequest{StartDate: nullable.NewNullableWithValue(t.UTC().Format(time.RFC3339))}
}

// recode converts by way of JSON.
func recode(from any, to any) error {
	raw, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, to)
}
