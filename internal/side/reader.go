package side

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
)

// reader reads the objects of one kind from Terraform's JSON.
type reader struct {
	kind  Kind
	types map[string]attr.Type
}

func newReader(ctx context.Context, kind Kind) reader { return reader{kind, attributeTypes(ctx, kind)} }

// object converts a resource. unknown are the values that are known only after apply, in
// the form of a plan.
func (r reader) object(address string, values, unknown map[string]any) Object {
	o := Object{Kind: r.kind, Address: address, Attributes: normalizedObject(values, r.types)}
	o.ID, o.Name = text(o.Attributes["id"]), text(o.Attributes["name"])
	o.ParentID = text(o.Attributes["project_id"])
	if r.kind == App {
		o.ParentID = text(o.Attributes["organization_id"])
	}
	for name, value := range unknown {
		if isUnknown, ok := value.(bool); ok && isUnknown && r.types[name] != nil {
			o.Unknown = append(o.Unknown, name)
		}
	}
	slices.Sort(o.Unknown)
	return o
}

// text formats an id or a name; empty for null.
func text(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}
