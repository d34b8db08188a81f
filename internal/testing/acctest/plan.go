package acctest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Plan is what planning a configuration gave.
type Plan struct {
	Planned         tftypes.Value
	RequiresReplace []*tftypes.AttributePath
	Diagnostics     Diagnostics
	private         []byte
	identity        *tfprotov6.ResourceIdentityData
	config          tftypes.Value
}

// Attribute is the value of one attribute in a plan, in the terms of State.
func (p Plan) Attribute(t testing.TB, attribute string) any {
	t.Helper()
	return goValue(t, attributesOf(t, p.Planned)[attribute])
}

// Attributes are the values of all attributes in a plan, in the terms of State.
func (p Plan) Attributes(t testing.TB) map[string]any {
	t.Helper()
	all := map[string]any{}
	for name := range attributesOf(t, p.Planned) {
		all[name] = p.Attribute(t, name)
	}
	return all
}
