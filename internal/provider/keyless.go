package provider

import (
	"context"
	"math/big"
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/protocol"
)

// Unanswered stands for a value that only the service knows, where there is no key for it: the CLI
// refuses a look-up whose result is unknown. It is the number, the text of it, and in any text that
// is made of that.
const Unanswered = 2_003_895_127

// IsWithoutKey reports whether the provider was configured without a key, and does without the service.
func (p *Provider) IsWithoutKey() bool { return p.isWithoutKey.Load() }

// keyless plans without a key and without the service: objects are as the state has them, and what
// is looked up is Unanswered.
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

// unansweredValue is a value of a type that is Unanswered. A list is empty: what a configuration makes of
// each element would not be valid.
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
	case tftypes.Map: // in which the id of another look-up is found
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
