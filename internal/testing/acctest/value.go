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

// value builds a value of a type from Go's: attributes that a map leaves out are null.
func value(t testing.TB, typ tftypes.Type, v any) tftypes.Value {
	t.Helper()

	switch v := v.(type) {
	case map[string]any:
		elements := map[string]tftypes.Value{}
		switch typ := typ.(type) {
		case tftypes.Object:
			for name := range v {
				require.Contains(t, typ.AttributeTypes, name, "no such attribute")
			}
			for name, one := range typ.AttributeTypes {
				elements[name] = value(t, one, v[name])
			}
		case tftypes.Map:
			for name, one := range v {
				elements[name] = value(t, typ.ElementType, one)
			}
		default:
			require.Failf(t, "not an object or a map", "%s", typ)
		}
		return tftypes.NewValue(typ, elements)

	case []any:
		var of tftypes.Type
		switch typ := typ.(type) {
		case tftypes.List:
			of = typ.ElementType
		case tftypes.Set:
			of = typ.ElementType
		default:
			require.Failf(t, "not a list or a set", "%s", typ)
		}
		elements := make([]tftypes.Value, len(v))
		for i, one := range v {
			elements[i] = value(t, of, one)
		}
		return tftypes.NewValue(typ, elements)
	}
	return tftypes.NewValue(typ, v)
}

// proposed is the proposal that Terraform makes to a provider: the configuration,
// with the prior value of what is computed and not configured; inside a list from
// the element at the same place.
func proposed(t testing.TB, schema []*tfprotov6.SchemaAttribute, config, prior tftypes.Value) tftypes.Value {
	t.Helper()
	if config.IsNull() || !config.IsKnown() || prior.IsNull() {
		return config
	}

	wanted, had := attributesOf(t, config), attributesOf(t, prior)
	for _, attribute := range schema {
		one := wanted[attribute.Name]
		switch {
		case one.IsNull() && attribute.Computed:
			wanted[attribute.Name] = had[attribute.Name]
		case attribute.NestedType == nil || one.IsNull() || !one.IsKnown():
		case attribute.NestedType.Nesting == tfprotov6.SchemaObjectNestingModeList:
			wanted[attribute.Name] = proposedList(t, attribute.NestedType.Attributes, one, had[attribute.Name])
		default:
			wanted[attribute.Name] = proposed(t, attribute.NestedType.Attributes, one, had[attribute.Name])
		}
	}
	return tftypes.NewValue(config.Type(), wanted)
}

func proposedList(t testing.TB, schema []*tfprotov6.SchemaAttribute, config, prior tftypes.Value) tftypes.Value {
	t.Helper()
	var wanted, had []tftypes.Value
	require.NoError(t, config.As(&wanted))
	wanted = slices.Clone(wanted)
	if !prior.IsNull() {
		require.NoError(t, prior.As(&had))
	}

	for i := range wanted {
		if i < len(had) {
			wanted[i] = proposed(t, schema, wanted[i], had[i])
		}
	}
	return tftypes.NewValue(config.Type(), wanted)
}

func encode(t testing.TB, v tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	out, err := tfprotov6.NewDynamicValue(v.Type(), v)
	require.NoError(t, err)
	return &out
}

func decode(t testing.TB, v *tfprotov6.DynamicValue, typ tftypes.Type) tftypes.Value {
	t.Helper()
	out, err := v.Unmarshal(typ)
	require.NoError(t, err)
	return out
}

func attributesOf(t testing.TB, v tftypes.Value) map[string]tftypes.Value {
	t.Helper()
	attributes := map[string]tftypes.Value{}
	require.NoError(t, v.As(&attributes))
	return maps.Clone(attributes) // the value would change with its own
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
		out := make([]any, len(list))
		for i := range list {
			out[i] = goValue(t, list[i])
		}
		return out
	}

	out := map[string]any{}
	for name, one := range attributesOf(t, v) {
		out[name] = goValue(t, one)
	}
	return out
}

// requireAsPlanned is Terraform's own check after an apply: what the plan knew is there.
func requireAsPlanned(t testing.TB, planned, got tftypes.Value, at string) {
	t.Helper()
	switch {
	case !planned.IsKnown():
	case planned.IsNull() || got.IsNull() || planned.IsFullyKnown():
		require.True(t, planned.Equal(got), "inconsistent result after apply: %s was planned as %s and is %s", at, planned, got)
	case planned.Type().Is(tftypes.List{}):
		var want, is []tftypes.Value
		require.NoError(t, planned.As(&want))
		require.NoError(t, got.As(&is))
		require.Len(t, is, len(want), at)
		for i := range want {
			requireAsPlanned(t, want[i], is[i], fmt.Sprintf("%s[%d]", at, i))
		}
	default:
		is := attributesOf(t, got)
		for name, want := range attributesOf(t, planned) {
			requireAsPlanned(t, want, is[name], at+"."+name)
		}
	}
}

// valuesOf are the attributes of an encoded object.
func valuesOf(t testing.TB, encoded *tfprotov6.DynamicValue, typ tftypes.Type) map[string]any {
	t.Helper()
	values, _ := goValue(t, decode(t, encoded, typ)).(map[string]any)
	return values
}

// Diagnostics are those of one or several calls.
type Diagnostics []*tfprotov6.Diagnostic

// Text is all of them, severity, path, summary and detail, a line each.
func (d Diagnostics) Text() string {
	var b strings.Builder
	for _, one := range d {
		fmt.Fprintf(&b, "%s %s: %s: %s\n", one.Severity, one.Attribute, one.Summary, one.Detail)
	}
	return b.String()
}

// HasError reports whether one of them is an error.
func (d Diagnostics) HasError() bool { return len(d.Errors()) > 0 }

// Errors are the errors among them.
func (d Diagnostics) Errors() Diagnostics {
	var errs Diagnostics
	for _, one := range d {
		if one.Severity == tfprotov6.DiagnosticSeverityError {
			errs = append(errs, one)
		}
	}
	return errs
}

// lines are the diagnostics in an order that does not depend on the one in which the
// framework goes through attributes.
func (d Diagnostics) lines() string {
	lines := strings.SplitAfter(d.Text(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}
