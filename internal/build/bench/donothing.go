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

// variant is a provider that is measured. All three have the same address and the same
// resource, so that one configuration block fits all.
type variant string

const (
	ours     variant = "provider"
	typed    variant = "typed"
	jsonText variant = "jsontext"
)

// titles are the names of the variants in the tables.
var titles = map[variant]string{ours: "this provider", typed: "do-nothing, same schema", jsonText: "do-nothing, JSON text"}

// serve runs a variant that does nothing as a plugin process: what a plan costs with it is what
// the framework costs. Nothing in it checks, repairs or compares a value; whatever does belongs
// to the real provider.
func (c variant) serve(ctx context.Context) error {
	resources := officialprovider.Resources
	if c == typed {
		resources = map[string]schema.Schema{"posthog_survey": typedSchema(ctx)}
	}
	return officialprovider.Serve(ctx, resources)
}

// typedSchema is the schema of the survey of this provider without all that adds to the work of
// the framework.
func typedSchema(ctx context.Context) schema.Schema {
	var described resource.SchemaResponse
	terraform.NewResource().Schema(ctx, resource.SchemaRequest{}, &described)
	return schema.Schema{Version: described.Schema.Version, Attributes: plain(described.Schema.Attributes)}
}

// plain leaves of attributes the names, the types, and who sets what. Validators, plan modifiers,
// defaults and types of one's own are gone.
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
