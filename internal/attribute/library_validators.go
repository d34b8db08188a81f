package attribute

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// The titles of the library, such as Invalid Attribute Value Match, name no attribute. A
// log that shows titles alone should.

// OneOf takes these values of a string.
func OneOf(values ...string) validator.String { return titledString{stringvalidator.OneOf(values...)} }

// LengthAtMost takes strings of at most so many characters.
func LengthAtMost(most int) validator.String {
	return titledString{stringvalidator.UTF8LengthAtMost(most)}
}

// ConflictsWith takes a string where another attribute of the resource is left out.
func ConflictsWith(name string) validator.String {
	return titledString{stringvalidator.ConflictsWith(path.MatchRoot(name))}
}

// AlsoRequires takes a string where another attribute of the resource is given too.
func AlsoRequires(name string) validator.String {
	return titledString{stringvalidator.AlsoRequires(path.MatchRoot(name))}
}

// NumberAlsoRequires is [AlsoRequires] for a number.
func NumberAlsoRequires(name string) validator.Int64 {
	return titledInt64{int64validator.AlsoRequires(path.MatchRoot(name))}
}

// Between takes numbers of this range, its ends included.
func Between(least, most int64) validator.Int64 {
	return titledInt64{int64validator.Between(least, most)}
}

// AtLeast takes this number and greater ones.
func AtLeast(least int64) validator.Int64 { return titledInt64{int64validator.AtLeast(least)} }

// ExactlyOneOf takes a data source that has one of these attributes.
func ExactlyOneOf(names ...string) datasource.ConfigValidator {
	expressions := make([]path.Expression, len(names))
	for i, name := range names {
		expressions[i] = path.MatchRoot(name)
	}
	return titledDataSource{datasourcevalidator.ExactlyOneOf(expressions...), names}
}

type titledString struct{ validator.String }

// ValidateString implements validator.String.
func (v titledString) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	var found validator.StringResponse
	v.String.ValidateString(ctx, req, &found)
	appendTitled(&resp.Diagnostics, found.Diagnostics, "Invalid "+lastName(req.Path))
}

type titledInt64 struct{ validator.Int64 }

// ValidateInt64 implements validator.Int64.
func (v titledInt64) ValidateInt64(ctx context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	var found validator.Int64Response
	v.Int64.ValidateInt64(ctx, req, &found)
	appendTitled(&resp.Diagnostics, found.Diagnostics, "Invalid "+lastName(req.Path))
}

type titledDataSource struct {
	datasource.ConfigValidator

	names []string
}

// ValidateDataSource implements datasource.ConfigValidator.
func (v titledDataSource) ValidateDataSource(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var found datasource.ValidateConfigResponse
	v.ConfigValidator.ValidateDataSource(ctx, req, &found)
	appendTitled(&resp.Diagnostics, found.Diagnostics, "Give one of "+strings.Join(v.names, " and "))
}

// appendTitled appends what the library found, the errors with another title.
func appendTitled(into *diag.Diagnostics, found diag.Diagnostics, title string) {
	for _, d := range found {
		at, hasPath := d.(diag.DiagnosticWithPath)
		switch {
		case d.Severity() != diag.SeverityError:
			into.Append(d)
		case hasPath:
			into.AddAttributeError(at.Path(), title, d.Detail())
		default:
			into.AddError(title, d.Detail())
		}
	}
}
