package fastpath

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
)

// ReadResource implements tfprotov6.ResourceServer.
func (s *Server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resource, ok := s.resources[req.TypeName]
	if !ok {
		return s.Server.ReadResource(ctx, req)
	}

	resp, err := s.readResource(ctx, resource, req)
	if err != nil {
		return resp, err
	}

	resource.justRead.add(resp.NewState)
	if state, err := splitObject(resp.NewState); err == nil {
		resource.reportExists(s.data(), state, false)
	}
	return resp, nil
}

// readResource always sends a request to PostHog. If the response was seen before, the state stays unchanged.
// Otherwise, the framework's Read receives the prefetched response. The framework also handles an import's read,
// because an import stores a value in the private state.
func (s *Server) readResource(ctx context.Context, resource *servedResource, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	configured := s.configuredClient()
	if configured == nil {
		return s.Server.ReadResource(ctx, req)
	}

	state, err := splitObject(req.CurrentState)
	private, ok := decodePrivateState(req.Private)
	identity, isSame := resource.identity(state, req.CurrentIdentity)
	if err != nil || !isSame || state.has(framework.TimeoutsName) {
		return s.Server.ReadResource(ctx, req)
	}

	operation, cancel := framework.DefaultOperation(ctx, "read")
	body, err := resource.Read(operation, configured, state)
	cancel()

	if lastHash := private.lastHash(); ok && err == nil && lastHash != "" && resource.isSettled(private) && resource.fingerprint(configured, req.CurrentState, private, body) == lastHash {
		return &tfprotov6.ReadResourceResponse{
			NewState:    req.CurrentState,
			NewIdentity: identity,
			Private:     req.Private,
		}, nil
	}

	resp, slowErr := s.Server.ReadResource(context.WithValue(ctx, prefetchedKey{}, prefetched{body, err}), req)
	if slowErr != nil {
		return resp, slowErr
	}
	if err == nil && len(resp.Diagnostics) == 0 {
		resource.remember(configured, body, resp)
	}
	return resp, nil
}

// prefetchedKey is the context key for a prefetched response. The framework calls the resource's Read itself, and passes
// on only the context.
type prefetchedKey struct{}

// prefetched is the outcome of the fast path's request.
type prefetched struct {
	body json.RawMessage
	err  error
}

// objects reads one kind of object.
type objects[T, K any] interface {
	Read(ctx context.Context, id K) (T, error)
	Decode(ctx context.Context, id K, raw json.RawMessage) (T, error)
}

// Read returns the object with an ID, for a resource's Read. If the fast path has prefetched the object, Read sends no
// request.
func Read[T, K any](ctx context.Context, from objects[T, K], id K) (object T, err error) {
	earlier, ok := ctx.Value(prefetchedKey{}).(prefetched)
	switch {
	case !ok:
		return from.Read(ctx, id)
	case earlier.err != nil:
		return object, earlier.err
	}
	return from.Decode(ctx, id, earlier.body)
}

// remember stores a read's result in the private state of its response.
func (r *servedResource) remember(c *client.Client, body json.RawMessage, resp *tfprotov6.ReadResourceResponse) {
	private, ok := decodePrivateState(resp.Private)
	if !ok || resp.NewState == nil || resp.Deferred != nil {
		return
	}

	// Texts and maps of bytes can always be encoded.
	private[SeenKey], _ = json.Marshal(r.fingerprint(c, resp.NewState, private, body))
	resp.Private, _ = json.Marshal(private)
}

// fingerprint returns a hash of everything that determines a read's result. It returns "" if the state cannot be
// hashed.
func (r *servedResource) fingerprint(c *client.Client, state *tfprotov6.DynamicValue, private PrivateState, body json.RawMessage) string {
	rest := maps.Clone(private)
	delete(rest, SeenKey)
	encoded, _ := json.Marshal(rest) // a map of bytes can always be encoded

	hash := sha256.New()
	for _, part := range [][]byte{r.cacheVersion[:], []byte(c.BaseURL()), encoded, body} {
		sum := sha256.Sum256(part)
		hash.Write(sum[:])
	}
	if writeDigest(hash, state.MsgPack) != nil {
		return ""
	}

	return base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:18])
}

// UpgradeResourceState implements tfprotov6.ResourceServer. It returns a state with the current schema version
// unchanged. If a state has attributes that are not in the schema, the framework drops them.
func (s *Server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	resource, ok := s.resources[req.TypeName]
	if !ok || req.RawState == nil || req.Version != resource.Schema.Version || !fits(req.RawState.JSON, resource.typ) {
		return s.Server.UpgradeResourceState(ctx, req)
	}

	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
}

// fits reports whether a JSON object has the attributes of a type, with values of the right kinds.
func fits(raw json.RawMessage, typ tftypes.Type) bool {
	if len(raw) == 0 {
		return false
	}
	if raw[0] == 'n' { // null
		return true
	}

	switch typ := typ.(type) {
	case tftypes.Object:
		var values map[string]json.RawMessage
		if json.Unmarshal(raw, &values) != nil || len(values) != len(typ.AttributeTypes) {
			return false
		}
		for name, inner := range typ.AttributeTypes {
			if value, ok := values[name]; !ok || !fits(value, inner) {
				return false
			}
		}
		return true
	case tftypes.Map:
		var values map[string]json.RawMessage
		return json.Unmarshal(raw, &values) == nil && allFit(slices.Collect(maps.Values(values)), typ.ElementType)
	case tftypes.List:
		var values []json.RawMessage
		return json.Unmarshal(raw, &values) == nil && allFit(values, typ.ElementType)
	}
	return scalarFits(raw, typ)
}

func allFit(values []json.RawMessage, typ tftypes.Type) bool {
	return !slices.ContainsFunc(values, func(value json.RawMessage) bool { return !fits(value, typ) })
}

func scalarFits(raw json.RawMessage, typ tftypes.Type) bool {
	switch {
	case typ.Is(tftypes.String):
		return raw[0] == '"'
	case typ.Is(tftypes.Bool):
		return raw[0] == 't' || raw[0] == 'f'
	case typ.Is(tftypes.Number):
		return raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
	}
	return false
}
