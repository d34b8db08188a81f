package acctest

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"
)

// PlanJSON is what terraform show -json prints of a plan that holds this change alone, with
// what the last refresh found.
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

	change := func(change map[string]any) []any {
		return []any{map[string]any{
			"address": o.address(), "mode": "managed", "type": o.typeName, "name": "this",
			"provider_name": "registry.terraform.io/surveys-as-code/posthog", "change": change,
		}}
	}
	document := map[string]any{
		"format_version":   "1.2",
		"resource_changes": change(map[string]any{"actions": actions, "before": before, "after": after, "after_unknown": unknown}),
	}
	if o.unrefreshed != nil && !o.unrefreshed.Equal(o.state) {
		stored, _ := asJSON(goValue(t, *o.unrefreshed))
		document["resource_drift"] = change(map[string]any{"actions": []string{"update"}, "before": stored, "after": before})
	}

	text, err := json.Marshal(document)
	require.NoError(t, err)
	return text
}

func (o *Resource) address() string { return o.typeName + ".this" }

// Private are the keys of the private state by address, as a plan file has them.
func (o *Resource) Private(t testing.TB) map[string]map[string][]byte {
	t.Helper()
	keys := map[string][]byte{}
	if len(o.private) > 0 {
		require.NoError(t, json.Unmarshal(o.private, &keys))
	}
	return map[string]map[string][]byte{o.address(): keys}
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
