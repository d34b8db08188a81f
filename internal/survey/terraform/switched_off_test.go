package terraform_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A survey that is launched in a project whose surveys are switched off is shown to
// nobody. The plan says so where the key may read that setting.
func TestLaunchInProjectThatShowsNoSurveys(t *testing.T) {
	t.Parallel()
	const project = `{"projects":[{"id":1,"surveys_opt_in":%s}],"api_keys":[{"key":"phx_reader","scopes":["%s"]}]}`
	const warning = `Surveys are switched off in the project: "`
	for name, c := range map[string]struct {
		profile      testserver.Profile
		optIn, scope string
		config       object
		warns        bool
		reads        int
	}{
		"switched off":        {testserver.Hosted, "false", "*", object{"status": "running"}, true, 1},
		"never switched on":   {testserver.Hosted, "null", "*", object{"status": "running"}, true, 1},
		"switched on":         {testserver.Hosted, "true", "*", object{"status": "running"}, false, 1},
		"key may not read it": {testserver.Hosted, "false", `survey:write","feature_flag:write`, object{"status": "running"}, false, 1},
		"draft":               {testserver.Hosted, "false", "*", nil, false, 0},
		"page of its own":     {testserver.Hosted, "false", "*", object{"status": "running", "type": "external_survey"}, false, 0},
		"no such setting":     {testserver.Documented, "null", "*", object{"status": "running"}, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := fmt.Sprintf(project, c.optIn, c.scope)
			if c.profile == testserver.Documented {
				document = "{}"
			}
			env := acctest.Start(t, acctest.Profile(c.profile), acctest.Fixtures(document))
			survey := env.Resource(t, "posthog_survey")

			plan := survey.Plan(with(c.config))
			assert.Equal(t, c.warns, strings.Contains(plan.Diagnostics.Text(), warning), plan.Diagnostics.Text())
			survey.Plan(with(c.config))

			reads := 0
			for _, request := range env.Journal() {
				if request.Path == "/api/projects/1/" {
					reads++
				}
			}
			assert.Equal(t, c.reads, reads, "one read serves all surveys of a project")
		})
	}
}
