package tfplan

import (
	"encoding/json"
	"errors"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// errFailed refuses the plan of a run that failed, because it lacks the objects with errors.
var errFailed = errors.New("the plan failed, so it is incomplete and cannot be applied. Fix the errors and run terraform plan again")

// Parse parses a plan in JSON.
func Parse(text []byte) (*tfjson.Plan, error) {
	plan := &tfjson.Plan{}
	plan.UseJSONNumber(true)
	if err := json.Unmarshal(text, plan); err != nil {
		return nil, fmt.Errorf("neither a saved plan nor a plan in JSON: %w", jsonvalue.Explain(text, err))
	}

	// A state in JSON also parses as a plan, but without changes. A failed run's plan does not contain all
	// changes.
	var parts struct {
		Planned json.RawMessage `json:"planned_values"`
		Changes json.RawMessage `json:"resource_changes"`
		Errored bool            `json:"errored"`
	}
	if err := json.Unmarshal(text, &parts); err != nil {
		return nil, fmt.Errorf("not a plan in JSON: %w", jsonvalue.Explain(text, err))
	}
	switch {
	case parts.Planned == nil && parts.Changes == nil:
		return nil, errors.New("JSON, but not a plan. To create a plan in JSON, run terraform plan -out=PLAN, then terraform show -json PLAN")
	case parts.Errored:
		return nil, errFailed
	}
	return plan, nil
}
