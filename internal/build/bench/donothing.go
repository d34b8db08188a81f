//go:build unix

package main

import (
	"context"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/terraform"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/officialprovider"
)

// variant is a provider to measure. All variants use the same provider address and the same resource, so they accept
// the same configuration.
type variant string

const (
	ours     variant = "provider"
	typed    variant = "typed"
	jsonText variant = "jsontext"
)

// titles maps variants to their names in the tables.
var titles = map[variant]string{ours: "this provider", typed: "do-nothing, same schema", jsonText: "do-nothing, JSON text"}

// serve runs, as a plugin process, a variant that does no work itself. A plan with this variant costs only what
// the framework costs. The variant must not check, repair, or compare values.
func (c variant) serve(ctx context.Context) error {
	resources := officialprovider.Resources
	if c == typed {
		resources = map[string]schema.Schema{"posthog_survey": typedSchema(ctx)}
	}
	return officialprovider.Serve(ctx, resources)
}

// typedSchema returns this provider's survey schema without anything that adds work for the framework.
func typedSchema(ctx context.Context) schema.Schema {
	var described resource.SchemaResponse
	terraform.NewResource().Schema(ctx, resource.SchemaRequest{}, &described)
	return schema.Schema{Version: described.Schema.Version, Attributes: plain(described.Schema.Attributes)}
}

// plain reduces attributes to their names, their types, and whether they are required, optional, or computed. It
// removes validators, plan modifiers, defaults, and custom types.
func plain(attributes map[string]schema.Attribute) map[string]schema.Attribute {
	stripped := make(map[string]schema.Attribute, len(attributes))
	for name, attribute := range attributes {
		source := reflect.ValueOf(attribute)
		into := reflect.New(source.Type()).Elem()
		for _, field := range []string{"Required", "Optional", "Computed", "ElementType"} {
			if value := source.FieldByName(field); value.IsValid() {
				into.FieldByName(field).Set(value)
			}
		}
		switch nested := attribute.(type) {
		case schema.SingleNestedAttribute:
			into.FieldByName("Attributes").Set(reflect.ValueOf(plain(nested.Attributes)))
		case schema.ListNestedAttribute:
			inner := schema.NestedAttributeObject{Attributes: plain(nested.NestedObject.Attributes)}
			into.FieldByName("NestedObject").Set(reflect.ValueOf(inner))
		}
		stripped[name], _ = reflect.TypeAssert[schema.Attribute](into)
	}
	return stripped
}
