// Package fastpath answers Terraform's calls for unchanged objects without decoding them. Most of
// a plan's time goes into the plugin framework's repeated decoding and encoding of every attribute.
// This package skips that work.
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
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/protocol"
)

// Server is a provider server that tries the fast path before the framework.
type Server struct {
	protocol.Server
	resources map[string]*servedResource
	// data returns the configured provider, or nil before it is configured.
	data func() *framework.Data
}

// New wraps a framework server with the fast path. Each call uses the configured provider that data returns. Values
// that a different version of the provider stored in private state are ignored.
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

// configuredClient returns the client, or nil if the provider is not configured.
func (s *Server) configuredClient() *client.Client {
	if data := s.data(); data != nil {
		return data.Client
	}
	return nil
}

// Resource describes a resource type to the fast path.
type Resource struct {
	Schema schema.Schema
	// Parent is the kind of parent that, together with the ID, identifies an object.
	Parent framework.Parent
	// IsComplete reports whether a plan with the state's values would change nothing. A plan derives values from
	// other attributes and from the private state.
	IsComplete func(state Object, private PrivateState) bool
	// IsSettled reports whether a second read with the same result leaves the private state unchanged. If IsSettled is
	// nil, every read does.
	IsSettled func(private PrivateState) bool
	// Costly is the nested attribute that costs the framework the most time, or "" if there is none. See
	// [UnchangedValue].
	Costly string
	// Exists is called with each state that was read, or planned without a change. It may be nil.
	Exists func(data *framework.Data, state Object, isPlanned bool)
	// Read requests the object in a state from PostHog.
	Read func(context.Context, *client.Client, Object) (json.RawMessage, error)
}

// servedResource is a Resource with the values that are derived from its schema.
type servedResource struct {
	Resource
	typ      tftypes.Type
	rules    map[string]*rule
	justRead justRead
	// cacheVersion is a hash of the provider's version and the schema. Values that were stored with a different
	// cacheVersion are ignored.
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

// identity returns the identity of a state's object, and reports whether it equals identityData. identityData is nil if
// the CLI does not support identities.
func (r *servedResource) identity(state Object, identityData *tfprotov6.ResourceIdentityData) (*tfprotov6.ResourceIdentityData, bool) {
	names := []string{r.Parent.Argument(), "id"}
	slices.Sort(names)
	data, err := state.encodeOnly(names...)
	isSame := err == nil && (identityData == nil || identityData.IdentityData != nil && sameMap(identityData.IdentityData.MsgPack, data))
	return &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: data}}, isSame
}

// SeenKey is the private state key for the last read's result: a hash of PostHog's response, the resulting state, and
// the rest of the private state. If a read finds the same values again, its result is the same state.
const SeenKey = "seen"

// PrivateState is the private state of an object in the framework's encoding: JSON values by key.
type PrivateState map[string][]byte

// decodePrivateState decodes private state. It returns false if a key starts with a dot. Such a key belongs to the
// framework, which must then process the call.
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

// lastHash returns the hash of the last read, or "" if there is none.
func (p PrivateState) lastHash() string {
	var hash string
	if json.Unmarshal(p[SeenKey], &hash) != nil {
		return ""
	}
	return hash
}

// justRead holds, by name, the objects of a resource type that were read, but not validated since. Of two objects
// with the same name, it holds the last one. Validating the other one only takes longer.
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

// take removes and returns the object with the name in a configuration. It returns nil if there is none.
func (j *justRead) take(config Object) Object {
	name := config.String("name")

	j.mu.Lock()
	defer j.mu.Unlock()
	o := j.byName[name]
	delete(j.byName, name)
	return o
}
