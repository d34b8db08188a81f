package attribute

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Enumeration holds the known values of an enumerated field of the API's schema.
type Enumeration struct {
	valid func(string) bool
	known []string
}

// EnumerationOf returns the enumeration of all values of a generated type.
func EnumerationOf[T interface {
	~string
	Valid() bool
}](known ...T) Enumeration {
	values := make([]string, len(known))
	for i, value := range known {
		values[i] = string(value)
	}

	return Enumeration{valid: func(s string) bool { return T(s).Valid() }, known: values}
}

// Check reports at plan a value outside the known set, unless the prior state holds it: a
// value that the service itself returned is accepted, so that objects of a newer service
// can be imported and kept.
func (e Enumeration) Check(at path.Path, value types.String, prior []types.String, diags *diag.Diagnostics) {
	if text := e.Unknown(value, prior); text != "" {
		diags.AddAttributeError(at, fmt.Sprintf("Unknown %s", lastName(at)), at.String()+" "+text)
	}
}

// Unknown says of a value outside the known set what is known instead, "" of any other
// value and of those that the prior state holds. The text follows the attribute's name in
// a sentence.
func (e Enumeration) Unknown(value types.String, prior []types.String) string {
	text := value.ValueString()
	if !IsKnown(value) || e.valid(text) || slices.Contains(prior, value) {
		return ""
	}

	known := fmt.Sprintf("is %q. Known values: %s.", text, strings.Join(e.known, ", "))
	if meant, ok := e.meant(text); ok {
		known += fmt.Sprintf(" Did you mean %s?", meant)
	}
	return known
}

// meant finds the value that was probably meant: the nearest one, or else the only one that
// begins or ends with the text, as single_choice does with single.
func (e Enumeration) meant(text string) (string, bool) {
	if meant, ok := Nearest(text, e.known); ok {
		return meant, true
	}

	var longer []string
	for _, value := range e.known {
		if text != "" && (strings.HasPrefix(value, text) || strings.HasSuffix(value, text)) {
			longer = append(longer, value)
		}
	}
	if len(longer) != 1 {
		return "", false
	}
	return longer[0], true
}

// Description implements validator.Describer.
func (e Enumeration) Description(context.Context) string {
	return "usually one of " + strings.Join(e.known, ", ")
}

// MarkdownDescription implements validator.Describer.
func (e Enumeration) MarkdownDescription(ctx context.Context) string { return e.Description(ctx) }

// ValidateString implements validator.String. It warns of a value that is not known: objects
// of a newer service may have it. The title names the place, since Terraform folds warnings of
// one title.
func (e Enumeration) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if text := e.Unknown(req.ConfigValue, nil); text != "" {
		resp.Diagnostics.AddAttributeWarning(req.Path, fmt.Sprintf("Unknown %s: %s is %q", lastName(req.Path), req.Path, req.ConfigValue.ValueString()), req.Path.String()+" "+text)
	}
}

func lastName(at path.Path) string {
	steps := at.Steps()

	if len(steps) == 0 {
		return "value"
	}
	return steps[len(steps)-1].String()
}

// Values returns the known values, in the order of the API's schema.
func (e Enumeration) Values() []string { return slices.Clone(e.known) }
