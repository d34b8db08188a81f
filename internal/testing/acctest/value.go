package acctest

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"
)

// value converts Go values to a value of a type. Attributes that are missing from a map are null.
func value(t testing.TB, typ tftypes.Type, v any) tftypes.Value {
	t.Helper()

	switch v := v.(type) {
	case map[string]any:
		elements := map[string]tftypes.Value{}
		switch typ := typ.(type) {
		case tftypes.Object:
			for name := range v {
				require.Contains(t, typ.AttributeTypes, name, "the schema does not have this attribute")
			}
			for name, attributeType := range typ.AttributeTypes {
				elements[name] = value(t, attributeType, v[name])
			}
		case tftypes.Map:
			for name, element := range v {
				elements[name] = value(t, typ.ElementType, element)
			}
		default:
			require.Failf(t, "not an object or a map", "%s", typ)
		}
		return tftypes.NewValue(typ, elements)

	case []any:
		var elementType tftypes.Type
		switch typ := typ.(type) {
		case tftypes.List:
			elementType = typ.ElementType
		case tftypes.Set:
			elementType = typ.ElementType
		default:
			require.Failf(t, "not a list or a set", "%s", typ)
		}
		elements := make([]tftypes.Value, len(v))
		for i, element := range v {
			elements[i] = value(t, elementType, element)
		}
		return tftypes.NewValue(typ, elements)
	}
	return tftypes.NewValue(typ, v)
}

// propose returns the state that Terraform proposes to the provider: the configuration, with prior values for
// computed attributes that are not configured. In a list, prior values come from the element at the same index.
func propose(t testing.TB, schema []*tfprotov6.SchemaAttribute, config, prior tftypes.Value) tftypes.Value {
	t.Helper()
	if config.IsNull() || !config.IsKnown() || prior.IsNull() {
		return config
	}

	configValues, priorValues := attributeValues(t, config), attributeValues(t, prior)
	for _, attribute := range schema {
		element := configValues[attribute.Name]
		switch {
		case element.IsNull() && attribute.Computed:
			configValues[attribute.Name] = priorValues[attribute.Name]
		case attribute.NestedType == nil || element.IsNull() || !element.IsKnown():
		case attribute.NestedType.Nesting == tfprotov6.SchemaObjectNestingModeList:
			configValues[attribute.Name] = proposedList(t, attribute.NestedType.Attributes, element, priorValues[attribute.Name])
		default:
			configValues[attribute.Name] = propose(t, attribute.NestedType.Attributes, element, priorValues[attribute.Name])
		}
	}
	return tftypes.NewValue(config.Type(), configValues)
}

func proposedList(t testing.TB, schema []*tfprotov6.SchemaAttribute, config, prior tftypes.Value) tftypes.Value {
	t.Helper()
	var configItems, priorItems []tftypes.Value
	require.NoError(t, config.As(&configItems))
	configItems = slices.Clone(configItems)
	if !prior.IsNull() {
		require.NoError(t, prior.As(&priorItems))
	}

	for i := range configItems {
		if i < len(priorItems) {
			configItems[i] = propose(t, schema, configItems[i], priorItems[i])
		}
	}
	return tftypes.NewValue(config.Type(), configItems)
}

func encode(t testing.TB, v tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(v.Type(), v)
	require.NoError(t, err)
	return &encoded
}

func decode(t testing.TB, v *tfprotov6.DynamicValue, typ tftypes.Type) tftypes.Value {
	t.Helper()
	value, err := v.Unmarshal(typ)
	require.NoError(t, err)
	return value
}

func attributeValues(t testing.TB, v tftypes.Value) map[string]tftypes.Value {
	t.Helper()
	attributes := map[string]tftypes.Value{}
	require.NoError(t, v.As(&attributes))
	return maps.Clone(attributes) // otherwise, the value would change together with its copy
}

func goValue(t testing.TB, v tftypes.Value) any {
	t.Helper()
	if !v.IsKnown() {
		return tftypes.UnknownValue
	}
	if v.IsNull() {
		return nil
	}

	switch {
	case v.Type().Is(tftypes.String):
		var s string
		require.NoError(t, v.As(&s))
		return s
	case v.Type().Is(tftypes.Bool):
		var b bool
		require.NoError(t, v.As(&b))
		return b
	case v.Type().Is(tftypes.Number):
		var n *big.Float
		require.NoError(t, v.As(&n))
		whole, _ := n.Int64()
		return whole
	case v.Type().Is(tftypes.List{}) || v.Type().Is(tftypes.Set{}):
		var list []tftypes.Value
		require.NoError(t, v.As(&list))
		items := make([]any, len(list))
		for i := range list {
			items[i] = goValue(t, list[i])
		}
		return items
	}

	members := map[string]any{}
	for name, member := range attributeValues(t, v) {
		members[name] = goValue(t, member)
	}
	return members
}

// requirePlanned performs Terraform's check after an apply: every value that was known in the plan must be in the
// result.
func requirePlanned(t testing.TB, planned, got tftypes.Value, path string) {
	t.Helper()
	switch {
	case !planned.IsKnown():
	case planned.IsNull() || got.IsNull() || planned.IsFullyKnown():
		require.True(t, planned.Equal(got), "inconsistent result after apply: %s is %s, but was planned as %s", path, planned, got)
	case planned.Type().Is(tftypes.List{}):
		var want, gotItems []tftypes.Value
		require.NoError(t, planned.As(&want))
		require.NoError(t, got.As(&gotItems))
		require.Len(t, gotItems, len(want), path)
		for i := range want {
			requirePlanned(t, want[i], gotItems[i], fmt.Sprintf("%s[%d]", path, i))
		}
	default:
		gotValues := attributeValues(t, got)
		for name, want := range attributeValues(t, planned) {
			requirePlanned(t, want, gotValues[name], path+"."+name)
		}
	}
}

// decodeValues returns the attributes of an encoded object.
func decodeValues(t testing.TB, encoded *tfprotov6.DynamicValue, typ tftypes.Type) map[string]any {
	t.Helper()
	values, _ := goValue(t, decode(t, encoded, typ)).(map[string]any)
	return values
}

// Diagnostics are the diagnostics of one or more calls.
type Diagnostics []*tfprotov6.Diagnostic

// Text returns the diagnostics as text, one per line, with severity, path, summary, and detail.
func (d Diagnostics) Text() string {
	var b strings.Builder
	for _, diagnostic := range d {
		fmt.Fprintf(&b, "%s %s: %s: %s\n", diagnostic.Severity, diagnostic.Attribute, diagnostic.Summary, diagnostic.Detail)
	}
	return b.String()
}

// HasError reports whether the diagnostics contain an error.
func (d Diagnostics) HasError() bool { return len(d.Errors()) > 0 }

// Errors returns the errors among the diagnostics.
func (d Diagnostics) Errors() Diagnostics {
	var errs Diagnostics
	for _, diagnostic := range d {
		if diagnostic.Severity == tfprotov6.DiagnosticSeverityError {
			errs = append(errs, diagnostic)
		}
	}
	return errs
}

// lines returns the diagnostics sorted, because the framework visits attributes in random order.
func (d Diagnostics) lines() string {
	lines := strings.SplitAfter(d.Text(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}
