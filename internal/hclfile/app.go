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
	c := importapp.ConfigurationOf(wire, organizationID)
	name := c.Name.ValueString()
	return &Object{
		Address:   Address{AppType, labelOf(name, id, otherwise[AppType])},
		ImportID:  organizationID + "/" + id,
		Name:      name,
		arguments: arguments(&c, nil),
	}
}
