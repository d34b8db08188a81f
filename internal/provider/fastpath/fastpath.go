// Package fastpath serves calls of Terraform about objects that did not change without
// decoding them: most of the cost of a plan is the plugin framework taking every
// attribute apart and putting it together again, several times each.
//
// [Server] wraps the framework's server. It passes on every call of which it is
// not certain that the framework would return what it was given; so it can save
// time, and change no response. It does not know what an attribute means: that is read from
// the schema.
package fastpath

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/protocol"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

// Server is a provider server with the fast path before the framework's.
type Server struct {
	protocol.Server
	resources map[string]*servedResource
	// data returns the configured provider, nil before it is configured.
	data func() *providerdata.Data
}

// New puts the fast path before a server of the framework. data is asked for the
// configured provider at every call. What one version of the provider stored in private
// state counts for that version alone.
func New(next protocol.Server, version string, data func() *providerdata.Data, resources map[string]Resource) (*Server, error) {
	s := &Server{Server: next, data: data, resources: map[string]*servedResource{}}
	for name, resource := range resources {
		ctx := context.Background()
		rules, err := rulesOf(ctx, resource.Schema.Attributes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}

		typ := resource.Schema.Type().TerraformType(ctx)
		s.resources[name] = &servedResource{
			Resource:     resource,
			typ:          typ,
			rules:        rules,
			justRead:     justRead{byName: map[string]Object{}},
			cacheVersion: sha256.Sum256([]byte(version + " " + typ.String())),
		}
	}
	return s, nil
}

// configuredClient returns the client, nil while the provider is not configured.
func (s *Server) configuredClient() *client.Client {
	if data := s.data(); data != nil {
		return data.Client
	}
	return nil
}
