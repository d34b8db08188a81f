package fastpath

import (
	"bytes"
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// The framework takes every nested attribute apart several times, whether it changes or
// not. So an attribute that a configuration leaves as it is stays out of what the
// framework plans, and is put back into its response. The resource finds it in the context.

type unchangedKey struct{}

// unchangedAttribute is an attribute that was left out of a call, with its prior value.
type unchangedAttribute struct {
	name  string
	value []byte
}

// Unchanged returns the prior value of an attribute that the configuration leaves as it
// is and that was left out of the call of a context: there it is null in configuration,
// plan and prior state. Nil when the call has all attributes.
func Unchanged(ctx context.Context, name string) *tfprotov6.DynamicValue {
	left, ok := ctx.Value(unchangedKey{}).(unchangedAttribute)
	if !ok || left.name != name {
		return nil
	}
	return &tfprotov6.DynamicValue{MsgPack: left.value}
}

// planWithoutUnchanged has the framework plan a change of other attributes than the one
// that costs most.
func (s *Server) planWithoutUnchanged(
	ctx context.Context, resource *servedResource, req *tfprotov6.PlanResourceChangeRequest, config, prior Object,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	name := resource.Costly
	proposed, err := objectOf(req.ProposedNewState)
	if err != nil || !resource.staysInPlace(config, prior) || !isAttributeUnchanged(ctx, resource.rules, config, prior, name) {
		return s.Server.PlanResourceChange(ctx, req)
	}

	short := *req
	short.Config, short.PriorState, short.ProposedNewState = config.without(name), prior.without(name), proposed.without(name)
	left := unchangedAttribute{name: name, value: prior.raw(name)}

	resp, err := s.Server.PlanResourceChange(context.WithValue(ctx, unchangedKey{}, left), &short)
	if err != nil || resp.PlannedState == nil {
		return resp, err
	}

	// A null in place of a plan comes with errors.
	if planned, err := objectOf(resp.PlannedState); err == nil {
		resp.PlannedState = planned.replace(name, left.value)
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
	configured, was := config.raw(name), prior.raw(name)
	return bytes.Equal(configured, was) || rules[name].unchanged(ctx, configured, was)
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
