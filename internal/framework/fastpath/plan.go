package fastpath

import (
	"bytes"
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// PlanResourceChange implements tfprotov6.ResourceServer. The fast path serves configurations that do not change the
// state.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resource, ok := s.resources[req.TypeName]
	if !ok || s.data() == nil {
		return s.Server.PlanResourceChange(ctx, req)
	}

	config, err := splitObject(req.Config)
	if err != nil { // a null value means a destroy
		return s.Server.PlanResourceChange(ctx, req)
	}
	prior, err := splitObject(req.PriorState)
	private, ok := decodePrivateState(req.PriorPrivate)
	if err != nil || !ok {
		return s.Server.PlanResourceChange(ctx, req)
	}

	if !resource.IsComplete(prior, private) || !s.keepsParent(resource, config, prior) {
		return s.Server.PlanResourceChange(ctx, req)
	}
	if !isNoOp(ctx, resource.rules, config, prior) {
		return s.planOtherAttributes(ctx, resource, req, config, prior)
	}

	resource.reportExists(s.data(), prior, true)
	resp := &tfprotov6.PlanResourceChangeResponse{
		PlannedState:    req.PriorState,
		PlannedPrivate:  req.PriorPrivate,
		PlannedIdentity: req.PriorIdentity,
	}
	if resp.PlannedIdentity == nil { // the CLI does not support identities
		resp.PlannedIdentity = &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: []byte{msgpcode.Nil}}}
	}
	return resp, nil
}

// keepsParent reports whether an object stays in its project or organization. If the configuration omits the parent,
// the provider's default must be the same or unset. The framework warns of a different default.
func (s *Server) keepsParent(resource *servedResource, config, prior Object) bool {
	provided, parent := resource.Parent.Provided(s.data()), resource.Parent.Argument()
	return config.has(parent) || provided == "" || provided == prior.String(parent)
}

// isNoOp reports whether a configuration leaves an object unchanged: configured values equal the prior values byte by
// byte, or are equivalent to them, and omitted values are kept.
func isNoOp(ctx context.Context, rules map[string]*rule, config, prior Object) bool {
	if len(config) != len(prior) {
		return false
	}

	for i, configured := range config {
		priorField := prior[i]
		if !bytes.Equal(configured.name, priorField.name) {
			return false
		}

		r := rules[string(configured.name)]
		if bytes.Equal(configured.value, priorField.value) {
			// If the schema has a default, null in both values is still a change.
			if r != nil && r.hasDefault && isNull(configured.value) {
				return false
			}
			continue
		}
		if r == nil || !r.keepsPrior(ctx, configured.value, priorField.value) {
			return false
		}
	}
	return true
}

// The framework decodes every nested attribute several times, even if it does not change. Therefore, if the
// configuration leaves a costly attribute unchanged, the fast path removes the attribute from the call and adds it to
// the framework's response. The resource receives the attribute in the context.

type unchangedKey struct{}

// unchangedAttribute is an attribute that was removed from a call, with its prior value.
type unchangedAttribute struct {
	name  string
	value []byte
}

// UnchangedValue returns the prior value of an unchanged attribute that was removed from a context's call. In the call,
// the attribute is null in the configuration, the plan, and the prior state. UnchangedValue returns nil if the call
// contains all attributes.
func UnchangedValue(ctx context.Context, name string) *tfprotov6.DynamicValue {
	omitted, ok := ctx.Value(unchangedKey{}).(unchangedAttribute)
	if !ok || omitted.name != name {
		return nil
	}
	return &tfprotov6.DynamicValue{MsgPack: omitted.value}
}

// planOtherAttributes lets the framework plan a change to other attributes, without the most costly one.
func (s *Server) planOtherAttributes(
	ctx context.Context, resource *servedResource, req *tfprotov6.PlanResourceChangeRequest, config, prior Object,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	name := resource.Costly
	proposed, err := splitObject(req.ProposedNewState)
	if err != nil || !resource.staysInPlace(config, prior) || !isAttributeUnchanged(ctx, resource.rules, config, prior, name) {
		return s.Server.PlanResourceChange(ctx, req)
	}

	short := *req
	short.Config, short.PriorState, short.ProposedNewState = config.without(name), prior.without(name), proposed.without(name)
	omitted := unchangedAttribute{name: name, value: prior.raw(name)}

	resp, err := s.Server.PlanResourceChange(context.WithValue(ctx, unchangedKey{}, omitted), &short)
	if err != nil || resp.PlannedState == nil {
		return resp, err
	}

	// If the framework returns null instead of a plan, it also returns errors.
	if planned, err := splitObject(resp.PlannedState); err == nil {
		resp.PlannedState = planned.replace(name, omitted.value)
	}
	return resp, nil
}

// staysInPlace reports whether an object stays in its project or organization. If it moves, it becomes a different
// object.
func (r *servedResource) staysInPlace(config, prior Object) bool {
	parent := r.Parent.Argument()
	return !config.has(parent) || bytes.Equal(config.raw(parent), prior.raw(parent))
}

// isAttributeUnchanged reports whether a configuration sets an attribute and leaves it unchanged.
func isAttributeUnchanged(ctx context.Context, rules map[string]*rule, config, prior Object, name string) bool {
	if !config.has(name) || !prior.has(name) {
		return false
	}
	configured, priorValue := config.raw(name), prior.raw(name)
	return bytes.Equal(configured, priorValue) || rules[name].keepsPrior(ctx, configured, priorValue)
}

// without encodes an object with null for one attribute.
func (o Object) without(name string) *tfprotov6.DynamicValue {
	return o.replace(name, []byte{msgpcode.Nil})
}

// replace encodes an object with a different value of an attribute.
func (o Object) replace(name string, value []byte) *tfprotov6.DynamicValue {
	var out bytes.Buffer
	e := msgpack.NewEncoder(&out)
	_ = e.EncodeMapLen(len(o)) // writing to a buffer cannot fail

	for _, f := range o {
		_ = e.EncodeString(string(f.name))
		if string(f.name) == name {
			out.Write(value)
		} else {
			out.Write(f.value)
		}
	}
	return &tfprotov6.DynamicValue{MsgPack: out.Bytes()}
}

// ValidateResourceConfig implements tfprotov6.ResourceServer. During a plan, Terraform validates the configuration of
// an object that it has just read. Values in PostHog are valid, so a configuration that equals them needs no check.
//
// PlanResourceChange cannot do this instead. Terraform does not call it for a resource that a test overrides, and
// calls it with a different configuration if changes are ignored.
func (s *Server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resource, ok := s.resources[req.TypeName]
	if !ok {
		return s.Server.ValidateResourceConfig(ctx, req)
	}

	config, err := splitObject(req.Config)
	if err != nil {
		return s.Server.ValidateResourceConfig(ctx, req)
	}

	read := resource.justRead.take(config)
	if isNoOp(ctx, resource.rules, config, read) {
		return &tfprotov6.ValidateResourceConfigResponse{}, nil
	}
	if isAttributeUnchanged(ctx, resource.rules, config, read, resource.Costly) {
		short := *req
		short.Config = config.without(resource.Costly)
		req = &short
	}
	return s.Server.ValidateResourceConfig(ctx, req)
}
