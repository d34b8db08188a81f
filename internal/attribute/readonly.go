package attribute

import (
	"fmt"

	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// Descriptions are descriptions for a data source, by the path of the attribute
// ("questions.id"), for attributes whose description in the resource is about setting them.
type Descriptions map[string]string

// ReadOnly converts the attributes of a resource to those of a data source that returns
// the same: all computed, with the same types. A description is the one in own, else the
// resource's. It panics at an attribute of a kind that no resource here has, and at a
// description of no attribute: both are faults of the build.
func ReadOnly(attributes map[string]resource.Attribute, own Descriptions) map[string]datasource.Attribute {
	r := readOnly{own: own, used: map[string]bool{}}
	out := r.attributes("", attributes)

	for path := range own {
		if !r.used[path] {
			panic(fmt.Sprintf("description of attribute %s, which does not exist", path))
		}
	}

	return out
}

// readOnly is a conversion: used are the descriptions that were used.
type readOnly struct {
	own  Descriptions
	used map[string]bool
}

func (r readOnly) attributes(parent string, attributes map[string]resource.Attribute) map[string]datasource.Attribute {
	out := make(map[string]datasource.Attribute, len(attributes))
	for name, a := range attributes {
		out[name] = r.attribute(parent+name, a)
	}
	return out
}

func (r readOnly) attribute(path string, a resource.Attribute) datasource.Attribute {
	description := a.GetMarkdownDescription()
	if own, ok := r.own[path]; ok {
		description, r.used[path] = own, true
	}

	switch a := a.(type) {
	case resource.StringAttribute:
		return datasource.StringAttribute{Computed: true, MarkdownDescription: description, CustomType: a.CustomType}
	case resource.BoolAttribute:
		return datasource.BoolAttribute{Computed: true, MarkdownDescription: description}
	case resource.Int64Attribute:
		return datasource.Int64Attribute{Computed: true, MarkdownDescription: description}
	case resource.NumberAttribute:
		return datasource.NumberAttribute{Computed: true, MarkdownDescription: description}
	case resource.ListAttribute:
		return datasource.ListAttribute{Computed: true, MarkdownDescription: description, ElementType: a.ElementType}
	case resource.MapAttribute:
		return datasource.MapAttribute{Computed: true, MarkdownDescription: description, ElementType: a.ElementType}
	case resource.SingleNestedAttribute:
		return datasource.SingleNestedAttribute{Computed: true, MarkdownDescription: description, Attributes: r.attributes(path+".", a.Attributes)}
	case resource.ListNestedAttribute:
		return datasource.ListNestedAttribute{
			Computed: true, MarkdownDescription: description,
			NestedObject: datasource.NestedAttributeObject{Attributes: r.attributes(path+".", a.NestedObject.Attributes)},
		}
	}
	panic(fmt.Sprintf("attribute %s: no data source twin for %T", path, a))
}
