package tfpolicy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Evaluate is what the policies of the file say of a resource: one verdict for each that is
// for its type and operation. Inputs that are not given have their defaults.
func (f *PolicyFile) Evaluate(subject Subject, inputs map[string]cty.Value) ([]Verdict, error) {
	settings, err := f.settings(inputs)
	if err != nil {
		return nil, err
	}

	var verdicts []Verdict
	for _, policy := range f.Policies {
		if policy.Type != subject.Type || !slices.Contains(policy.Operations, subject.Operation) {
			continue
		}
		e := newEvaluation(f, policy, subject, settings)
		verdict, err := e.verdict()
		if err != nil {
			return nil, fmt.Errorf("cannot evaluate the policy %s of %s for %s: %w", policy.Label, f.Name, subject.Address, err)
		}
		verdicts = append(verdicts, verdict)
	}
	return verdicts, nil
}

// settings are the values of all inputs.
func (f *PolicyFile) settings(inputs map[string]cty.Value) (cty.Value, error) {
	for name := range inputs {
		if f.Inputs[name] == nil {
			return cty.NilVal, fmt.Errorf("%s has no input %s", f.Name, name)
		}
	}
	values := map[string]cty.Value{}
	for name, input := range f.Inputs {
		given, ok := inputs[name]
		if !ok {
			given = input.Default
		}
		value, diags := input.value(name, given)
		if diags.HasErrors() {
			return cty.NilVal, diags
		}
		values[name] = value
	}
	return cty.ObjectVal(values), nil
}

// evaluation is that of one policy for one resource.
type evaluation struct {
	policy    *ResourcePolicy
	variables map[string]cty.Value
	locals    map[string]hcl.Expression
	// values are those of the locals that were needed so far.
	values map[string]cty.Value
	// result is the verdict so far.
	result Verdict
}

func newEvaluation(f *PolicyFile, policy *ResourcePolicy, subject Subject, settings cty.Value) *evaluation {
	provider, _, _ := strings.Cut(subject.Type, "_")
	e := &evaluation{
		policy: policy,
		variables: map[string]cty.Value{
			"attrs": subject.Attrs, "input": settings,
			"meta": cty.ObjectVal(map[string]cty.Value{
				"module_path": cty.StringVal("."), "operation": cty.StringVal(string(subject.Operation)),
				"provider_type": cty.StringVal(provider), "type": cty.StringVal(subject.Type),
			}),
		},
		locals: maps.Clone(f.Locals),
		values: map[string]cty.Value{},
		result: Verdict{File: f.Name, Label: policy.Label, Address: subject.Address, Outcome: Passed},
	}
	maps.Copy(e.locals, policy.Locals)
	if subject.Operation == Update || subject.Operation == Delete {
		e.variables["prior_attrs"] = subject.PriorAttrs
	}
	return e
}

// verdict evaluates the filter, and then each condition.
func (e *evaluation) verdict() (Verdict, error) {
	if e.policy.Filter != nil {
		wanted, err := e.condition(e.policy.Filter)
		if err != nil {
			return Verdict{}, err
		}
		if !wanted.IsKnown() {
			e.result.Outcome = Unknown
			return e.result, nil
		}
		if wanted.False() {
			e.result.Outcome = Skipped
			return e.result, nil
		}
	}

	for _, enforce := range e.policy.Enforces {
		if err := e.enforce(enforce); err != nil {
			return Verdict{}, err
		}
	}
	return e.result, nil
}

// enforce adds what one condition says. The worst counts.
func (e *evaluation) enforce(enforce Enforce) error {
	holds, err := e.condition(enforce.Condition)
	switch {
	case err != nil:
		return err
	case !holds.IsKnown() && e.result.Outcome == Passed:
		e.result.Outcome = Unknown
	case holds.IsKnown() && holds.False():
		e.result.Outcome = Refused
		message, err := e.message(enforce.ErrorMessage)
		if err != nil {
			return err
		}
		e.result.Messages = append(e.result.Messages, message)
	}
	return nil
}

// condition is true, false or unknown.
func (e *evaluation) condition(expr hcl.Expression) (cty.Value, error) {
	value, err := e.value(expr)
	if err != nil {
		return cty.NilVal, err
	}
	if value.IsKnown() && (value.IsNull() || value.Type() != cty.Bool) {
		return cty.NilVal, fmt.Errorf("%s: a condition is true or false, not %#v", expr.Range(), value)
	}
	return value, nil
}

// message is the text of a message, which may be left out.
func (e *evaluation) message(expr hcl.Expression) (string, error) {
	if expr == nil {
		return "", nil
	}
	value, err := e.value(expr)
	if err != nil {
		return "", err
	}
	if !value.IsKnown() || value.IsNull() || value.Type() != cty.String {
		return "", fmt.Errorf("%s: a message is a text, not %#v", expr.Range(), value)
	}
	return value.AsString(), nil
}

// value is the value of an expression, after those of the locals that it refers to. That none
// refers to itself was checked when the file was read.
func (e *evaluation) value(expr hcl.Expression) (cty.Value, error) {
	for _, traversal := range expr.Variables() {
		if traversal.RootName() != "local" {
			continue
		}
		step, ok := traversal[1].(hcl.TraverseAttr)
		if _, has := e.values[step.Name]; has || !ok {
			continue
		}
		value, err := e.value(e.locals[step.Name])
		if err != nil {
			return cty.NilVal, err
		}
		e.values[step.Name] = value
	}

	variables := maps.Clone(e.variables)
	variables["local"] = cty.ObjectVal(e.values)
	value, diags := expr.Value(&hcl.EvalContext{Variables: variables, Functions: functions})
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	return value, nil
}
