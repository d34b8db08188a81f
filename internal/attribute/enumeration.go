package attribute

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
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
	text := value.ValueString()
	if !IsKnown(value) || e.valid(text) || slices.Contains(prior, value) {
		return
	}

	diags.AddAttributeError(at, fmt.Sprintf("Unknown %s", lastName(at)),
		fmt.Sprintf("%s is %q. Known values: %s.", at, text, strings.Join(e.known, ", ")))
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
