package fastpath

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

// Resource describes a resource type to the fast path.
type Resource struct {
	Schema schema.Schema
	// Parent is the attribute that with id is the identity of an object, and Default
	// the provider's value for it, "" for none.
	Parent  string
	Default func(*providerdata.Data) string
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
	Exists func(data *providerdata.Data, state Object, isPlanned bool)
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

func (r *servedResource) reportExists(data *providerdata.Data, state Object, isPlanned bool) {
	if r.Exists != nil {
		r.Exists(data, state, isPlanned)
	}
}

// identity returns the identity of the object that a state holds, and reports whether it
// is the given one. A CLI without support for identities gives none.
func (r *servedResource) identity(state Object, given *tfprotov6.ResourceIdentityData) (*tfprotov6.ResourceIdentityData, bool) {
	names := []string{r.Parent, "id"}
	if r.Parent > "id" {
		names = []string{"id", r.Parent}
	}

	data, err := state.encodeOnly(names...)
	isSame := err == nil && (given == nil || given.IdentityData != nil && sameMap(given.IdentityData.MsgPack, data))
	return &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: data}}, isSame
}
