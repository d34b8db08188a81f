package attribute

import (
	"fmt"

	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// ReadOnly turns the attributes of a resource into those of a data source that
// tells the same: all computed, with the same types and descriptions. An attribute
// of a kind that no resource here has is a fault of the build: it panics.
func ReadOnly(attributes map[string]resource.Attribute) map[string]datasource.Attribute {
	out := make(map[string]datasource.Attribute, len(attributes))
	for name, a := range attributes {
		out[name] = readOnly(name, a)
	}
	return out
}

func readOnly(name string, a resource.Attribute) datasource.Attribute {
	description := a.GetMarkdownDescription()
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
		return datasource.SingleNestedAttribute{Computed: true, MarkdownDescription: description, Attributes: ReadOnly(a.Attributes)}
	case resource.ListNestedAttribute:
		return datasource.ListNestedAttribute{
			Computed: true, MarkdownDescription: description,
			NestedObject: datasource.NestedAttributeObject{Attributes: ReadOnly(a.NestedObject.Attributes)},
		}
	}
	panic(fmt.Sprintf("attribute %s: no data source twin for %T", name, a))
}
