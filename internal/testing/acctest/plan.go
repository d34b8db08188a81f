package acctest

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"
)

// Plan is the result of planning a configuration.
type Plan struct {
	Planned         tftypes.Value
	RequiresReplace []*tftypes.AttributePath
	Diagnostics     Diagnostics
	private         []byte
	identity        *tfprotov6.ResourceIdentityData
	config          tftypes.Value
}

// Attribute returns the value of an attribute in the plan, in the form of [Resource.State].
func (p Plan) Attribute(t testing.TB, attribute string) any {
	t.Helper()
	return goValue(t, attributeValues(t, p.Planned)[attribute])
}

// Attributes returns the values of all attributes in the plan, in the form of [Resource.State].
func (p Plan) Attributes(t testing.TB) map[string]any {
	t.Helper()
	attributes, _ := goValue(t, p.Planned).(map[string]any)
	return attributes
}

// PlanBeforeRead plans a configuration in two separate runs: after a read, as terraform plan does, and before a
// read, as some CLIs do. It returns the first difference between the plans, or "". It does not change the object.
func (o *Resource) PlanBeforeRead(config map[string]any) string {
	o.t.Helper()
	usual, early := *o, *o
	o.env.NextRun(o.t, &usual)
	readBefore := usual.Refresh()
	want := usual.Plan(config)

	o.env.NextRun(o.t, &early)
	early.Plan(config)
	readAfter := early.Refresh()
	got := early.Plan(config)

	for i, subject := range []string{
		"diagnostics of the read", "state", "private state", "diagnostics of the plan", "planned state", "replacements", "planned private state",
	} {
		facts := func(read Diagnostics, o *Resource, plan Plan) string {
			return fmt.Sprint([]any{
				read.lines(), o.state, privateKeys(o.t, o.private),
				plan.Diagnostics.lines(), plan.Planned, len(plan.RequiresReplace), privateKeys(o.t, plan.private),
			}[i])
		}
		if expected, have := facts(readBefore, &usual, want), facts(readAfter, &early, got); expected != have {
			return fmt.Sprintf("%s after plan and read:\n%s\nafter read:\n%s", subject, have, expected)
		}
	}
	return ""
}

// privateKeys decodes private state.
func privateKeys(t testing.TB, private []byte) map[string][]byte {
	t.Helper()
	keys := map[string][]byte{}
	if len(private) > 0 {
		require.NoError(t, json.Unmarshal(private, &keys))
	}
	return keys
}

// PlanJSON returns the output of terraform show -json for a plan that contains only this change and the result
// of the last refresh.
func (o *Resource) PlanJSON(t testing.TB, plan Plan) []byte {
	t.Helper()

	prior, _ := asJSON(goValue(t, o.state))
	planned, unknown := asJSON(goValue(t, plan.Planned))
	var actions []string
	switch {
	case prior == nil:
		actions = []string{"create"}
	case planned == nil:
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
		"resource_changes": change(map[string]any{"actions": actions, "before": prior, "after": planned, "after_unknown": unknown}),
	}
	if o.unrefreshed != nil && !o.unrefreshed.Equal(o.state) {
		stored, _ := asJSON(goValue(t, *o.unrefreshed))
		document["resource_drift"] = change(map[string]any{"actions": []string{"update"}, "before": stored, "after": prior})
	}

	text, err := json.Marshal(document)
	require.NoError(t, err)
	return text
}

func (o *Resource) address() string { return o.typeName + ".this" }

// Private returns the private state by resource address, as in a plan file.
func (o *Resource) Private(t testing.TB) map[string]map[string][]byte {
	t.Helper()
	return map[string]map[string][]byte{o.address(): privateKeys(t, o.private)}
}

// asJSON splits a value into its known parts and, in the same form, its unknown parts.
func asJSON(value any) (knownValue, unknown any) {
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
			element, notKnown := asJSON(value[name])
			if value[name] != tftypes.UnknownValue {
				knowns[name] = element
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

// PlanGeneratedConfig plans the configuration that the provider generates for the state, as terraform plan
// -generate-config-out does for imported objects.
func (o *Resource) PlanGeneratedConfig() (config map[string]any, plan Plan) {
	o.t.Helper()
	resp, err := o.server.GenerateResourceConfig(o.t.Context(), &tfprotov6.GenerateResourceConfigRequest{
		TypeName: o.typeName, State: encode(o.t, o.state),
	})
	require.NoError(o.t, err)
	require.Empty(o.t, resp.Diagnostics)
	generated := decode(o.t, resp.Config, o.objType)

	valid, err := o.server.ValidateResourceConfig(o.t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: o.typeName, Config: encode(o.t, generated),
	})
	require.NoError(o.t, err)
	return decodeValues(o.t, resp.Config, o.objType), o.plan(generated, valid.Diagnostics)
}
