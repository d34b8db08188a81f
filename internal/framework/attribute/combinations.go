package attribute

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// combination validates an attribute together with another attribute at the root of the same object. Either the
// attribute requires the other one, or the two conflict.
type combination struct {
	other string
	// needs is set if the attribute requires the other one. Otherwise, they conflict.
	needs bool
}

// ConflictsWith returns a validator that rejects a string if another attribute of the resource is set.
func ConflictsWith(name string) validator.String { return combination{other: name} }

// AlsoRequires returns a validator that rejects a string unless another attribute of the resource is set.
func AlsoRequires(name string) validator.String { return combination{other: name, needs: true} }

// NumberAlsoRequires is like [AlsoRequires], for numbers.
func NumberAlsoRequires(name string) validator.Int64 { return combination{other: name, needs: true} }

// Description implements validator.Describer.
func (c combination) Description(context.Context) string {
	if c.needs {
		return "needs " + c.other
	}
	return "conflicts with " + c.other
}

// MarkdownDescription implements validator.Describer.
func (c combination) MarkdownDescription(ctx context.Context) string { return c.Description(ctx) }

// ValidateString implements validator.String.
func (c combination) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	c.validate(ctx, req.Path, req.ConfigValue, req.Config, &resp.Diagnostics)
}

// ValidateInt64 implements validator.Int64.
func (c combination) ValidateInt64(ctx context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	c.validate(ctx, req.Path, req.ConfigValue, req.Config, &resp.Diagnostics)
}

// validate accepts unknown values.
func (c combination) validate(ctx context.Context, p path.Path, value attr.Value, config tfsdk.Config, diags *diag.Diagnostics) {
	if value.IsNull() {
		return
	}
	var other attr.Value
	diags.Append(config.GetAttribute(ctx, path.Root(c.other), &other)...)
	switch {
	case diags.HasError() || other.IsUnknown():
	case c.needs && other.IsNull():
		diags.AddAttributeError(p, "Missing "+c.other, fmt.Sprintf("%s is set, and %s is not. Set both, or remove %s.", p, c.other, p))
	case !c.needs && !other.IsNull():
		diags.AddAttributeError(p, fmt.Sprintf("%s conflicts with %s", p, c.other), fmt.Sprintf("Both %s and %s are set. Remove one of them.", p, c.other))
	}
}

// exactlyOne validates that a data source sets exactly one of several attributes.
type exactlyOne struct{ names []string }

// ExactlyOneOf returns a validator that requires exactly one of these attributes in a data source.
func ExactlyOneOf(names ...string) datasource.ConfigValidator { return exactlyOne{names} }

// Description implements datasource.ConfigValidator.
func (e exactlyOne) Description(context.Context) string {
	return "exactly one of " + alternatives(e.names)
}

// MarkdownDescription implements datasource.ConfigValidator.
func (e exactlyOne) MarkdownDescription(ctx context.Context) string { return e.Description(ctx) }

// ValidateDataSource implements datasource.ConfigValidator. It accepts unknown values.
func (e exactlyOne) ValidateDataSource(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var set []string
	isKnown := true
	for _, name := range e.names {
		var value attr.Value
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(name), &value)...)
		if resp.Diagnostics.HasError() {
			return
		}
		isKnown = isKnown && !value.IsUnknown()
		if IsKnown(value) {
			set = append(set, name)
		}
	}

	switch {
	case len(set) > 1:
		resp.Diagnostics.AddAttributeError(path.Root(set[1]), fmt.Sprintf("%s conflicts with %s", set[1], set[0]),
			fmt.Sprintf("Both %s are set. Use one of them.", strings.Join(set, " and ")))
	case len(set) == 0 && isKnown:
		resp.Diagnostics.AddError("Missing "+alternatives(e.names), fmt.Sprintf("Neither %s is set. Set one of them.", strings.Join(e.names, " nor ")))
	}
}
