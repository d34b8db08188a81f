// Package attribute handles single attributes between configuration, plan, state, and API for all
// resources:
//
//   - plan modifiers and defaults: planning.go; validators: validators.go;
//   - API values: wire.go, memory.go (values in private state), json.go, edits.go;
//   - whole objects: struct.go, schema.go (types, and data source schemas).
//
// It must not depend on surveys, import apps, or HTTP.
package attribute

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// IsKnown reports whether a value is neither null nor unknown.
func IsKnown(v interface {
	IsNull() bool
	IsUnknown() bool
}) bool {
	return !v.IsNull() && !v.IsUnknown()
}

// AttributeTypes returns the types of the schema attributes that isIncluded selects.
func AttributeTypes(s resource.Schema, isIncluded func(name string, a resource.Attribute) bool) map[string]attr.Type {
	byName := map[string]attr.Type{}
	for name, a := range s.Attributes {
		if isIncluded(name, a) {
			byName[name] = a.GetType()
		}
	}
	return byName
}

// ObjectFromPlan converts an object from a plan's or a state's JSON according to its attribute types. It keeps the
// digits of numbers, and converts JSON texts with a function. It omits attributes that are null or have no type. A
// value that does not fit its type stays unchanged, such as a mark for a value that is known only after apply.
func ObjectFromPlan(object map[string]any, attributeTypes map[string]attr.Type, fromJSON func(text string) any) map[string]any {
	converted := map[string]any{}
	for name, value := range object {
		if typ, ok := attributeTypes[name]; ok && value != nil {
			converted[name] = fromPlan(value, typ, fromJSON)
		}
	}
	return converted
}

func fromPlan(value any, typ attr.Type, fromJSON func(text string) any) any {
	switch value := value.(type) {
	case float64:
		return jsonvalue.FromFloat(value)
	case string:
		if _, isJSON := typ.(jsontypes.NormalizedType); isJSON {
			return fromJSON(value)
		}
	case []any:
		list, ok := typ.(types.ListType)
		if !ok {
			break
		}
		converted := make([]any, len(value))
		for i, element := range value {
			converted[i] = fromPlan(element, list.ElemType, fromJSON)
		}
		return converted
	case map[string]any:
		if object, ok := typ.(types.ObjectType); ok {
			return ObjectFromPlan(value, object.AttrTypes, fromJSON)
		}
	}
	return value
}

// Plain returns a value as encoding/json decodes it from a state file. It returns nil for null and unknown values.
func Plain(v tftypes.Value) any {
	if v.IsNull() || !v.IsKnown() {
		return nil
	}

	var text string
	var truth bool
	var number big.Float
	var list []tftypes.Value
	var fields map[string]tftypes.Value
	switch {
	case v.As(&text) == nil:
		return text
	case v.As(&truth) == nil:
		return truth
	case v.As(&number) == nil:
		return json.Number(number.Text('f', -1))
	case v.As(&list) == nil:
		elements := make([]any, len(list))
		for i := range list {
			elements[i] = Plain(list[i])
		}
		return elements
	case v.As(&fields) == nil:
		object := map[string]any{}
		for name, field := range fields {
			object[name] = Plain(field)
		}
		return object
	}
	return nil
}

// Descriptions contains data source descriptions by attribute path (such as "questions.id"). They replace descriptions
// that explain how to set the resource's attribute.
type Descriptions map[string]string

// ReadOnly converts a resource's attributes to a data source's computed attributes with the same types. Descriptions in
// overrides replace the resource's. ReadOnly panics if it does not support an attribute's type, or if an override has
// no attribute. Both are bugs in the code.
func ReadOnly(attributes map[string]resource.Attribute, overrides Descriptions) map[string]datasource.Attribute {
	r := readOnly{own: overrides, used: map[string]bool{}}
	out := r.attributes("", attributes)

	for path := range overrides {
		if !r.used[path] {
			panic(fmt.Sprintf("description of attribute %s, which does not exist", path))
		}
	}

	return out
}

// readOnly is the state of a conversion. used contains the overrides that were used.
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
	if override, ok := r.own[path]; ok {
		description, r.used[path] = override, true
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
