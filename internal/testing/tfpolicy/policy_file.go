package tfpolicy

import (
	"fmt"
	"maps"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// PolicyFile is a file with policies. Each file is evaluated by itself.
type PolicyFile struct {
	Name     string
	Inputs   map[string]*Input
	Locals   map[string]hcl.Expression
	Policies []*ResourcePolicy
}

var policyFileSchema = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
	{Type: "policy"},
	{Type: "input", LabelNames: []string{"name"}},
	{Type: "locals"},
	{Type: "resource_policy", LabelNames: []string{"resource type", "label"}},
}}

// ParsePolicyFile reads a file, and checks what its expressions refer to.
func ParsePolicyFile(name string, source []byte, schemas Schemas) (*PolicyFile, error) {
	parsed, diags := hclsyntax.ParseConfig(source, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	content, diags := parsed.Body.Content(policyFileSchema)
	if diags.HasErrors() {
		return nil, diags
	}

	if err := checkProviders(content.Blocks.OfType("policy"), schemas); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &PolicyFile{Name: name, Inputs: map[string]*Input{}}
	for _, block := range content.Blocks.OfType("input") {
		input, err := parseInput(block)
		if err != nil {
			return nil, err
		}
		if f.Inputs[block.Labels[0]] != nil {
			return nil, fmt.Errorf("%s: input.%s is declared twice", block.DefRange, block.Labels[0])
		}
		f.Inputs[block.Labels[0]] = input
	}

	var err error
	if f.Locals, err = parseLocals(content.Blocks.OfType("locals"), 0); err != nil {
		return nil, err
	}
	labels := map[[2]string]bool{}
	for _, block := range content.Blocks.OfType("resource_policy") {
		policy, err := parseResourcePolicy(block)
		if err != nil {
			return nil, err
		}
		key := [2]string{policy.Type, policy.Label}
		if labels[key] {
			return nil, fmt.Errorf("%s: the policy is declared twice", block.DefRange)
		}
		labels[key] = true
		f.Policies = append(f.Policies, policy)
	}
	return f, f.check(schemas)
}

// checkProviders checks the policy block, which names the providers of the schemas.
func checkProviders(blocks hcl.Blocks, schemas Schemas) error {
	if len(blocks) != 1 {
		return fmt.Errorf("a file has one policy block, not %d", len(blocks))
	}
	content, diags := blocks[0].Body.Content(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "required_providers"}}})
	if diags.HasErrors() {
		return diags
	}
	if len(content.Blocks) != 1 {
		return fmt.Errorf("a policy block has one block required_providers, not %d", len(content.Blocks))
	}
	providers, diags := content.Blocks[0].Body.JustAttributes()
	if diags.HasErrors() {
		return diags
	}

	want := cty.Object(map[string]cty.Type{"source": cty.String, "version": cty.String})
	for name, attribute := range providers {
		value, diags := attribute.Expr.Value(nil)
		if diags.HasErrors() {
			return diags
		}
		if err := conforms(value, want); err != nil {
			return fmt.Errorf("required_providers: %s: %w", name, err)
		}
		if !value.Type().HasAttribute("source") || !schemas.has(value.GetAttr("source").AsString()) {
			return fmt.Errorf("required_providers: there is no schema of %s", name)
		}
		if !value.Type().HasAttribute("version") {
			continue
		}
		if _, err := version.NewConstraint(value.GetAttr("version").AsString()); err != nil {
			return fmt.Errorf("required_providers: %s: %w", name, err)
		}
	}
	return nil
}

// check checks all expressions of the file.
func (f *PolicyFile) check(schemas Schemas) error {
	inputs := map[string]cty.Type{}
	for name, input := range f.Inputs {
		inputs[name] = input.Type
	}
	shared := newReferences(map[string]cty.Type{"input": cty.Object(inputs)}, f.Locals)
	if err := shared.checkLocals(); err != nil {
		return err
	}

	for _, policy := range f.Policies {
		attrs, err := schemas.ResourceType(policy.Type)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		locals := maps.Clone(f.Locals)
		for name, one := range policy.Locals {
			if locals[name] != nil {
				return fmt.Errorf("%s: sources contradict each other about a local of a policy and of its file with one name", one.Range())
			}
			locals[name] = one
		}

		visible := map[string]cty.Type{"input": cty.Object(inputs), "attrs": attrs, "prior_attrs": attrs, "meta": metaType}
		references := newReferences(visible, locals)
		if err := references.checkLocals(); err != nil {
			return err
		}
		for _, one := range policy.expressions() {
			if err := references.check(one); err != nil {
				return err
			}
		}
	}
	return nil
}

// metaType are the meta arguments that are there without HCP Terraform.
var metaType = cty.Object(map[string]cty.Type{
	"module_path": cty.String, "operation": cty.String, "provider_type": cty.String, "type": cty.String,
})
