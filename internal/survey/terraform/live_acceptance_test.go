package terraform_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// one is any question.
const one = `questions = [{ type = "open", question = "Why?" }]`

// nobody shows a launched survey only on a page that no one visits.
const nobody = one + "\n" + `conditions = jsonencode({ url = "https://nobody.invalid/", urlMatchType = "exact" })`

// liveSurveys are the steps for the account's surveys, by each step's attributes.
var liveSurveys = map[string][]string{
	"description":       {`description = "Before"`, `description = "After"`, ``},
	"type":              {`type = "widget"`, `type = "api"`},
	"open question":     {one, `questions = [{ type = "open", question = "Why?", description = "A word.", button_text = "Send", optional = true }]`, ``},
	"link":              {`questions = [{ type = "link", question = "More?", link = "https://example.com" }]`, one},
	"rating":            {`questions = [{ type = "rating", question = "How?", display = "number", scale = 10, lower_bound_label = "Bad", upper_bound_label = "Good" }]`, `questions = [{ type = "rating", question = "How?", display = "emoji", scale = 5 }]`},
	"single choice":     {`questions = [{ type = "single_choice", question = "Which?", choices = ["a", "b"], has_open_choice = true }]`, `questions = [{ type = "single_choice", question = "Which?", choices = ["b", "c"] }]`},
	"multiple choice":   {`questions = [{ type = "multiple_choice", question = "Which?", choices = ["a", "b"], shuffle_options = true }]`, one},
	"HTML":              {`questions = [{ type = "open", question = "Why?", description = "<b>A word.</b>", description_content_type = "html" }]`, one},
	"a question more":   {one, `questions = [{ type = "open", question = "First?" }, { type = "open", question = "Why?" }]`},
	"a question less":   {`questions = [{ type = "open", question = "First?" }, { type = "open", question = "Why?" }]`, one},
	"questions move":    {`questions = [{ type = "open", question = "First?" }, { type = "link", question = "Why?" }]`, `questions = [{ type = "link", question = "Why?" }, { type = "open", question = "First?" }]`},
	"branching":         {`questions = [{ type = "rating", question = "How?", display = "number", scale = 10, branching = { type = "response_based", response_values = { detractors = "1", promoters = "end" } } }, { type = "open", question = "Why?", branching = { type = "end" } }]`, one},
	"specific question": {`questions = [{ type = "open", question = "A?", branching = { type = "specific_question", index = 1 } }, { type = "open", question = "B?" }]`, one},
	"conditions":        {nobody, one + "\n" + `conditions = jsonencode({ url = "/pricing", urlMatchType = "icontains", seenSurveyWaitPeriodInDays = 30 })`, one},
	"appearance":        {`appearance = jsonencode({ position = "right", backgroundColor = "#eeeded" })`, `appearance = jsonencode({ position = "left" })`, ``},
	"targeting": {
		one + "\n" + `targeting_flag_filters = jsonencode({ groups = [{ properties = [{ key = "plan", type = "person", value = ["pro"], operator = "exact" }], rollout_percentage = 50 }] })`,
		one + "\n" + `targeting_flag_filters = jsonencode({ groups = [{ properties = [], rollout_percentage = 10 }] })`,
		one,
	},
	"responses limit":   {`responses_limit = 5`, `responses_limit = 7`, ``},
	"iterations":        {one + "\niteration_count = 2\niteration_frequency_days = 7", one + "\niteration_count = 3\niteration_frequency_days = 14", one},
	"schedule":          {one + "\n" + `schedule = "always"`, one + "\n" + `schedule = "once"`},
	"translations":      {one + "\n" + `translations = jsonencode({ de = { name = "Umfrage" } })`, one + "\n" + `translations = jsonencode({ fr = { name = "Sondage" } })`, one},
	"partial responses": {`enable_partial_responses = true`, `enable_partial_responses = false`},
	"archived":          {`archived = true`, `archived = false`},
	"launch and stop":   {nobody, nobody + "\n" + `status = "running"`, nobody + "\n" + `status = "completed"`, nobody + "\n" + `status = "draft"`},
	"launched at once":  {nobody + "\n" + `status = "running"`, strings.Replace(nobody, "Why?", "Why not?", 1) + "\n" + `status = "running"`},
	"unanswered":        {nobody + "\n" + `status = "running"` + "\n" + `deletion_policy = "delete_unanswered"`},
}

// Each step is applied, plans no change, is imported without a change, and is destroyed at the end.
func TestAccLive(t *testing.T) {
	t.Parallel()
	for name, steps := range liveSurveys {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := resource.TestCase{ProtoV6ProviderFactories: live(t)}
			named := fmt.Sprintf("testacc-live %d %s", time.Now().Unix(), name)
			for _, attributes := range steps {
				if !strings.Contains(attributes, "type = \"widget\"") && !strings.HasPrefix(attributes, "type = \"api\"") {
					attributes = "type = \"popover\"\n" + attributes
				}
				code := fmt.Sprintf("resource \"posthog_survey\" \"test\" {\n  name = %q\n%s\n}\n", named, attributes)
				c.Steps = append(c.Steps, resource.TestStep{Config: code, ConfigStateChecks: []statecheck.StateCheck{value("name", knownvalue.StringExact(named))}})
				if !strings.Contains(attributes, "deletion_policy") { // PostHog doesn't know it
					c.Steps = append(c.Steps, resource.TestStep{Config: code, ResourceName: testAddress, ImportState: true, ImportStateKind: resource.ImportBlockWithID})
				}
			}
			resource.Test(t, c)
		})
	}
}

// liveVariable is the environment variable that enables the account tests: "service" runs them against the account in
// the provider's variables, and "testserver" against a test server with the hosted profile.
const liveVariable = "TESTACC_LIVE"

// live returns the factories for an account test. It skips the test if liveVariable isn't set.
func live(t testing.TB) map[string]func() (tfprotov6.ProviderServer, error) {
	t.Helper()
	switch asked := os.Getenv(liveVariable); {
	case asked == "service" && os.Getenv("POSTHOG_API_KEY") != "" && os.Getenv("POSTHOG_PROJECT_ID") != "":
		return map[string]func() (tfprotov6.ProviderServer, error){"posthog": func() (tfprotov6.ProviderServer, error) {
			return provider.NewServer(&provider.Provider{Version: "test", Getenv: os.Getenv})
		}}
	case asked == "testserver":
		return acctest.Start(t, acctest.Profile(testserver.Hosted)).Factories()
	}
	t.Skip("requires an account. Run make testacc-live with POSTHOG_API_KEY and POSTHOG_PROJECT_ID, or with TESTACC_LIVE=testserver")
	return nil
}
