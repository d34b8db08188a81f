package tfpolicy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// ResourcePolicy is a policy for resources of one type.
type ResourcePolicy struct {
	Type, Label string
	Operations  []Operation
	Level       string
	// Filter is nil when the policy is for all resources of the type.
	Filter   hcl.Expression
	Locals   map[string]hcl.Expression
	Enforces []Enforce
}

// levels are what enforcement_level may say.
var levels = []string{"advisory", "mandatory", "mandatory_overridable"}

var resourcePolicySchema = &hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "operations"}, {Name: "enforcement_level"}, {Name: "filter"}},
	Blocks:     []hcl.BlockHeaderSchema{{Type: "locals"}, {Type: "enforce"}},
}

func parseResourcePolicy(block *hcl.Block) (*ResourcePolicy, error) {
	content, diags := block.Body.Content(resourcePolicySchema)
	if diags.HasErrors() {
		return nil, diags
	}

	p := &ResourcePolicy{Type: block.Labels[0], Label: block.Labels[1], Level: "mandatory", Filter: expression(content, "filter")}
	if strings.Contains(p.Type, "*") {
		return nil, fmt.Errorf("%s: wildcards are not covered", block.DefRange)
	}
	level, err := literal(content, "enforcement_level", cty.String)
	if err != nil {
		return nil, err
	}
	if !level.IsNull() {
		p.Level = level.AsString()
	}
	if !slices.Contains(levels, p.Level) {
		return nil, fmt.Errorf("%s: enforcement_level is one of %v, not %q", block.DefRange, levels, p.Level)
	}

	if p.Locals, err = parseLocals(content.Blocks.OfType("locals"), 1); err != nil {
		return nil, err
	}
	for _, one := range content.Blocks.OfType("enforce") {
		enforce, err := parseEnforce(one)
		if err != nil {
			return nil, err
		}
		p.Enforces = append(p.Enforces, enforce)
	}
	if len(p.Enforces) == 0 {
		return nil, fmt.Errorf("%s: a policy has an enforce block", block.DefRange)
	}

	if p.Operations, err = p.parseOperations(content.Attributes["operations"]); err != nil {
		return nil, fmt.Errorf("%s: %w", block.DefRange, err)
	}
	return p, nil
}

// parseOperations are the operations of the policy: what the argument says, or else all that
// leave a resource behind.
func (p *ResourcePolicy) parseOperations(attribute *hcl.Attribute) ([]Operation, error) {
	if attribute == nil {
		if p.readsPrior() {
			return nil, errors.New("a policy that reads prior_attrs sets operations")
		}
		return []Operation{Create, Update, NoOp}, nil
	}

	value, diags := attribute.Expr.Value(nil)
	if diags.HasErrors() {
		return nil, diags
	}
	var named []Operation
	for _, one := range value.AsValueSlice() {
		if one.Type() != cty.String || !slices.Contains(operations, Operation(one.AsString())) {
			return nil, fmt.Errorf("operations are some of %v", operations)
		}
		named = append(named, Operation(one.AsString()))
	}

	has := func(operation Operation) bool { return slices.Contains(named, operation) }
	switch {
	case len(named) == 0:
		return nil, errors.New("sources contradict each other about operations without an element")
	case has(Delete) && (has(Create) || has(NoOp)):
		return nil, errors.New("a policy for delete is for neither create nor no-op")
	case p.readsPrior() && (has(Create) || has(NoOp)):
		return nil, errors.New("a policy for create or no-op cannot read prior_attrs")
	}
	return named, nil
}

// expressions are all of the policy.
func (p *ResourcePolicy) expressions() []hcl.Expression {
	var all []hcl.Expression
	if p.Filter != nil {
		all = append(all, p.Filter)
	}
	for _, one := range p.Locals {
		all = append(all, one)
	}
	for _, enforce := range p.Enforces {
		all = append(all, enforce.expressions()...)
	}
	return all
}

func (p *ResourcePolicy) readsPrior() bool {
	for _, one := range p.expressions() {
		for _, traversal := range one.Variables() {
			if traversal.RootName() == "prior_attrs" {
				return true
			}
		}
	}
	return false
}
