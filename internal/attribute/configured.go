package attribute

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ConfiguredIn returns a function that reports whether a configuration sets an
// attribute, for [Response]. A path inside of an attribute, attribute/..., counts as the
// attribute does.
func ConfiguredIn(config tftypes.Value) func(name string) bool {
	attributes := map[string]tftypes.Value{}
	err := config.As(&attributes)

	return func(name string) bool {
		root, _, _ := strings.Cut(name, "/")
		value, ok := attributes[root]
		return err == nil && ok && !value.IsNull()
	}
}
