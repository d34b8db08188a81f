package provider

import (
	"context"
	"math/big"
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/protocol"
)

// Unanswered replaces a value that only PostHog can provide, if there is no API key. An unknown value is not
// possible, because the CLI rejects an unknown data source result. Numbers, strings, and texts that are built
// from them contain Unanswered.
const Unanswered = 2_003_895_127

// IsWithoutKey reports whether the provider was configured without an API key, and therefore sends no requests.
func (p *Provider) IsWithoutKey() bool { return p.isWithoutKey.Load() }

// keyless plans without an API key and without requests. It returns objects as they are in the state, and Unanswered
// for data source results.
type keyless struct {
	protocol.Server
	isWithoutKey func() bool
}

// ReadResource implements tfprotov6.ResourceServer.
func (s keyless) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	if !s.isWithoutKey() {
		return s.Server.ReadResource(ctx, req)
	}
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, NewIdentity: req.CurrentIdentity, Private: req.Private}, nil
}

// ReadDataSource implements tfprotov6.DataSourceServer.
func (s keyless) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	if !s.isWithoutKey() {
		return s.Server.ReadDataSource(ctx, req)
	}
	schemas, err := s.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	block := schemas.DataSourceSchemas[req.TypeName].Block
	config, err := req.Config.Unmarshal(block.ValueType())
	if err != nil {
		return nil, err
	}
	attributes := map[string]tftypes.Value{}
	if err := config.As(&attributes); err != nil {
		return nil, err
	}

	for _, attribute := range block.Attributes {
		if attribute.Computed && attributes[attribute.Name].IsNull() {
			attributes[attribute.Name] = unansweredValue(attribute.ValueType())
		}
	}
	state, err := tfprotov6.NewDynamicValue(block.ValueType(), tftypes.NewValue(block.ValueType(), attributes))
	return &tfprotov6.ReadDataSourceResponse{State: &state}, err
}

// unansweredValue returns a value of a type that contains Unanswered. Lists are empty, because values that a
// configuration derives from an element would not be valid.
func unansweredValue(typ tftypes.Type) tftypes.Value {
	switch typ := typ.(type) {
	case tftypes.Object:
		attributes := map[string]tftypes.Value{}
		for name, attribute := range typ.AttributeTypes {
			attributes[name] = unansweredValue(attribute)
		}
		return tftypes.NewValue(typ, attributes)
	case tftypes.List, tftypes.Set:
		return tftypes.NewValue(typ, []tftypes.Value{})
	case tftypes.Map: // a map contains the key Unanswered, so that a result of another data source finds an entry
		return tftypes.NewValue(typ, map[string]tftypes.Value{strconv.Itoa(Unanswered): unansweredValue(typ.ElementType)})
	}
	switch {
	case typ.Is(tftypes.String):
		return tftypes.NewValue(typ, strconv.Itoa(Unanswered))
	case typ.Is(tftypes.Number):
		return tftypes.NewValue(typ, big.NewFloat(Unanswered))
	case typ.Is(tftypes.Bool):
		return tftypes.NewValue(typ, false)
	}
	return tftypes.NewValue(typ, nil)
}
