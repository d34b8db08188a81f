package activity

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// defaultLimit is how many entries a data source reads without a limit: a page of the feed.
const defaultLimit = 100

// LimitAttribute is the attribute of a data source that says how much of the feed to read.
func LimitAttribute() schema.Attribute {
	return schema.Int64Attribute{
		Optional: true, MarkdownDescription: "How many entries of the feed to read, the newest first; 100 when left out.",
		Validators: []validator.Int64{attribute.AtLeast(1)},
	}
}

// Limit is how many entries to read.
func Limit(configured types.Int64) int64 {
	if configured.IsNull() {
		return defaultLimit
	}
	return configured.ValueInt64()
}
