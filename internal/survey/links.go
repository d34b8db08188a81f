package survey

import (
	"net/url"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// WithLinks are the fields with the addresses of a survey at the service with a base URL: its
// page in the web interface, and that on which an external survey is answered. No response
// has them.
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

// FillLinks sets the addresses that a plan has as unknown. Others stay as they were planned,
// until the next read.
func (f *Fields) FillLinks(baseURL string) {
	filled := f.WithLinks(baseURL)
	if f.URL.IsUnknown() {
		f.URL = filled.URL
	}
	if f.PublicURL.IsUnknown() {
		f.PublicURL = filled.PublicURL
	}
}

// Links plans the addresses. Only a change of the type gives a survey a page for its answers,
// or takes it away. A state of a version without them gets both with the next write or read.
func (c Change) Links() (page, public types.String) {
	isMissing := c.Prior.URL.IsNull() // of a new survey too
	page = priorOrUnknown(c.Prior.URL, types.StringUnknown(), isMissing)

	switch typ := c.Planned.Type; {
	case !isMissing && typ.Equal(c.Prior.Type):
		public = c.Prior.PublicURL
	case typ.IsUnknown() || typ.ValueString() == string(api.ExternalSurvey):
		public = types.StringUnknown()
	}
	return page, public
}
