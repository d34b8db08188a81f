package side

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// reader reads the objects of one kind from Terraform's JSON.
type reader struct {
	kind   Kind
	types  map[string]attr.Type
	hidden *hider
}

func newReader(kind Kind, hidden *hider) reader {
	return reader{kind, attributeTypes(kind), hidden}
}

// object converts a resource. unknown are the values that are known only after apply, and
// sensitive those that must not be printed, in the form of a plan. States and plans come from other people, too: an id that none of the
// service's is would go into addresses and names of files, so it is an error.
func (r reader) object(address string, values, unknown map[string]any, sensitive any) (Object, error) {
	o := Object{Kind: r.kind, Address: address, Attributes: r.hidden.object(attribute.ObjectFromPlan(values, r.types, decoded), sensitive, r.types)}
	hideDefaults(o.Attributes)
	o.ID, o.Name = jsonvalue.String(o.Attributes["id"]), jsonvalue.String(o.Attributes["name"])
	o.ParentID = jsonvalue.String(o.Attributes["project_id"])
	if r.kind == App {
		o.ParentID = jsonvalue.String(o.Attributes["organization_id"])
	}
	for name, value := range unknown {
		if isUnknown, ok := value.(bool); ok && isUnknown && r.types[name] != nil {
			o.Unknown = append(o.Unknown, name)
		}
	}
	slices.Sort(o.Unknown)

	if o.ID != "" && !r.kind.isID(o.ID) {
		return Object{}, fmt.Errorf("%s has the id %q, which is not an id of the service", address, o.ID)
	}
	return o, nil
}

// isID reports whether an id is one of the kind: a UUID of a survey, a number of an app.
func (k Kind) isID(id string) bool {
	if k == App {
		_, err := strconv.ParseUint(id, 10, 63)
		return err == nil
	}
	return client.IsSurveyID(id)
}
