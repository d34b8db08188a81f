// Package linepath ends the paths of diagnostics where the CLI can still turn them
// into a line of the configuration.
//
// Terraform before 1.16 and OpenTofu look up the last attribute of a path in the
// resource itself: of questions[1].type they show the type of the survey. All of them
// find an element of a list. The texts of diagnostics carry the full path, so nothing
// is lost where the path is cut.
package linepath

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// exactSince is the first Terraform that follows a path to its end. OpenTofu 1.12
// reports a version below it, and so does a CLI that reports none.
var exactSince = version.Must(version.NewVersion("1.16.0"))

// framework is the interface of the plugin framework's provider server.
type framework interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// Server is a provider server whose diagnostics point at lines.
type Server struct {
	framework
	// exact reports whether the CLI follows a path to its end. The CLI names its
	// version when it configures the provider: terraform validate never does, so its
	// diagnostics point at elements in every version.
	exact atomic.Bool
}

// New wraps a provider server of the plugin framework.
func New(next tfprotov6.ProviderServer) (*Server, error) {
	whole, ok := next.(framework)
	if !ok {
		return nil, fmt.Errorf("%T does not serve all that the framework serves", next)
	}
	return &Server{framework: whole}, nil
}

// followsPaths reports whether a version of the CLI follows a path to its end.
func followsPaths(cli string) bool {
	parsed, err := version.NewVersion(cli)

	// A pre-release of 1.16 resolves paths as 1.16 does.
	return err == nil && parsed.Core().GreaterThanOrEqual(exactSince)
}

// shorten cuts the path of every diagnostic.
func (s *Server) shorten(diags []*tfprotov6.Diagnostic) {
	for _, one := range diags {
		one.Attribute = cut(one.Attribute, s.exact.Load())
	}
}

// cut ends a path at the last step that the CLI resolves.
func cut(path *tftypes.AttributePath, exact bool) *tftypes.AttributePath {
	steps := path.Steps()
	for i, step := range steps {
		// Terraform 1.16 itself panics ("not a string") on a path into a map whose
		// keys are written as numbers, as in { 0 = "7" }.
		if _, isMapKey := step.(tftypes.ElementKeyString); isMapKey {
			steps = steps[:i]
			break
		}
	}

	if !exact && len(steps) > 1 {
		if _, isElement := steps[1].(tftypes.ElementKeyInt); isElement {
			steps = steps[:2]
		} else {
			steps = steps[:1]
		}
	}

	if len(steps) == 0 {
		return nil
	}
	return tftypes.NewAttributePathWithSteps(steps)
}

// ConfigureProvider implements tfprotov6.ProviderServer.
func (s *Server) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	s.exact.Store(followsPaths(req.TerraformVersion))
	return s.framework.ConfigureProvider(ctx, req)
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s *Server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := s.framework.ValidateResourceConfig(ctx, req)
	if resp != nil {
		s.shorten(resp.Diagnostics)
	}
	return resp, err
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.framework.PlanResourceChange(ctx, req)
	if resp != nil {
		s.shorten(resp.Diagnostics)
	}
	return resp, err
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s *Server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := s.framework.ApplyResourceChange(ctx, req)
	if resp != nil {
		s.shorten(resp.Diagnostics)
	}
	return resp, err
}

// ReadResource implements tfprotov6.ResourceServer.
func (s *Server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := s.framework.ReadResource(ctx, req)
	if resp != nil {
		s.shorten(resp.Diagnostics)
	}
	return resp, err
}

// ValidateDataResourceConfig implements tfprotov6.DataSourceServer.
func (s *Server) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	resp, err := s.framework.ValidateDataResourceConfig(ctx, req)
	if resp != nil {
		s.shorten(resp.Diagnostics)
	}
	return resp, err
}

// ReadDataSource implements tfprotov6.DataSourceServer.
func (s *Server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := s.framework.ReadDataSource(ctx, req)
	if resp != nil {
		s.shorten(resp.Diagnostics)
	}
	return resp, err
}
