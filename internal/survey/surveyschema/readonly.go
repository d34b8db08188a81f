package surveyschema

import (
	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// readOnlyAttributes returns the attributes that only PostHog sets. File plan.go of package survey decides which of
// them a change makes unknown.
func readOnlyAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"linked_flag":             flagAttribute("Feature flag that must be on for a person to see the survey."),
		"targeting_flag":          flagAttribute("Feature flag that decides who sees the survey."),
		"internal_targeting_flag": flagAttribute("Feature flag with which PostHog hides the survey from people who already answered it."),
		"feature_flag_keys": schema.MapAttribute{
			Computed: true, ElementType: types.StringType, MarkdownDescription: "Keys of the survey's feature flags, by role.",
		},
		"created_at": schema.StringAttribute{
			Computed: true, MarkdownDescription: "Date and time when the survey was created.",
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
		"created_by": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "User who created the survey. For a survey that Terraform created, this is the API key's owner.", Attributes: userAttributes(),
		},
		"user_access_level": schema.StringAttribute{
			Computed: true, MarkdownDescription: "Access level of the API key's owner.",
		},
		"url": schema.StringAttribute{
			Computed: true, MarkdownDescription: "URL of the survey in PostHog.",
		},
		"public_url": schema.StringAttribute{
			Computed: true, MarkdownDescription: "URL of the public page of a survey of type `external_survey`. Null for other types.",
		},
	}
}

func flagAttribute(description string) schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Computed: true, MarkdownDescription: description,
		Attributes: map[string]schema.Attribute{
			"id":      schema.Int64Attribute{Computed: true, MarkdownDescription: "ID of the flag."},
			"team_id": schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of the project."},
			"name":    schema.StringAttribute{Computed: true, MarkdownDescription: "Description of the flag."},
			"key":     schema.StringAttribute{Computed: true, MarkdownDescription: "Key of the flag in code."},
			"filters": schema.StringAttribute{
				Computed: true, CustomType: jsontypes.NormalizedType{}, MarkdownDescription: "Release conditions, as JSON.",
			},
			"deleted": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the flag is deleted."},
			"active":  schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the flag is on."},
			"ensure_experience_continuity": schema.BoolAttribute{
				Computed: true, MarkdownDescription: "Whether a person keeps their variant after they log in.",
			},
		},
	}
}

func userAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":                schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of the user."},
		"uuid":              schema.StringAttribute{Computed: true, MarkdownDescription: "UUID of the user."},
		"distinct_id":       schema.StringAttribute{Computed: true, MarkdownDescription: "Distinct ID of the user in analytics."},
		"first_name":        schema.StringAttribute{Computed: true, MarkdownDescription: "First name."},
		"last_name":         schema.StringAttribute{Computed: true, MarkdownDescription: "Last name."},
		"email":             schema.StringAttribute{Computed: true, MarkdownDescription: "E-mail address."},
		"is_email_verified": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the e-mail address is verified."},
		"hedgehog_config": schema.StringAttribute{
			Computed: true, CustomType: jsontypes.NormalizedType{}, MarkdownDescription: "Settings of the user's mascot, as JSON.",
		},
	}
}
