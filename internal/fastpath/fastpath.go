// Package fastpath answers what Terraform asks about objects that did not change
// without decoding them: most of what a plan costs is the plugin framework taking
// every attribute apart and putting it together again, several times each.
//
// [Server] stands before the framework's server. It passes on every call of which it
// is not certain that the framework would answer with what it was given; so it can
// save time, and change no answer. What an attribute means never enters it: that is
// read from the schema.
package fastpath

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/providerdata"
)

// Noun is what a resource type tells about itself.
type Noun struct {
	Schema schema.Schema
	// Parent is the attribute that with id is the identity of an object, and Default
	// the provider's value for it, "" for none.
	Parent  string
	Default func(*providerdata.Data) string
	// Settled reports whether what one attribute of a state means for another is there,
	// and what the private state means for it: a plan puts it there otherwise.
	Settled func(state Object, private Private) bool
	// Exists is given each state that was read, and each that stays as it is; nil for none.
	Exists func(*providerdata.Data, Object)
	// Read asks the service for the object that a state holds.
	Read func(context.Context, *client.Client, Object) (json.RawMessage, error)
}

// framework is what the plugin framework serves.
type framework interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// Server is a provider server with the fast path before the framework's.
type Server struct {
	framework
	nouns map[string]*noun
	// data is the configured provider, nil before.
	data func() *providerdata.Data
}

// noun is a Noun with what follows from its schema.
type noun struct {
	Noun
	typ   tftypes.Type
	rules map[string]*rule
	fresh justRead
	// edition is a hash of the provider's version and of the schema: what another
	// edition remembered is not known to hold.
	edition [sha256.Size]byte
}

// New puts the fast path before a server of the framework. data is asked for the
// configured provider at every call. What a version of the provider remembered, only
// that version takes for true.
func New(slow tfprotov6.ProviderServer, version string, data func() *providerdata.Data, nouns map[string]Noun) (*Server, error) {
	whole, ok := slow.(framework)
	if !ok {
		return nil, fmt.Errorf("%T does not serve all that the framework serves", slow)
	}
	s := &Server{framework: whole, data: data, nouns: map[string]*noun{}}
	for name, n := range nouns {
		ctx := context.Background()
		rules, err := rulesOf(ctx, n.Schema.Attributes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		typ := n.Schema.Type().TerraformType(ctx)
		s.nouns[name] = &noun{
			Noun: n, typ: typ, rules: rules, fresh: justRead{byName: map[string]Object{}},
			edition: sha256.Sum256([]byte(version + " " + typ.String())),
		}
	}
	return s, nil
}

// ready returns the client, nil while there is none.
func (s *Server) ready() *client.Client {
	if data := s.data(); data != nil {
		return data.Client
	}
	return nil
}
