package main

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/build/bench/donothing"
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

const resourceType = "posthog_survey"

// versionOfBuild is that of the program built here: what one version of the provider
// stores in private state, another ignores.
const versionOfBuild = "dev"

// survey is the configuration of survey number i with the schema of the variant.
func (c variant) survey(i int, description string) settings {
	if c == jsonText {
		return jsonTextSurvey(i, description)
	}
	return typedSurvey(i, description)
}

// stored is what survey number i is created with. A provider that does nothing would plan a
// change of what its configuration leaves out.
func (c variant) stored(i int, description string) settings {
	if c == ours {
		return storedSurvey(i, description)
	}
	return c.survey(i, description)
}

// server returns what Terraform would start a process for.
func (c variant) server(ctx context.Context) (func() tfprotov6.ProviderServer, error) {
	if c == ours {
		posthog.CollectLess()
		return func() tfprotov6.ProviderServer {
			server, err := posthog.NewServer(posthog.New(versionOfBuild))
			if err != nil {
				panic(err) // the fast path has no rule for the schema
			}
			return server
		}, nil
	}
	p, err := c.doNothing(ctx)
	if err != nil {
		return nil, err
	}
	return providerserver.NewProtocol6(p), nil
}

func (c variant) doNothing(ctx context.Context) (provider.Provider, error) {
	switch c {
	case typed:
		return donothing.Typed(ctx, terraform.NewResource())
	case jsonText:
		return donothing.JSONText(), nil
	default:
		return nil, fmt.Errorf("there is no do-nothing provider %q", c)
	}
}

// serve runs the variant as a plugin process.
func (c variant) serve(ctx context.Context) error {
	p, err := c.doNothing(ctx)
	if err != nil {
		return err
	}
	return providerserver.Serve(ctx, func() provider.Provider { return p }, providerserver.ServeOpts{Address: posthog.Address})
}

// title is the name of the variant in the table.
func (c variant) title() string {
	switch c {
	case ours:
		return "this provider"
	case typed:
		return "do-nothing, same schema"
	case jsonText:
		return "do-nothing, JSON text"
	}
	return string(c)
}
