package attribute

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Enumeration is the known values of an enumerated field of the contract.
type Enumeration struct {
	valid func(string) bool
	known []string
}

// EnumerationOf returns the enumeration of the values given, which are all of their type.
func EnumerationOf[T interface {
	~string
	Valid() bool
}](known ...T) Enumeration {
	words := make([]string, len(known))
	for i, value := range known {
		words[i] = string(value)
	}
	return Enumeration{valid: func(s string) bool { return T(s).Valid() }, known: words}
}

// Check says at plan that a value is outside the known set, unless the prior state
// held it: what the service itself returned is accepted, so that objects of a newer
// service can be imported and kept.
func (e Enumeration) Check(at path.Path, value types.String, prior []types.String, diags *diag.Diagnostics) {
	word := value.ValueString()
	if value.IsNull() || value.IsUnknown() || e.valid(word) || slices.Contains(prior, value) {
		return
	}
	diags.AddAttributeError(at, fmt.Sprintf("Unknown %s", lastName(at)),
		fmt.Sprintf("%s is %q. Known are: %s.", at, word, strings.Join(e.known, ", ")))
}

func lastName(at path.Path) string {
	steps := at.Steps()
	if len(steps) == 0 {
		return "value"
	}
	return steps[len(steps)-1].String()
}

// Words are the known words, in the order of the contract.
func (e Enumeration) Values() []string { return slices.Clone(e.known) }
