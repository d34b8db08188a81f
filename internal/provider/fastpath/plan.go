package fastpath

import (
	"bytes"
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// PlanResourceChange implements tfprotov6.ResourceServer. It serves configurations
// that change nothing in the state.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resource, ok := s.resources[req.TypeName]
	if !ok || s.data() == nil {
		return s.Server.PlanResourceChange(ctx, req)
	}

	config, err := objectOf(req.Config)
	if err != nil { // null: a destroy
		return s.Server.PlanResourceChange(ctx, req)
	}
	prior, err := objectOf(req.PriorState)
	private, ok := decodePrivateState(req.PriorPrivate)
	if err != nil || !ok {
		return s.Server.PlanResourceChange(ctx, req)
	}

	if !resource.IsComplete(prior, private) || !s.keepsParent(resource, config, prior) {
		return s.Server.PlanResourceChange(ctx, req)
	}
	if !isNoOp(ctx, resource.rules, config, prior) {
		return s.planWithoutUnchanged(ctx, resource, req, config, prior)
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
	given := resource.Default(s.data())
	return config.has(resource.Parent) || given == "" || given == prior.String(resource.Parent)
}

// isNoOp reports whether a configuration leaves an object as it is: what it sets equals
// the prior value, to the byte, and what it omits stays.
func isNoOp(ctx context.Context, rules map[string]*rule, config, prior Object) bool {
	if len(config) != len(prior) {
		return false
	}

	for i, configured := range config {
		was := prior[i]
		if !bytes.Equal(configured.name, was.name) {
			return false
		}

		r := rules[string(configured.name)]
		if bytes.Equal(configured.value, was.value) {
			// Null on both sides is a change all the same where the schema has a default.
			if r != nil && r.hasDefault && isNull(configured.value) {
				return false
			}
			continue
		}
		if r == nil || !r.unchanged(ctx, configured.value, was.value) {
			return false
		}
	}
	return true
}
