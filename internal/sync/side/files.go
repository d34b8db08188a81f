package side

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	tfjson "github.com/hashicorp/terraform-json"
)

// OpenSnapshot reads the document of a file.
func OpenSnapshot(path string) (Snapshot, error) {
	file, err := os.Open(path)
	if err != nil {
		return Snapshot{}, err
	}
	defer func() { _ = file.Close() }()
	return ReadSnapshot(file)
}

// FromSnapshot are the objects of a snapshot, which its surveys leave: as they are, or Shelved, as the
// function says.
func FromSnapshot(ctx context.Context, contents Snapshot, as func(Object) Object) ([]Object, error) {
	var objects []Object
	for i, survey := range contents.Surveys {
		object, err := FromSurvey(ctx, survey.Survey, survey.ProjectID)
		if err != nil {
			return nil, err
		}
		objects = append(objects, as(object))
		contents.Surveys[i] = RecordedSurvey{}
	}
	for _, app := range contents.Apps {
		object, err := FromApp(ctx, app.PipelineImportApp, app.OrganizationID)
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// ParsePlan parses the JSON of a plan.
func ParsePlan(text []byte) (*tfjson.Plan, error) {
	plan := &tfjson.Plan{}
	plan.UseJSONNumber(true)
	if err := json.Unmarshal(text, plan); err != nil {
		return nil, fmt.Errorf("neither a saved plan nor the JSON of one: %w", err)
	}

	// The JSON of a state parses as a plan without changes, and a plan that failed lacks some
	// of its changes.
	var parts struct {
		Planned json.RawMessage `json:"planned_values"`
		Changes json.RawMessage `json:"resource_changes"`
		Errored bool            `json:"errored"`
	}
	if err := json.Unmarshal(text, &parts); err != nil {
		return nil, fmt.Errorf("not the JSON of a plan: %w", err)
	}
	switch {
	case parts.Planned == nil && parts.Changes == nil:
		return nil, errors.New("JSON, but not that of a plan: create it with terraform show -json PLAN, where PLAN is the file of terraform plan -out=PLAN")
	case parts.Errored:
		return nil, errors.New("the plan failed, so it lacks changes and cannot be applied: plan again without errors")
	}
	return plan, nil
}
