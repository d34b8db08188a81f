package fastpath

import (
	"bytes"
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// PlanResourceChange implements tfprotov6.ResourceServer. It serves configurations
// that change nothing in the state.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resource, ok := s.resources[req.TypeName]
	if !ok || s.data() == nil {
		return s.Server.PlanResourceChange(ctx, req)
	}

	config, err := splitObject(req.Config)
	if err != nil { // null: a destroy
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
	if resp.PlannedIdentity == nil { // a CLI without support for identities
		resp.PlannedIdentity = &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: []byte{msgpcode.Nil}}}
	}
	return resp, nil
}

// keepsParent reports whether the project or organization of an object stays, for a
// configuration that omits it: the provider's default is the same, or there is none. The
// framework warns of another one.
func (s *Server) keepsParent(resource *servedResource, config, prior Object) bool {
	defaultID := resource.Default(s.data())
	return config.has(resource.Parent) || defaultID == "" || defaultID == prior.String(resource.Parent)
}

// isNoOp reports whether a configuration leaves an object as it is: what it sets equals
// the prior value, to the byte, and what it omits stays.
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
			// Null on both sides is a change all the same where the schema has a default.
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

// The framework takes every nested attribute apart several times, whether it changes or
// not. So an attribute that a configuration leaves as it is stays out of what the
// framework plans, and is put back into its response. The resource finds it in the context.

type unchangedKey struct{}

// unchangedAttribute is an attribute that was left out of a call, with its prior value.
type unchangedAttribute struct {
	name  string
	value []byte
}

// UnchangedValue returns the prior value of an attribute that the configuration leaves as it
// is and that was left out of the call of a context: there it is null in configuration,
// plan and prior state. Nil when the call has all attributes.
func UnchangedValue(ctx context.Context, name string) *tfprotov6.DynamicValue {
	omitted, ok := ctx.Value(unchangedKey{}).(unchangedAttribute)
	if !ok || omitted.name != name {
		return nil
	}
	return &tfprotov6.DynamicValue{MsgPack: omitted.value}
}

// planOtherAttributes has the framework plan a change of other attributes than the one
// that costs most.
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

	// A null in place of a plan comes with errors.
	if planned, err := splitObject(resp.PlannedState); err == nil {
		resp.PlannedState = planned.replace(name, omitted.value)
	}
	return resp, nil
}

// staysInPlace reports whether an object stays in its project or organization: one that
// moves is another one.
func (r *servedResource) staysInPlace(config, prior Object) bool {
	return !config.has(r.Parent) || bytes.Equal(config.raw(r.Parent), prior.raw(r.Parent))
}

// isAttributeUnchanged reports whether a configuration sets an attribute and leaves it as
// it is.
func isAttributeUnchanged(ctx context.Context, rules map[string]*rule, config, prior Object, name string) bool {
	if !config.has(name) || !prior.has(name) {
		return false
	}
	configured, priorValue := config.raw(name), prior.raw(name)
	return bytes.Equal(configured, priorValue) || rules[name].keepsPrior(ctx, configured, priorValue)
}

// without encodes an object with null in place of an attribute.
func (o Object) without(name string) *tfprotov6.DynamicValue {
	return o.replace(name, []byte{msgpcode.Nil})
}

// replace encodes an object with another value of an attribute.
func (o Object) replace(name string, value []byte) *tfprotov6.DynamicValue {
	var out bytes.Buffer
	e := msgpack.NewEncoder(&out)
	_ = e.EncodeMapLen(len(o)) // a buffer takes everything

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

// ValidateResourceConfig implements tfprotov6.ResourceServer. In a plan Terraform
// validates the configuration of an object that was just read. What the service holds is
// valid, so a configuration that equals it needs no check.
//
// This cannot wait for PlanResourceChange: that is not called for a resource which a test
// overrides, and where changes are ignored it is called with another configuration.
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
