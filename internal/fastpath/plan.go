package fastpath

import (
	"bytes"
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/providerdata"
)

// PlanResourceChange implements tfprotov6.ResourceServer. A configuration that says
// what the state holds changes nothing.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	n, ok := s.nouns[req.TypeName]
	if !ok || s.data() == nil {
		return s.framework.PlanResourceChange(ctx, req)
	}
	config, err := objectOf(req.Config)
	if err != nil { // null: the end of the object
		return s.framework.PlanResourceChange(ctx, req)
	}
	prior, err := objectOf(req.PriorState)
	private, known := privateOf(req.PriorPrivate)
	if err == nil && known && n.Settled(prior, private) && s.staysWithParent(n, config, prior) && quiet(ctx, n.rules, config, prior) {
		n.exists(s.data(), prior)
		resp := &tfprotov6.PlanResourceChangeResponse{
			PlannedState: req.PriorState, PlannedPrivate: req.PriorPrivate, PlannedIdentity: req.PriorIdentity,
		}
		if resp.PlannedIdentity == nil { // a CLI that knows of none
			resp.PlannedIdentity = &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: []byte{msgpcode.Nil}}}
		}
		return resp, nil
	}
	return s.framework.PlanResourceChange(ctx, req)
}

func (n *noun) exists(data *providerdata.Data, state Object) {
	if n.Exists != nil {
		n.Exists(data, state)
	}
}

// staysWithParent reports whether the provider names no other project or organization
// than the one that an object with a silent configuration is in: that is worth a word.
func (s *Server) staysWithParent(n *noun, config, prior Object) bool {
	given := n.Default(s.data())
	return config.has(n.Parent) || given == "" || given == prior.String(n.Parent)
}

// quiet reports whether a configuration leaves an object as it is: what it sets is
// what is there, to the byte, and what it is silent about stays.
func quiet(ctx context.Context, rules map[string]*rule, config, prior Object) bool {
	if len(config) != len(prior) {
		return false
	}
	for i, set := range config {
		was := prior[i]
		if !bytes.Equal(set.name, was.name) {
			return false
		}
		r := rules[string(set.name)]
		switch isSame := bytes.Equal(set.value, was.value); {
		case isSame && (r == nil || !r.fills || !isNull(set.value)):
		case isSame, r == nil, !r.leaves(ctx, set.value, was.value):
			return false
		}
	}
	return true
}
