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

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// rule decides whether an attribute stays unchanged although its encoded values in the configuration and the prior
// state differ.
type rule struct {
	// omittedKeeps reports whether an attribute that the configuration omits keeps a prior value that is not null.
	omittedKeeps func(ctx context.Context, prior []byte) bool
	// nested contains the rules inside an object, or inside each element of a list.
	nested map[string]*rule
	isList bool
	// isMap is set if the order of keys does not matter.
	isMap bool
	// means reports whether a configured string is equivalent to the prior one. If it is nil, only identical strings
	// are.
	means attribute.Equivalent
	// hasDefault is set if the default is not null, so that an omitted attribute does not stay null.
	hasDefault bool
}

// keepsPrior reports whether the prior value is kept.
func (r *rule) keepsPrior(ctx context.Context, config, prior []byte) bool {
	switch {
	case isNull(config):
		return r.omittedKeeps(ctx, prior)
	case r.isMap:
		return sameMap(config, prior)
	case r.means != nil:
		return sameMeaning(r.means, config, prior)
	case r.nested == nil || isNull(prior):
		return false
	case !r.isList:
		return keepsObject(ctx, r.nested, config, prior)
	}

	configured, err := splitList(config)
	priorList, errPrior := splitList(prior)
	if err != nil || errPrior != nil || len(configured) != len(priorList) {
		return false
	}

	for i := range configured {
		if !bytes.Equal(configured[i], priorList[i]) && !keepsObject(ctx, r.nested, configured[i], priorList[i]) {
			return false
		}
	}
	return true
}

// sameMeaning compares two encoded strings. An unknown value is not equivalent to any string.
func sameMeaning(means attribute.Equivalent, config, prior []byte) bool {
	var configured, was string
	if isNull(prior) || !isString(config) || msgpack.Unmarshal(config, &configured) != nil || msgpack.Unmarshal(prior, &was) != nil {
		return false
	}
	return means(was, configured)
}

func keepsObject(ctx context.Context, rules map[string]*rule, config, prior []byte) bool {
	configured, err := splitMap(config)
	priorMap, errPrior := splitMap(prior)
	return err == nil && errPrior == nil && isNoOp(ctx, rules, configured, priorMap)
}

// deriveRules derives the rules from a schema.
func deriveRules(ctx context.Context, attributes map[string]schema.Attribute) (map[string]*rule, error) {
	rules := map[string]*rule{}
	for name, a := range attributes {
		r, err := deriveRule(ctx, a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		rules[name] = r
	}
	return rules, nil
}

func deriveRule(ctx context.Context, a schema.Attribute) (*rule, error) {
	r := &rule{}
	var err error

	switch a := a.(type) {
	case schema.SingleNestedAttribute:
		r.nested, err = deriveRules(ctx, a.Attributes)
	case schema.MapAttribute:
		r.isMap = true
	case schema.ListNestedAttribute:
		r.isList = true
		r.nested, err = deriveRules(ctx, a.NestedObject.Attributes)
	}
	if err != nil {
		return nil, err
	}

	modifiers, fallback := attribute.AttributePlanning(a)
	encoded, hasDefault, err := encodeDefault(ctx, fallback)
	if err != nil {
		return nil, err
	}
	r.hasDefault = encoded != nil
	r.means = findEquivalent(modifiers)

	omitted, hasOmitted := attribute.FindOmittedValue(modifiers)
	switch {
	case !a.IsComputed():
		r.omittedKeeps = func(context.Context, []byte) bool { return false }
	case keepsEmpty(fallback):
		r.omittedKeeps = func(_ context.Context, prior []byte) bool { return isEmpty(prior) }
	case hasDefault:
		r.omittedKeeps = func(_ context.Context, prior []byte) bool { return bytes.Equal(prior, encoded) }
	case hasOmitted:
		r.omittedKeeps = func(ctx context.Context, prior []byte) bool { return keeps(ctx, omitted, a.GetType(), prior) }
	default:
		r.omittedKeeps = func(context.Context, []byte) bool { return true }
	}
	return r, nil
}

// encodeDefault returns a default in Terraform's encoding, or nil for null.
func encodeDefault(ctx context.Context, fallback any) (encoded []byte, ok bool, err error) {
	switch fallback := fallback.(type) {
	case nil:
		return nil, false, nil
	case attribute.NullDefault:
		return nil, true, nil
	case defaults.String:
		var resp defaults.StringResponse
		fallback.DefaultString(ctx, defaults.StringRequest{}, &resp)
		encoded, err = msgpack.Marshal(resp.PlanValue.ValueString())
		return encoded, true, err
	}
	return nil, false, fmt.Errorf("no rule for a default that is a %T", fallback)
}

// keepsEmpty reports whether an omitted attribute keeps an empty prior value.
func keepsEmpty(fallback any) bool {
	null, ok := fallback.(attribute.NullDefault)
	return ok && null.KeepsEmpty
}

// findEquivalent returns the function among plan modifiers that compares meanings, or nil if there is none.
func findEquivalent(modifiers []planmodifier.Describer) attribute.Equivalent {
	for _, modifier := range modifiers {
		switch means := modifier.(type) {
		case attribute.Equivalent:
			return means
		case attribute.EquivalentInPlace:
			return attribute.Equivalent(means)
		}
	}
	return nil
}

// keeps reports whether an encoded prior value is kept.
func keeps(ctx context.Context, o attribute.OmittedValue, typ attr.Type, prior []byte) bool {
	wire := typ.TerraformType(ctx)
	decoded, err := (tfprotov6.DynamicValue{MsgPack: prior}).Unmarshal(wire)
	if err != nil {
		return false
	}

	value, err := typ.ValueFromTerraform(ctx, decoded)
	if err != nil {
		return false
	}

	planned, err := o.Plan(value, value, false).ToTerraformValue(ctx)
	return err == nil && planned.Equal(decoded)
}
