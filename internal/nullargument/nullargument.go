// Package nullargument gives functions of the provider the null that OpenTofu leaves out:
// where a parameter takes null, it sends no value at all, which the framework cannot decode.
package nullargument

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// framework is what the plugin framework serves.
type framework interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// Server is a provider server whose functions get every argument.
type Server struct{ framework }

// New wraps a server that serves all that the plugin framework serves.
func New(next tfprotov6.ProviderServer) (*Server, error) {
	whole, ok := next.(framework)
	if !ok {
		return nil, fmt.Errorf("%T does not serve all that the framework serves", next)
	}
	return &Server{whole}, nil
}

// CallFunction implements tfprotov6.FunctionServer. All functions of the provider have
// dynamic parameters, whose null has no type.
func (s *Server) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	null, err := tfprotov6.NewDynamicValue(tftypes.DynamicPseudoType, tftypes.NewValue(tftypes.DynamicPseudoType, nil))
	if err != nil {
		return nil, err
	}

	for i, argument := range req.Arguments {
		if argument == nil || len(argument.MsgPack) == 0 && len(argument.JSON) == 0 {
			req.Arguments[i] = &null
		}
	}
	return s.framework.CallFunction(ctx, req)
}
