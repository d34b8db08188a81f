// Package nullargument works around OpenTofu, which omits null arguments of provider
// functions: it sends no value at all, which the framework cannot decode. The package
// inserts the null.
package nullargument

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// framework is the interface of the plugin framework's provider server.
type framework interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// Server is a provider server whose functions get null arguments.
type Server struct{ framework }

// New wraps a provider server of the plugin framework.
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
