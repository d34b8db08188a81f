package attribute

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// EqualExcept reports whether a plan and a state, each of a whole resource, are equal in
// all but the named attributes and blocks. An unknown value in the plan is a difference.
func EqualExcept(plan, state tftypes.Value, names ...string) bool {
	planned, prior := map[string]tftypes.Value{}, map[string]tftypes.Value{}
	if plan.As(&planned) != nil || state.As(&prior) != nil || len(planned) != len(prior) {
		return false
	}

	for name, value := range planned {
		if !slices.Contains(names, name) && !value.Equal(prior[name]) {
			return false
		}
	}
	return true
}
