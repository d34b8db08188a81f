package examples_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/tfpolicy"
)

// nativePolicies are the directories with policies for Terraform itself.
var nativePolicies = []string{"policies/policy", "policies/query"}

// schemas are those of the provider, as they are committed.
func schemas(t *testing.T) tfpolicy.Schemas {
	t.Helper()
	all, err := tfpolicy.ReadSchemas([]byte(read(t, "../schemas/provider.json")))
	require.NoError(t, err)
	return all
}

// The policies are as documented, read attributes that the provider has, and say of each mock
// what its test expects.
func TestNativePolicies(t *testing.T) {
	t.Parallel()
	for _, name := range nativePolicies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			directory, err := tfpolicy.Load(os.DirFS(name), schemas(t))
			require.NoError(t, err)
			require.Len(t, directory.Tests, len(directory.Policies), "each policy has a test")

			failures, err := directory.Test()
			require.NoError(t, err)
			assert.Empty(t, failures)
		})
	}
}

// The policies judge the committed plans as those in Rego do.
func TestNativePoliciesOnPlans(t *testing.T) {
	t.Parallel()
	wanted := map[[2]string][]string{}
	for _, one := range refusals {
		wanted[[2]string{one.policy + ".policy.hcl", one.address}] = one.native
	}
	directory, err := tfpolicy.Load(os.DirFS("policies/policy"), schemas(t))
	require.NoError(t, err)

	assert.Empty(t, refusedIn(t, directory, []byte(read(t, "policies/plans/allowed.json"))))
	assert.Equal(t, wanted, refusedIn(t, directory, []byte(read(t, "policies/plans/refused.json"))))
	for name := range directory.Policies {
		assert.FileExists(t, path.Join("policies/policy", strings.TrimSuffix(name, ".policy.hcl")+".rego"))
	}
}

// Plans of the provider as it is today are judged alike.
func TestAccNativePoliciesOnNewPlans(t *testing.T) {
	t.Parallel()
	directory, err := tfpolicy.Load(os.DirFS("policies/policy"), schemas(t))
	require.NoError(t, err)

	assert.Empty(t, refusedIn(t, directory, planJSON(t, "allowed")))
	assert.Len(t, refusedIn(t, directory, planJSON(t, "refused")), len(refusals))
}

// refusedIn are the messages about what policies refuse of a plan, by file and address. They
// know all that they have to.
func refusedIn(t *testing.T, directory *tfpolicy.Directory, plan []byte) map[[2]string][]string {
	t.Helper()
	planned, err := tfpolicy.Planned(schemas(t), plan)
	require.NoError(t, err)
	require.NotEmpty(t, planned)
	verdicts, err := directory.Evaluate(planned)
	require.NoError(t, err)

	refused := map[[2]string][]string{}
	for _, verdict := range verdicts {
		assert.NotEqual(t, tfpolicy.Unknown, verdict.Outcome, "%s of %s", verdict.File, verdict.Address)
		if verdict.Outcome == tfpolicy.Refused {
			refused[[2]string{verdict.File, verdict.Address}] = verdict.Messages
		}
	}
	return refused
}

// Each condition and each filter matters: with another one in its place a test fails.
func TestNativePoliciesMutated(t *testing.T) {
	t.Parallel()
	for _, name := range nativePolicies {
		for _, file := range glob(t, name+"/*.policy.hcl") {
			t.Run(file, func(t *testing.T) {
				t.Parallel()
				source := read(t, file)
				filters, conditions := decisions(t, source)
				for _, where := range slices.Concat(filters, conditions) {
					for _, other := range []string{"true", "false"} {
						mutated := source[:where.Start.Byte] + other + source[where.End.Byte:]
						assert.NotEmpty(t, failuresWith(t, name, path.Base(file), mutated), "%s instead of %s", other, where.SliceBytes([]byte(source)))
					}
				}
			})
		}
	}
}

// readAttribute is where a policy reads an attribute, of a survey or of a question.
var readAttribute = regexp.MustCompile(`(?:attrs|question)\.\w+`)

// A policy that reads an attribute that the schema does not have is refused, wherever it reads
// it: inside of try it would be a value that is never there.
func TestNativePoliciesReadTheSchema(t *testing.T) {
	t.Parallel()
	for _, name := range nativePolicies {
		for _, file := range glob(t, name+"/*.policy.hcl") {
			source := read(t, file)
			places := readAttribute.FindAllStringIndex(source, -1)
			require.NotEmpty(t, places, file)
			for _, place := range places {
				misspelt := source[:place[1]] + "_" + source[place[1]:]
				_, err := tfpolicy.ParsePolicyFile(path.Base(file), []byte(misspelt), schemas(t))
				assert.ErrorContains(t, err, "has no attribute", "%s: %s_", file, source[place[0]:place[1]])
			}
		}
	}
}

// decisions are where the filters and conditions of a file are, in its order.
func decisions(t *testing.T, source string) (filters, conditions []hcl.Range) {
	t.Helper()
	file, diags := hclsyntax.ParseConfig([]byte(source), "", hcl.InitialPos)
	require.False(t, diags.HasErrors(), diags.Error())

	for _, block := range syntaxOf(t, file).Blocks {
		if block.Type != "resource_policy" {
			continue
		}
		if filter := block.Body.Attributes["filter"]; filter != nil {
			filters = append(filters, filter.Expr.Range())
		}
		for _, enforce := range block.Body.Blocks {
			if enforce.Type == "enforce" {
				conditions = append(conditions, enforce.Body.Attributes["condition"].Expr.Range())
			}
		}
	}
	require.NotEmpty(t, conditions)
	return filters, conditions
}

// failuresWith are the failures of the tests of a directory with another policy in it.
func failuresWith(t *testing.T, directory, file, policy string) []string {
	t.Helper()
	files := fstest.MapFS{}
	entries, err := fs.Glob(os.DirFS(directory), "*.hcl")
	require.NoError(t, err)
	for _, entry := range entries {
		files[entry] = &fstest.MapFile{Data: []byte(read(t, path.Join(directory, entry)))}
	}
	require.Contains(t, files, file)
	files[file] = &fstest.MapFile{Data: []byte(policy)}

	mutated, err := tfpolicy.Load(files, schemas(t))
	require.NoError(t, err)
	failures, err := mutated.Test()
	if err != nil {
		return []string{err.Error()}
	}
	return failures
}

// A policy whose conditions always hold refuses nothing of the plan that it refuses.
func TestNativePoliciesMutatedOnPlan(t *testing.T) {
	t.Parallel()
	plan := []byte(read(t, "policies/plans/refused.json"))
	for _, file := range glob(t, "policies/policy/*.policy.hcl") {
		source := read(t, file)
		for policy, wanted := range map[string]int{source: 1, permissive(t, source): 0} {
			parsed, err := tfpolicy.ParsePolicyFile(path.Base(file), []byte(policy), schemas(t))
			require.NoError(t, err)
			alone := &tfpolicy.Directory{Policies: map[string]*tfpolicy.PolicyFile{path.Base(file): parsed}}
			assert.Len(t, refusedIn(t, alone, plan), wanted, policy)
		}
	}
}

// permissive is a policy file with conditions that always hold.
func permissive(t *testing.T, source string) string {
	t.Helper()
	_, conditions := decisions(t, source)
	for _, where := range slices.Backward(conditions) {
		source = source[:where.Start.Byte] + "true" + source[where.End.Byte:]
	}
	return source
}

// judged is what the policies say of an update of a running survey: which of them refuse it, and
// which do not know.
func judged(t *testing.T, before, after, afterUnknown map[string]any) (refused, unknown []string) {
	t.Helper()
	plan, err := json.Marshal(map[string]any{"format_version": "1.2", "resource_changes": []any{map[string]any{
		"address": "posthog_survey.a", "type": "posthog_survey", "mode": "managed",
		"change": map[string]any{"actions": []string{"update"}, "before": before, "after": after, "after_unknown": afterUnknown},
	}}})
	require.NoError(t, err)
	planned, err := tfpolicy.Planned(schemas(t), plan)
	require.NoError(t, err)
	directory, err := tfpolicy.Load(os.DirFS("policies/policy"), schemas(t))
	require.NoError(t, err)
	verdicts, err := directory.Evaluate(planned)
	require.NoError(t, err)

	for _, verdict := range verdicts {
		switch verdict.Outcome {
		case tfpolicy.Refused:
			refused = append(refused, verdict.File)
		case tfpolicy.Unknown:
			unknown = append(unknown, verdict.File)
		default:
		}
	}
	return refused, unknown
}

// What is known only after the apply is no refusal at plan, as in Rego. Without the value, and
// known, it is one.
func TestNativePoliciesOnUnknownValues(t *testing.T) {
	t.Parallel()
	exemplary := func() map[string]any {
		return map[string]any{
			"project_id": "12345", "name": "A", "type": "popover", "status": "running", "start_date": "2026-01-01T00:00:00Z",
			"responses_limit": 500, "conditions": `{"seenSurveyWaitPeriodInDays": 30}`,
			"questions": []any{map[string]any{"id": "q1", "type": "open", "question": "Why?"}},
		}
	}
	refused, unknown := judged(t, exemplary(), exemplary(), nil)
	assert.Empty(t, refused)
	assert.Empty(t, unknown)

	for attribute, policies := range map[string][]string{
		"responses_limit": {"limit"},
		"conditions":      {"wait_period"},
		"questions":       {"answers", "length", "translations"},
		"status":          {"limit", "wait_period"},
		"type":            {"wait_period"},
	} {
		t.Run(attribute, func(t *testing.T) {
			t.Parallel()
			after := exemplary()
			delete(after, attribute)
			refused, unknown := judged(t, exemplary(), after, map[string]any{attribute: true})
			assert.Empty(t, refused)
			var files []string
			for _, policy := range policies {
				files = append(files, policy+".policy.hcl")
			}
			assert.Equal(t, files, unknown)
		})
	}

	for _, attribute := range []string{"responses_limit", "conditions", "questions"} {
		after := exemplary()
		after[attribute] = nil
		refused, unknown := judged(t, exemplary(), after, nil)
		assert.Len(t, refused, 1, attribute)
		assert.Empty(t, unknown)
	}
}

// The id of a new question is not known at plan. That a question of a type is gone is.
func TestNativePoliciesOnNewQuestions(t *testing.T) {
	t.Parallel()
	survey := func(questions ...any) map[string]any {
		return map[string]any{
			"project_id": "12345", "name": "A", "type": "widget", "status": "running", "responses_limit": 500, "questions": questions,
		}
	}
	question := func(id any, kind string) any { return map[string]any{"id": id, "type": kind, "question": "Why?"} }
	before := survey(question("q1", "open"))
	isNew := map[string]any{"id": true}

	for _, c := range []struct {
		after            map[string]any
		later            []any
		refused, unknown []string
	}{
		{survey(question(nil, "open"), question("q1", "open")), []any{isNew, map[string]any{}}, nil, nil},
		{survey(question(nil, "rating")), []any{isNew}, []string{"answers.policy.hcl"}, nil},
		{survey(question(nil, "open")), []any{isNew}, nil, []string{"answers.policy.hcl"}},
	} {
		refused, unknown := judged(t, before, c.after, map[string]any{"questions": c.later})
		assert.Equal(t, c.refused, refused, "%v", c.after)
		assert.Equal(t, c.unknown, unknown, "%v", c.after)
	}
}

func TestNativePoliciesAreFormatted(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"policies/*/*.policy.hcl", "policies/*/*.policytest.hcl", "policies/query/*.tfquery.hcl"} {
		for _, file := range glob(t, pattern) {
			source := read(t, file)
			assert.Equal(t, string(hclwrite.Format([]byte(source))), source, file)
		}
	}
}

// madeByHand are surveys of which code has the first one alone.
const madeByHand = `{
  "projects": [{ "id": "12345" }],
  "surveys": [
    { "project_id": "12345", "id": "0190d6a4-7e1c-7b52-a3f0-000000000001", "name": "Relationship NPS", "type": "popover", "start_date": "2026-01-01T00:00:00Z" },
    { "project_id": "12345", "id": "0190d6a4-7e1c-7b52-a3f0-000000000002", "name": "Quick question", "type": "popover", "start_date": "2026-01-02T00:00:00Z", "questions": [{ "type": "open", "question": "Why?" }] },
    { "project_id": "12345", "id": "0190d6a4-7e1c-7b52-a3f0-000000000003", "name": "Next quarter", "type": "popover" },
    { "project_id": "12345", "id": "0190d6a4-7e1c-7b52-a3f0-000000000004", "name": "Last quarter", "type": "popover", "start_date": "2025-01-01T00:00:00Z", "end_date": "2025-04-01T00:00:00Z" },
    { "project_id": "12345", "id": "0190d6a4-7e1c-7b52-a3f0-000000000005", "name": "Two years ago", "type": "popover", "start_date": "2024-01-01T00:00:00Z", "archived": true }
  ]
}`

// unmanaged are the names of the surveys that the policy for queries refuses.
func unmanaged(t *testing.T, source string, found []tfpolicy.Subject) []string {
	t.Helper()
	policy, err := tfpolicy.ParsePolicyFile("unmanaged.policy.hcl", []byte(source), schemas(t))
	require.NoError(t, err)
	inCode := map[string]cty.Value{"surveys_in_code": cty.ListVal([]cty.Value{cty.StringVal("Relationship NPS")})}

	var names []string
	for _, subject := range found {
		verdicts, err := policy.Evaluate(subject, inCode)
		require.NoError(t, err)
		require.Len(t, verdicts, 1)
		if verdicts[0].Outcome == tfpolicy.Refused {
			names = append(names, subject.Attrs.GetAttr("name").AsString())
			assert.Equal(t, []string{names[len(names)-1] + " runs, and no code has a survey of this name: import it, or stop it."}, verdicts[0].Messages)
		}
	}
	return names
}

// What the list resource finds, and the provider generates for it, is judged by the policy for
// queries: with the filters of the query, and without.
func TestNativePolicyOnListResource(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Fixtures(madeByHand))
	file, diags := hclsyntax.ParseConfig([]byte(read(t, "policies/query/surveys.tfquery.hcl")), "", hcl.InitialPos)
	require.False(t, diags.HasErrors(), diags.Error())
	query := syntaxOf(t, file).Blocks[0].Body.Blocks[0]
	require.Equal(t, "config", query.Type)

	filters := map[string]any{}
	for name, attribute := range query.Body.Attributes {
		value, diags := attribute.Expr.Value(nil)
		require.False(t, diags.HasErrors(), diags.Error())
		if value.Type() == cty.String {
			filters[name] = value.AsString()
		} else {
			filters[name] = value.True()
		}
	}

	for count, config := range map[int]map[string]any{2: filters, 5: {}} {
		listed, diags := env.List(t, "posthog_survey", config, true, 1000)
		require.Empty(t, diags.Text())
		require.Len(t, listed, count)

		var found []tfpolicy.Subject
		for _, one := range listed {
			// Numbers and objects in the form that JSON has.
			document, err := json.Marshal(one.Generated())
			require.NoError(t, err)
			var generated map[string]any
			require.NoError(t, json.Unmarshal(document, &generated))
			subject, err := tfpolicy.Discovered(schemas(t), "posthog_survey", one.DisplayName, generated)
			require.NoError(t, err)
			found = append(found, subject)
		}
		source := read(t, "policies/query/unmanaged.policy.hcl")
		assert.Equal(t, []string{"Quick question"}, unmanaged(t, source, found))
		assert.Empty(t, unmanaged(t, permissive(t, source), found))
	}
}

// The same with terraform query, and the configuration that it writes.
func TestAccNativePolicyOnQuery(t *testing.T) {
	t.Parallel()
	cli := acctest.Start(t, acctest.Fixtures(madeByHand)).CLI(t)
	cli.SkipBelow("1.14.0")
	cli.Write("main.tf", read(t, "demo/provider.tf"))
	cli.Write("surveys.tfquery.hcl", read(t, "policies/query/surveys.tfquery.hcl"))
	cli.Run("query", "-generate-config-out=generated.tf")

	generated, err := os.ReadFile(path.Join(cli.Dir, "generated.tf"))
	require.NoError(t, err)
	file, diags := hclsyntax.ParseConfig(generated, "generated.tf", hcl.InitialPos)
	require.False(t, diags.HasErrors(), diags.Error())

	var found []tfpolicy.Subject
	for _, block := range syntaxOf(t, file).Blocks {
		if block.Type != "resource" {
			continue
		}
		subject, err := tfpolicy.Discovered(schemas(t), block.Labels[0], strings.Join(block.Labels, "."), written(t, block.Body))
		require.NoError(t, err)
		found = append(found, subject)
	}
	require.Len(t, found, 2)
	assert.Equal(t, []string{"Quick question"}, unmanaged(t, read(t, "policies/query/unmanaged.policy.hcl"), found))
}

// written are the attributes of a resource block, as JSON has them. The provider is no
// attribute.
func written(t *testing.T, body *hclsyntax.Body) map[string]any {
	t.Helper()
	attributes := map[string]any{}
	for name, attribute := range body.Attributes {
		if name == "provider" {
			continue
		}
		value, diags := attribute.Expr.Value(&hcl.EvalContext{Functions: map[string]function.Function{"jsonencode": stdlib.JSONEncodeFunc}})
		require.False(t, diags.HasErrors(), diags.Error())
		text, err := stdlib.JSONEncode(value)
		require.NoError(t, err)
		var decoded any
		require.NoError(t, json.Unmarshal([]byte(text.AsString()), &decoded))
		attributes[name] = decoded
	}
	return attributes
}

func syntaxOf(t *testing.T, file *hcl.File) *hclsyntax.Body {
	t.Helper()
	body, ok := file.Body.(*hclsyntax.Body)
	require.True(t, ok)
	return body
}
