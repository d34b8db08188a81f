package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	posthog "github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/terraform"
)

// variant is a provider that is measured. All three have the same address and the same
// resource, so that one configuration block fits all.
type variant string

const (
	ours     variant = "provider"
	typed    variant = "typed"
	jsonText variant = "jsontext"
)

var variants = []variant{ours, typed, jsonText}

// titles are the names of the variants in the tables.
var titles = map[variant]string{ours: "this provider", typed: "do-nothing, same schema", jsonText: "do-nothing, JSON text"}

// survey is the configuration of surveys with the schema of the variant, by their number.
func (c variant) survey(description string) func(i int) settings {
	return func(i int) settings {
		if c == jsonText {
			return jsonTextSurvey(i, description)
		}
		return survey(i, description, typedQuestions)
	}
}

// stored is what survey number i is created with. A provider that does nothing would plan a
// change of what its configuration leaves out.
func (c variant) stored(i int) settings {
	if c == ours {
		return survey(i, before, storedQuestions)
	}
	return c.survey(before)(i)
}

// serve runs a do-nothing variant as a plugin process.
func (c variant) serve(ctx context.Context) error {
	schema := jsonTextSchema()
	if c == typed {
		var described resource.SchemaResponse
		terraform.NewResource().Schema(ctx, resource.SchemaRequest{}, &described)
		var err error
		if schema, err = strip(described.Schema); err != nil {
			return err
		}
	}
	return providerserver.Serve(ctx, func() provider.Provider { return nothing{schema} }, providerserver.ServeOpts{Address: posthog.Address})
}
