package review_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Lint reports two surveys with the same name in one project if the second survey does not exist yet. It does not
// report existing surveys, or surveys in different projects.
func TestSharedNames(t *testing.T) {
	t.Parallel()
	survey := func(project, id, name, address string) source.Object {
		return source.Object{Kind: source.Survey, ParentID: project, ID: id, Name: name, Address: address, Attributes: object{}}
	}
	a := survey("1", "", "NPS", "posthog_survey.a")
	shared := `NPS : posthog_survey.a has the same name, and survey names must be unique within a project`

	assert.Equal(t, []string{shared}, messages(t, "shared-name", a, survey("1", "", "NPS ", "posthog_survey.b")))
	assert.Equal(t, []string{shared}, messages(t, "shared-name", a, survey("1", "0190", "NPS ", "posthog_survey.b")))
	assert.Empty(t, messages(t, "shared-name", a, survey("2", "", "NPS", "posthog_survey.b")))
	assert.Empty(t, messages(t, "shared-name", a, survey("1", "", "nps", "posthog_survey.b")))
	assert.Empty(t, messages(t, "shared-name", survey("1", "0190", "NPS", ""), survey("1", "0191", "NPS", "")))
}
