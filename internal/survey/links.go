package survey

import (
	"net/url"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// WithLinks returns the fields with the URLs of a survey's page in PostHog and, for an external survey, of its public
// page. No response contains these URLs.
func (f Fields) WithLinks(baseURL string) Fields {
	link := func(path ...string) types.String {
		for i := range path {
			path[i] = url.PathEscape(path[i])
		}
		return types.StringValue(strings.TrimRight(baseURL, "/") + "/" + strings.Join(path, "/"))
	}

	id := f.ID.ValueString()
	f.URL, f.PublicURL = link("project", f.ProjectID.ValueString(), "surveys", id), types.StringNull()
	if f.Type.ValueString() == string(api.ExternalSurvey) {
		f.PublicURL = link("external_surveys", id)
	}
	return f
}

// FillLinks sets the URLs that are unknown in the plan. Known URLs stay as planned until the next read.
func (f *Fields) FillLinks(baseURL string) {
	filled := f.WithLinks(baseURL)
	if f.URL.IsUnknown() {
		f.URL = filled.URL
	}
	if f.PublicURL.IsUnknown() {
		f.PublicURL = filled.PublicURL
	}
}

// Links plans the URLs. Only a type change adds or removes the public page. A state from a provider version without
// these attributes gets both URLs with the next write or read.
func (c Change) Links() (page, public types.String) {
	isMissing := c.Prior.URL.IsNull() // also true for a new survey
	page = priorOrUnknown(c.Prior.URL, types.StringUnknown(), isMissing)

	switch typ := c.Planned.Type; {
	case !isMissing && typ.Equal(c.Prior.Type):
		public = c.Prior.PublicURL
	case typ.IsUnknown() || typ.ValueString() == string(api.ExternalSurvey):
		public = types.StringUnknown()
	}
	return page, public
}
