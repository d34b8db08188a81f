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

	// A secret in code is read by everybody who reads the code.
	schema, withheld := importapp.WithoutSecretDefaults(c.ConfigSchema)
	c.ConfigSchema = schema
	return &Object{
		Address:   NewAddress(AppType, name, id),
		ImportID:  organizationID + "/" + id,
		Name:      name,
		Withheld:  withheld,
		arguments: arguments(&c, nil),
	}
}
