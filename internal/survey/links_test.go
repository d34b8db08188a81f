package survey

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
)

func TestWithLinks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ service, project, kind, page, public string }{
		{"https://eu.posthog.com", "7", "external_survey", "https://eu.posthog.com/project/7/surveys/s", "https://eu.posthog.com/external_surveys/s"},
		{"https://eu.posthog.com/", "@current", "popover", "https://eu.posthog.com/project/@current/surveys/s", ""},
		{"http://host:8000/posthog/", "7", "external_survey", "http://host:8000/posthog/project/7/surveys/s", "http://host:8000/posthog/external_surveys/s"},
		{"https://eu.posthog.com", "7", "api", "https://eu.posthog.com/project/7/surveys/s", ""},
		{"https://eu.posthog.com", "7", "widget", "https://eu.posthog.com/project/7/surveys/s", ""},
	} {
		before := types.StringValue("https://other.example") // with another URL or type
		f := Fields{
			ID: types.StringValue("s"), ProjectID: types.StringValue(c.project), Type: types.StringValue(c.kind), URL: before, PublicURL: before,
		}.WithLinks(c.service)
		assert.Equal(t, c.page, f.URL.ValueString())
		assert.Equal(t, c.public, f.PublicURL.ValueString())
		assert.Equal(t, c.public == "", f.PublicURL.IsNull(), c)
	}
}

// A plan contains the links that it can derive: the type shows that a survey has no public page.
func TestPlannedLinks(t *testing.T) {
	t.Parallel()
	null, unknown, page, public := types.StringNull(), types.StringUnknown(), types.StringValue("page"), types.StringValue("public")
	popover, external := types.StringValue("popover"), types.StringValue("external_survey")
	for name, c := range map[string]struct {
		planned      types.String
		prior        Fields
		page, public types.String
	}{
		"new popover":      {popover, Fields{}, unknown, null},
		"new external":     {external, Fields{}, unknown, unknown},
		"new of any type":  {unknown, Fields{}, unknown, unknown},
		"same":             {external, Fields{Type: external, URL: page, PublicURL: public}, page, public},
		"to external":      {external, Fields{Type: popover, URL: page}, page, unknown},
		"from external":    {popover, Fields{Type: external, URL: page, PublicURL: public}, page, null},
		"to any type":      {unknown, Fields{Type: popover, URL: page}, page, unknown},
		"missing":          {external, Fields{Type: external}, unknown, unknown},
		"missing, popover": {popover, Fields{Type: popover}, unknown, null},
	} {
		gotPage, gotPublic := Change{Planned: Fields{Type: c.planned}, Prior: c.prior}.Links()
		assert.Equal(t, []types.String{c.page, c.public}, []types.String{gotPage, gotPublic}, name)
	}
}
