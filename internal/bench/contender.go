package main

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/bench/donothing"
	posthog "github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// contender is a provider that is measured. All three have the same address and
// the same resource, so that one configuration block fits all.
type contender string

const (
	ours     contender = "provider"
	typed    contender = "typed"
	jsonText contender = "jsontext"
)

var contenders = []contender{ours, typed, jsonText}

const resourceType = "posthog_survey"

// versionOfBuild is that of the program built here: what one version of the provider
// remembers in the state, another does not take for true.
const versionOfBuild = "dev"

// survey is the configuration of survey number i in the terms of the contender.
func (c contender) survey(i int, description string) settings {
	if c == jsonText {
		return jsonTextSurvey(i, description)
	}
	return typedSurvey(i, description)
}

// server is what Terraform starts a process for.
func (c contender) server(ctx context.Context) (func() tfprotov6.ProviderServer, error) {
	if c == ours {
		return func() tfprotov6.ProviderServer {
			server, err := posthog.NewServer(posthog.New(versionOfBuild))
			if err != nil {
				panic(err) // the schema is one that the program has no rule for
			}
			return server
		}, nil
	}
	made, err := c.doNothing(ctx)
	if err != nil {
		return nil, err
	}
	return providerserver.NewProtocol6(made), nil
}

func (c contender) doNothing(ctx context.Context) (provider.Provider, error) {
	switch c {
	case typed:
		return donothing.Typed(ctx, survey.NewResource())
	case jsonText:
		return donothing.JSONText(), nil
	default:
		return nil, fmt.Errorf("there is no do-nothing provider %q", c)
	}
}

// serve answers Terraform as a program of its own.
func (c contender) serve(ctx context.Context) error {
	made, err := c.doNothing(ctx)
	if err != nil {
		return err
	}
	return providerserver.Serve(ctx, func() provider.Provider { return made }, providerserver.ServeOpts{Address: posthog.Address})
}

// title is what the contender is called in the table.
func (c contender) title() string {
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
