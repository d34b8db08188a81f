package terraform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// queriedSurveys is how many random surveys each profile has.
const queriedSurveys = 50

// query lists the objects that the tests for generated configuration import.
const query = `
list "posthog_survey" "all" {
  provider = posthog
  limit    = 1000
}
`

// terraform query generates a configuration for any surveys that plans no change.
func TestAccQueriedSurveysPlanNothing(t *testing.T) {
	t.Parallel()

	for _, profile := range acctest.Profiles() {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			document := encodedForExport(t, generatableSurveys(t), 0, profile)
			env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(document))
			cli := generated(t, env)
			require.Contains(t, cli.Run("plan"), fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", queriedSurveys))
		})
	}
}

// beyondTerraform matches JSON that Terraform itself changes when it generates configuration: it writes numbers with
// an exponent in full, and composes combining characters with an escape before them.
var beyondTerraform = regexp.MustCompile(`[:,\[]-?[0-9.]+[eE]|[<>&\x{2028}\x{2029}]\p{M}`)

// generatableSurveys returns random surveys that together have all types of questions and branching.
func generatableSurveys(t *testing.T) []object {
	t.Helper()
	var list []object
	var all bytes.Buffer
	for i := 0; len(list) < queriedSurveys; i++ {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		survey := surveys(true).Example(i)
		require.NoError(t, encoder.Encode(survey))
		if !beyondTerraform.Match(text.Bytes()) {
			list = append(list, survey)
			all.Write(text.Bytes())
		}
	}

	for _, kind := range []string{
		"open", "link", "rating", "single_choice", "multiple_choice",
		"next_question", "end", "response_based", "specific_question",
	} {
		require.Contains(t, all.String(), `"type":"`+kind+`"`)
	}
	return list
}

// generated returns a CLI whose directory contains the configuration that terraform query generates for all surveys.
func generated(t *testing.T, env *acctest.Env) *acctest.CLI {
	t.Helper()
	cli := env.CLI(t)
	cli.SkipBelow("Terraform", "1.14.0")
	cli.Write("main.tf", ownProvider)
	cli.Write("all.tfquery.hcl", query)
	cli.Run("query", "-generate-config-out=generated.tf")
	return cli
}

// Generated configuration looks hand-written: it has a line for each value that a person would write, and none for
// defaults.
func TestAccGeneratedConfigIsShort(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Fixtures(officialFile(t, "every_kind", "service.json")))
	cli := generated(t, env)
	text, err := os.ReadFile(filepath.Join(cli.Dir, "generated.tf"))
	require.NoError(t, err)
	t.Logf("%s", text)

	file, diags := hclsyntax.ParseConfig(text, "generated.tf", hcl.InitialPos)
	require.False(t, diags.HasErrors(), diags.Error())
	body, ok := file.Body.(*hclsyntax.Body)
	require.True(t, ok)
	survey := body.Blocks[0].Body
	assert.ElementsMatch(t, []string{"provider", "name", "type", "questions"}, keysOf(survey.Attributes))

	questions, ok := survey.Attributes["questions"].Expr.(*hclsyntax.TupleConsExpr)
	require.True(t, ok)
	// Two braces, a line for each attribute, and the lines of branching and validation.
	for i, most := range []int{2 + 10 + 8, 2 + 3 + 4 + 6, 2 + 5 + 3, 2 + 4 + 3, 2 + 4} {
		question := questions.Exprs[i]
		lines := question.Range().End.Line - question.Range().Start.Line + 1
		assert.LessOrEqual(t, lines, most, "questions[%d]", i)
		assert.NotContains(t, string(question.Range().SliceBytes(text)), "null")
	}
	require.Contains(t, cli.Run("plan"), "1 to import, 0 to add, 0 to change, 0 to destroy")
}

// guideImport finds the import block in the guide, and providerLine the line that step 4 removes.
var (
	guideImport  = regexp.MustCompile(`(?s) {4}import \{\n.*?\n {4}\}\n`)
	providerLine = regexp.MustCompile(`(?m)^ *provider = posthog\n`)
)

// TestAccGeneratedConfigOfAnImport generates one survey's configuration by the guide's steps. Its import block sets the
// provider, because Terraform 1.16.0 and 1.16.1 look for hashicorp/posthog without it. Afterwards, the provider is
// removed, because Terraform refuses it together with a resource block.
func TestAccGeneratedConfigOfAnImport(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../docs/guides/adopting.md")
	require.NoError(t, err)
	block := guideImport.FindString(string(guide))
	require.Regexp(t, providerLine, block, "the generated block must contain the provider argument, as in the guide")

	env := acctest.Start(t, acctest.Fixtures(officialFile(t, "every_kind", "service.json")))
	surveys := env.Server.Surveys(env.ProjectID)
	require.Len(t, surveys, 1)
	block = strings.Replace(block, "12345/0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17", fmt.Sprint(surveys[0]["id"]), 1)

	cli := env.CLI(t)
	cli.Write("main.tf", ownProvider+"\n"+block)
	cli.Run("plan", "-generate-config-out=survey.tf")
	cli.Write("main.tf", ownProvider+"\n"+providerLine.ReplaceAllString(block, ""))
	assert.Contains(t, cli.Run("plan"), "1 to import, 0 to add, 0 to change, 0 to destroy")
}

func keysOf(attributes hclsyntax.Attributes) []string {
	var names []string
	for name := range attributes {
		names = append(names, name)
	}
	return names
}
