package protocol

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// nullArguments works around OpenTofu, which omits null arguments of provider functions: it
// sends no value at all, which the framework cannot decode. The server inserts the null.
type nullArguments struct{ Server }

// WithNullArguments gives functions the nulls that the CLI omits.
func WithNullArguments(next Server) Server { return nullArguments{next} }

// CallFunction implements tfprotov6.FunctionServer. All functions of the provider have
// dynamic parameters, whose null has no type.
func (s nullArguments) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	null, err := tfprotov6.NewDynamicValue(tftypes.DynamicPseudoType, tftypes.NewValue(tftypes.DynamicPseudoType, nil))
	if err != nil {
		return nil, err
	}

	for i, argument := range req.Arguments {
		if argument == nil || len(argument.MsgPack) == 0 && len(argument.JSON) == 0 {
			req.Arguments[i] = &null
		}
	}
	return s.Server.CallFunction(ctx, req)
}
