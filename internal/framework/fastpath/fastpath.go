// Package fastpath answers Terraform's calls for unchanged objects without decoding them. Most of
// the time of a plan goes into the plugin framework's repeated decoding and encoding of every
// attribute; this package skips that work.
//
// [Server] wraps the framework's server and forwards every call for which it cannot prove that the
// framework would return its input unchanged. It can therefore save time, but never change a
// result. It derives its rules from the schema, and contains no rules for single attributes.
package fastpath

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/protocol"
)

// Server is a provider server with the fast path before the framework's.
type Server struct {
	protocol.Server
	resources map[string]*servedResource
	// data returns the configured provider, nil before it is configured.
	data func() *framework.Data
}

// New puts the fast path before a server of the framework. data is asked for the
// configured provider at every call. What one version of the provider stored in private
// state counts for that version alone.
func New(next protocol.Server, version string, data func() *framework.Data, resources map[string]Resource) (*Server, error) {
	s := &Server{Server: next, data: data, resources: map[string]*servedResource{}}
	for name, resource := range resources {
		ctx := context.Background()
		rules, err := deriveRules(ctx, resource.Schema.Attributes)
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

// Resource describes a resource type to the fast path.
type Resource struct {
	Schema schema.Schema
	// Parent is the attribute that with id is the identity of an object, and Default
	// the provider's value for it, "" for none.
	Parent  string
	Default func(*framework.Data) string
	// IsComplete reports whether a state holds all that a plan would derive from its other
	// attributes and from the private state.
	IsComplete func(state Object, private PrivateState) bool
	// IsSettled reports whether a read that finds what the one before has found leaves the
	// private state as it is; nil when it always does.
	IsSettled func(private PrivateState) bool
	// Costly is the nested attribute that costs the framework most; "" for none. See
	// [Unchanged].
	Costly string
	// Exists is called with each state that was read or planned without a change; nil for
	// none.
	Exists func(data *framework.Data, state Object, isPlanned bool)
	// Read asks the service for the object that a state holds.
	Read func(context.Context, *client.Client, Object) (json.RawMessage, error)
}

// servedResource is a Resource with what follows from its schema.
type servedResource struct {
	Resource
	typ      tftypes.Type
	rules    map[string]*rule
	justRead justRead
	// cacheVersion is a hash of the provider's version and of the schema: what was stored
	// under another one is ignored.
	cacheVersion [sha256.Size]byte
}

func (r *servedResource) isSettled(private PrivateState) bool {
	return r.IsSettled == nil || r.IsSettled(private)
}

func (r *servedResource) reportExists(data *framework.Data, state Object, isPlanned bool) {
	if r.Exists != nil {
		r.Exists(data, state, isPlanned)
	}
}

// identity returns the identity of the object that a state holds, and reports whether it
// is the given one. A CLI without support for identities gives none.
func (r *servedResource) identity(state Object, identityData *tfprotov6.ResourceIdentityData) (*tfprotov6.ResourceIdentityData, bool) {
	names := []string{r.Parent, "id"}
	if r.Parent > "id" {
		names = []string{"id", r.Parent}
	}

	data, err := state.encodeOnly(names...)
	isSame := err == nil && (identityData == nil || identityData.IdentityData != nil && sameMap(identityData.IdentityData.MsgPack, data))
	return &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: data}}, isSame
}

// SeenKey is the key of the private state under which the fast path keeps what a read
// found: a hash of the service's response, of the state that it led to, and of the rest of
// the private state. A read that finds the same again leads to the same state again.
const SeenKey = "seen"

// PrivateState is the private state of an object as the framework encodes it: JSON by
// key.
type PrivateState map[string][]byte

// decodePrivateState decodes private state. It reports false for one in which the
// framework keeps something for itself, under a key that begins with a dot: the framework
// has to look at it.
func decodePrivateState(data []byte) (PrivateState, bool) {
	p := PrivateState{}
	if len(data) > 0 && json.Unmarshal(data, &p) != nil {
		return nil, false
	}

	for key := range p {
		if strings.HasPrefix(key, ".") {
			return nil, false
		}
	}
	return p, true
}

// lastHash returns the hash of what the last read found, "" for none.
func (p PrivateState) lastHash() string {
	var hash string
	if json.Unmarshal(p[SeenKey], &hash) != nil {
		return ""
	}
	return hash
}

// justRead holds the objects of one resource type that were read and not validated since,
// by name. Of two with one name it holds the last: the other is slow, not wrong.
type justRead struct {
	mu     sync.Mutex
	byName map[string]Object
}

func (j *justRead) add(state *tfprotov6.DynamicValue) {
	o, err := splitObject(state)
	if err != nil { // deleted
		return
	}

	j.mu.Lock()
	defer j.mu.Unlock()
	j.byName[o.String("name")] = o
}

// take removes and returns the object that a configuration names, nil for none.
func (j *justRead) take(config Object) Object {
	name := config.String("name")

	j.mu.Lock()
	defer j.mu.Unlock()
	o := j.byName[name]
	delete(j.byName, name)
	return o
}
