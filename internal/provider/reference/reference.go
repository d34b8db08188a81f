// Package reference has the data sources for what surveys refer to by a number: feature flags,
// cohorts and projects. They belong to the hosted service; a service without their routes is
// an error that says what to write instead. Names and types of attributes are those of the
// resources of the provider posthog/posthog.
package reference

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
)

// failed words an error of a read.
func failed(attempt diagnose.Attempt, plural string, err error) diag.Diagnostic {
	if client.IsEndpointNotFound(err) {
		return diag.NewErrorDiagnostic(attempt.Title(), fmt.Sprintf("%s\n\nThe service has no %s for API keys; the hosted one has. "+
			"Write the id in place of the data source: it is the number at the end of the address in the web interface.", err, plural))
	}
	return attempt.Diagnostic(err, nil)
}

func projectAttribute() schema.Attribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: "Project to look in; the `project_id` of the provider when left out.",
	}
}
