package hclfile

import (
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
)

// App is an import app as code.
func App(wire api.PipelineImportApp, organizationID string) *Object {
	id := ""
	if wire.ID != nil {
		id = strconv.FormatInt(*wire.ID, 10)
	}
	name := importapp.ConfigurationOf(wire, organizationID)
	return &Object{
		Address:   Address{AppType, LabelOf(name.Name.ValueString(), id, "app")},
		ImportID:  organizationID + "/" + id,
		arguments: arguments(&name, nil),
	}
}
