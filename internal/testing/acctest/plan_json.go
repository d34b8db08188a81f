package acctest

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"
)

// PlanJSON is what terraform show -json prints of a plan that holds this change alone.
func (o *Resource) PlanJSON(t testing.TB, plan Plan) []byte {
	t.Helper()

	before, _ := asJSON(goValue(t, o.state))
	after, unknown := asJSON(goValue(t, plan.Planned))
	var actions []string
	switch {
	case before == nil:
		actions = []string{"create"}
	case after == nil:
		actions = []string{"delete"}
	case len(plan.RequiresReplace) > 0:
		actions = []string{"delete", "create"}
	case o.IsEmpty(plan):
		actions = []string{"no-op"}
	default:
		actions = []string{"update"}
	}

	text, err := json.Marshal(map[string]any{
		"format_version": "1.2",
		"resource_changes": []any{map[string]any{
			"address": o.typeName + ".this", "mode": "managed", "type": o.typeName, "name": "this",
			"provider_name": "registry.terraform.io/surveys-as-code/posthog",
			"change":        map[string]any{"actions": actions, "before": before, "after": after, "after_unknown": unknown},
		}},
	})
	require.NoError(t, err)
	return text
}

// asJSON divides a value into what is known and, in the same form, what is not.
func asJSON(value any) (known, unknown any) {
	switch value := value.(type) {
	case []any:
		knowns, unknowns := make([]any, len(value)), make([]any, len(value))
		for i := range value {
			knowns[i], unknowns[i] = asJSON(value[i])
		}
		return knowns, unknowns

	case map[string]any:
		knowns, unknowns := map[string]any{}, map[string]any{}
		for name := range value {
			one, notKnown := asJSON(value[name])
			if value[name] != tftypes.UnknownValue {
				knowns[name] = one
			}
			if notKnown != false {
				unknowns[name] = notKnown
			}
		}
		return knowns, unknowns
	}

	if value == tftypes.UnknownValue {
		return nil, true
	}
	return value, false
}
