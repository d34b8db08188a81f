package tfpolicy

import (
	"errors"
	"fmt"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// TestFile is a file with tests of policies.
type TestFile struct {
	Name string
	// Targets are the names of the policy files under test.
	Targets []string
	Mocks   []*Mock
}

var testFileSchema = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
	{Type: "policytest"}, {Type: "inputs"}, {Type: "resource", LabelNames: []string{"resource type", "label"}},
}}

// ParseTestFile reads a file, and checks its mocks against the schemas.
func ParseTestFile(name string, source []byte, schemas Schemas) (*TestFile, error) {
	parsed, diags := hclsyntax.ParseConfig(source, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	content, diags := parsed.Body.Content(testFileSchema)
	if diags.HasErrors() {
		return nil, diags
	}

	targets, err := parseTargets(content.Blocks.OfType("policytest"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	inputs, err := parseInputs(content.Blocks.OfType("inputs"))
	if err != nil {
		return nil, err
	}

	f := &TestFile{Name: name, Targets: targets}
	labels := map[[2]string]bool{}
	for _, block := range content.Blocks.OfType("resource") {
		mock, err := parseMock(block, schemas)
		if err != nil {
			return nil, err
		}
		key := [2]string{mock.Type, mock.Label}
		if labels[key] {
			return nil, fmt.Errorf("%s: the mock is declared twice", block.DefRange)
		}
		labels[key] = true

		own := mock.Inputs
		mock.Inputs = maps.Clone(inputs)
		maps.Copy(mock.Inputs, own)
		f.Mocks = append(f.Mocks, mock)
	}
	return f, nil
}

// parseTargets are the policy files that the policytest block names.
func parseTargets(blocks hcl.Blocks) ([]string, error) {
	if len(blocks) != 1 {
		return nil, errors.New("a test file without a block policytest tests every file beside it: name its targets")
	}
	content, diags := blocks[0].Body.Content(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "targets", Required: true}}})
	if diags.HasErrors() {
		return nil, diags
	}
	value, diags := content.Attributes["targets"].Expr.Value(nil)
	if diags.HasErrors() {
		return nil, diags
	}
	if err := conforms(value, cty.List(cty.String)); err != nil {
		return nil, fmt.Errorf("targets: %w", err)
	}
	var targets []string
	for _, one := range value.AsValueSlice() {
		targets = append(targets, one.AsString())
	}
	return targets, nil
}

// parseInputs are the values in an inputs block, of which there is one at most.
func parseInputs(blocks hcl.Blocks) (map[string]cty.Value, error) {
	if len(blocks) > 1 {
		return nil, fmt.Errorf("%s: one inputs block is enough", blocks[1].DefRange)
	}
	values := map[string]cty.Value{}
	for _, block := range blocks {
		attributes, diags := block.Body.JustAttributes()
		if diags.HasErrors() {
			return nil, diags
		}
		for name, attribute := range attributes {
			if values[name], diags = attribute.Expr.Value(nil); diags.HasErrors() {
				return nil, diags
			}
		}
	}
	return values, nil
}

// Run runs the tests of the file, and returns which of them fail and why. A mock that no
// policy looks at tests nothing, and fails.
func (f *TestFile) Run(policies map[string]*PolicyFile) ([]string, error) {
	var failures []string
	for _, mock := range f.Mocks {
		for _, subject := range mock.subjects {
			verdicts, err := f.evaluate(policies, subject, mock.Inputs)
			if err != nil {
				return nil, err
			}
			failures = append(failures, mock.failures(verdicts)...)
		}
	}
	return failures, nil
}

// evaluate is what all targets say of a mock.
func (f *TestFile) evaluate(policies map[string]*PolicyFile, subject Subject, inputs map[string]cty.Value) ([]Verdict, error) {
	var all []Verdict
	for _, target := range f.Targets {
		file, ok := policies[target]
		if !ok {
			return nil, fmt.Errorf("%s: there is no policy file %s", f.Name, target)
		}
		verdicts, err := file.Evaluate(subject, inputs)
		if err != nil {
			return nil, err
		}
		all = append(all, verdicts...)
	}
	return all, nil
}

// failures compares the verdicts on a mock with what it expects. Sources do not say whether one
// of several policies has to fail or all of them: here all have to.
func (m *Mock) failures(verdicts []Verdict) []string {
	if len(verdicts) == 0 {
		return []string{fmt.Sprintf("%s.%s: no policy looks at it", m.Type, m.Label)}
	}
	var failures []string
	for _, verdict := range verdicts {
		if refused := verdict.Outcome == Refused; refused != m.ExpectFailure {
			failures = append(failures, fmt.Sprintf("%s.%s: the policy %s of %s says %s %q", m.Type, m.Label, verdict.Label, verdict.File, verdict.Outcome, verdict.Messages))
		}
	}
	return failures
}
