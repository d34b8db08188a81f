package provider_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// In each of these configurations one attribute of a question is wrong, on a line of
// its own below the brace that opens the question.
const (
	wrongScale = `resource "posthog_survey" "s" {
  name = "Lines"
  type = "popover"
  questions = [
    { type = "open", question = "Why?" },
    {
      type     = "rating"
      question = "How?"
      scale    = 6
    },
  ]
}
`
	wrongType = `resource "posthog_survey" "s" {
  name = "Lines"
  type = "popover"
  questions = [
    { type = "open", question = "Why?" },
    {
      question = "How?"

      type = "nps"
    },
  ]
}
`
	// A map key that is written as a number, into which Terraform 1.16 follows no path.
	wrongResponse = `resource "posthog_survey" "s" {
  name = "Lines"
  type = "popover"
  questions = [
    {
      type      = "single_choice"
      question  = "Which?"
      choices   = ["a", "b"]
      branching = { type = "response_based", response_values = { 0 = "7" } }
    },
  ]
}
`
)

// onLine matches a diagnostic that Terraform prints with a line of the configuration
// and the full path in its text.
func onLine(line, path string) *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf(`on \S+ line \d+, in [^\n]*\n[\s│]*\d+:\s+%s\n(?s:.*)%s`, regexp.QuoteMeta(line), regexp.QuoteMeta(path)))
}

// Terraform before 1.16 and OpenTofu show the line of the element.
func TestAccB1ValuesShowTheLineOfTheElement(t *testing.T) {
	t.Parallel()
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipAbove(version.Must(version.NewVersion("1.15.99")))},
		ProtoV6ProviderFactories: acctest.Start(t).Factories(),
		Steps: []resource.TestStep{
			{Config: wrongScale, ExpectError: onLine("{", "questions[1].scale")},
			{Config: wrongResponse, ExpectError: onLine("{", `questions[0].branching.response_values["0"]`)},
		},
	})
}

func TestAccB1PlanShowsTheLineOfTheElement(t *testing.T) {
	t.Parallel()
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipAbove(version.Must(version.NewVersion("1.15.99")))},
		ProtoV6ProviderFactories: acctest.Start(t).Factories(),
		Steps:                    []resource.TestStep{{Config: wrongType, ExpectError: onLine("{", "questions[1].type")}},
	})
}

func TestAccB1PlanShowsTheLineOfTheAttribute(t *testing.T) {
	t.Parallel()
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(version.Must(version.NewVersion("1.16.0")))},
		ProtoV6ProviderFactories: acctest.Start(t).Factories(),
		Steps: []resource.TestStep{
			{Config: wrongType, ExpectError: onLine(`type = "nps"`, "questions[1].type")},
			{Config: wrongScale, ExpectError: onLine("scale    = 6", "questions[1].scale")},
			{Config: wrongResponse, ExpectError: onLine(`branching = { type = "response_based", response_values = { 0 = "7" } }`, `questions[0].branching.response_values["0"]`)},
		},
	})
}
