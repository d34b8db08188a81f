package fastpath

import (
	"bytes"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// rule says when one attribute stays as it is although configuration and prior state
// are not the same bytes.
type rule struct {
	// keeps reports whether silence leaves a prior value that is not null.
	keeps func(ctx context.Context, prior []byte) bool
	// nested are the rules inside an object, or of each element of a list.
	nested map[string]*rule
	isList bool
	// isMap says that the order of the keys tells nothing.
	isMap bool
	// fills says that silence is a value, a default: not even null stays null.
	fills bool
}

func (r *rule) leaves(ctx context.Context, config, prior []byte) bool {
	switch {
	case isNull(config):
		return r.keeps(ctx, prior)
	case r.isMap:
		return sameMap(config, prior)
	case r.nested == nil || isNull(prior):
		return false
	case !r.isList:
		return leavesObject(ctx, r.nested, config, prior)
	}
	set, err := elements(config)
	was, errPrior := elements(prior)
	if err != nil || errPrior != nil || len(set) != len(was) {
		return false
	}
	for i := range set {
		if !bytes.Equal(set[i], was[i]) && !leavesObject(ctx, r.nested, set[i], was[i]) {
			return false
		}
	}
	return true
}

func leavesObject(ctx context.Context, rules map[string]*rule, config, prior []byte) bool {
	set, err := split(config)
	was, errPrior := split(prior)
	return err == nil && errPrior == nil && quiet(ctx, rules, set, was)
}

// rulesOf reads the rules from a schema.
func rulesOf(ctx context.Context, attributes map[string]schema.Attribute) (map[string]*rule, error) {
	rules := map[string]*rule{}
	for name, a := range attributes {
		r, err := ruleOf(ctx, a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		rules[name] = r
	}
	return rules, nil
}

func ruleOf(ctx context.Context, a schema.Attribute) (*rule, error) {
	r := &rule{}
	var err error
	switch a := a.(type) {
	case schema.SingleNestedAttribute:
		r.nested, err = rulesOf(ctx, a.Attributes)
	case schema.MapAttribute:
		r.isMap = true
	case schema.ListNestedAttribute:
		r.isList = true
		r.nested, err = rulesOf(ctx, a.NestedObject.Attributes)
	}
	if err != nil {
		return nil, err
	}
	modifiers, fallback, err := planningOf(a)
	if err != nil {
		return nil, err
	}
	encoded, hasDefault, err := defaultOf(ctx, fallback)
	r.fills = encoded != nil
	silence, hasSilence := silenceOf(modifiers)
	switch {
	case err != nil:
		return nil, err
	case !a.IsComputed():
		r.keeps = func(context.Context, []byte) bool { return false }
	case hasDefault:
		r.keeps = func(_ context.Context, prior []byte) bool { return bytes.Equal(prior, encoded) }
	case hasSilence:
		r.keeps = func(ctx context.Context, prior []byte) bool { return silence.keeps(ctx, a.GetType(), prior) }
	default:
		r.keeps = func(context.Context, []byte) bool { return true }
	}
	return r, nil
}

// planningOf is what the schema says of an attribute that a configuration leaves out:
// its plan modifiers, and its default, nil for none.
func planningOf(a schema.Attribute) (modifiers []any, fallback any, err error) {
	switch a := a.(type) {
	case schema.StringAttribute:
		return listed(a.PlanModifiers), a.Default, nil
	case schema.BoolAttribute:
		return listed(a.PlanModifiers), a.Default, nil
	case schema.Int64Attribute:
		return listed(a.PlanModifiers), a.Default, nil
	case schema.NumberAttribute:
		return listed(a.PlanModifiers), a.Default, nil
	case schema.ListAttribute:
		return listed(a.PlanModifiers), a.Default, nil
	case schema.MapAttribute:
		return listed(a.PlanModifiers), a.Default, nil
	case schema.SingleNestedAttribute:
		return listed(a.PlanModifiers), a.Default, nil
	case schema.ListNestedAttribute:
		return listed(a.PlanModifiers), a.Default, nil
	}
	return nil, nil, fmt.Errorf("no rule for %T", a)
}

func listed[T planmodifier.Describer](modifiers []T) []any {
	out := make([]any, len(modifiers))
	for i, modifier := range modifiers {
		out[i] = modifier
	}
	return out
}

// defaultOf is a default as Terraform sends it; nil, which is no value, for null.
func defaultOf(ctx context.Context, fallback any) (encoded []byte, ok bool, err error) {
	switch fallback := fallback.(type) {
	case nil:
		return nil, false, nil
	case attribute.NullDefault, attribute.NullDefaultOf:
		return nil, true, nil
	case defaults.String:
		var resp defaults.StringResponse
		fallback.DefaultString(ctx, defaults.StringRequest{}, &resp)
		encoded, err = msgpack.Marshal(resp.PlanValue.ValueString())
		return encoded, true, err
	}
	return nil, false, fmt.Errorf("no rule for a default that is a %T", fallback)
}

// silenceOf finds the modifier that says what silence means.
func silenceOf(modifiers []any) (silent, bool) {
	for _, modifier := range modifiers {
		if silence, ok := modifier.(attribute.OmittedValue); ok {
			return silent{silence}, true
		}
	}
	return silent{}, false
}

type silent struct{ attribute.OmittedValue }

func (s silent) keeps(ctx context.Context, typ attr.Type, prior []byte) bool {
	wire := typ.TerraformType(ctx)
	decoded, err := (tfprotov6.DynamicValue{MsgPack: prior}).Unmarshal(wire)
	if err != nil {
		return false
	}
	value, err := typ.ValueFromTerraform(ctx, decoded)
	if err != nil {
		return false
	}
	settled, err := s.Plan(value, value, false).ToTerraformValue(ctx)
	return err == nil && settled.Equal(decoded)
}
