package tfplan

import (
	"encoding/json"
	"errors"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Parse parses the JSON of a plan.
func Parse(text []byte) (*tfjson.Plan, error) {
	plan := &tfjson.Plan{}
	plan.UseJSONNumber(true)
	if err := json.Unmarshal(text, plan); err != nil {
		return nil, fmt.Errorf("neither a saved plan nor the JSON of one: %w", jsonvalue.Explain(text, err))
	}

	// The JSON of a state parses as a plan without changes, and a plan that failed lacks some
	// of its changes.
	var parts struct {
		Planned json.RawMessage `json:"planned_values"`
		Changes json.RawMessage `json:"resource_changes"`
		Errored bool            `json:"errored"`
	}
	if err := json.Unmarshal(text, &parts); err != nil {
		return nil, fmt.Errorf("not the JSON of a plan: %w", jsonvalue.Explain(text, err))
	}
	switch {
	case parts.Planned == nil && parts.Changes == nil:
		return nil, errors.New("JSON, but not that of a plan: create it with terraform show -json PLAN, where PLAN is the file of terraform plan -out=PLAN")
	case parts.Errored:
		return nil, errors.New("the plan failed, so it lacks changes and cannot be applied: plan again without errors")
	}
	return plan, nil
}
