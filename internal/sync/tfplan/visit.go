package tfplan

import (
	"encoding/json"
	"errors"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// For thousands of objects, terraform show prints hundreds of megabytes, and decoded values need several times
// as much memory. Therefore, the package decodes the output as a stream, with one object in memory at a time.

// Visitor reads a plan without the parts that no command needs. If change is not nil, Visitor calls it for
// each change, and omits the changes from the plan. It refuses the plan of a run that failed.
func Visitor(plan *tfjson.Plan, change func(*tfjson.ResourceChange) error) jsonvalue.Visitor {
	isChangeRead := false
	return func(path string, value *json.Decoder) (bool, error) {
		switch path {
		case ".format_version":
			err := value.Decode(&plan.FormatVersion)
			return true, errors.Join(err, plan.Validate())
		case ".resource_drift[]":
			if isChangeRead && change != nil {
				return true, errors.New("the plan lists changes before the drift that explains them, which this version of posthog-sync cannot read")
			}
			return true, appendDecoded(&plan.ResourceDrift, value)
		case ".resource_changes[]":
			isChangeRead = true
			if change == nil {
				return true, appendDecoded(&plan.ResourceChanges, value)
			}
			var one tfjson.ResourceChange
			if err := value.Decode(&one); err != nil {
				return true, err
			}
			return true, change(&one)
		case ".action_invocations[]":
			return true, appendDecoded(&plan.ActionInvocations, value)
		case ".configuration.root_module.module_calls":
			plan.Config = &tfjson.Config{RootModule: &tfjson.ConfigModule{}}
			return true, value.Decode(&plan.Config.RootModule.ModuleCalls)
		case ".prior_state":
			if change != nil {
				return false, nil
			}
			plan.PriorState = &tfjson.State{}
			plan.PriorState.UseJSONNumber(true)
			return true, value.Decode(plan.PriorState)
		case ".errored":
			var isFailed bool
			err := value.Decode(&isFailed)
			if isFailed {
				err = errFailed
			}
			return true, err
		}
		return false, nil
	}
}

func appendDecoded[T any](list *[]*T, value *json.Decoder) error {
	one := new(T)
	*list = append(*list, one)
	return value.Decode(one)
}

// StateVisitor calls resource for each resource in a state.
func StateVisitor(isThere *bool, resource func(*tfjson.StateResource) error) jsonvalue.Visitor {
	var state tfjson.State
	return func(path string, value *json.Decoder) (bool, error) {
		switch {
		case path == ".format_version":
			err := value.Decode(&state.FormatVersion)
			return true, errors.Join(err, state.Validate())
		case path == ".values":
			*isThere = true
		case strings.HasPrefix(path, ".values.root_module.") && strings.HasSuffix(path, ".resources[]"):
			var one tfjson.StateResource
			if err := value.Decode(&one); err != nil {
				return true, err
			}
			return true, resource(&one)
		}
		return false, nil
	}
}
