// Package surveyschema is the schema of the resource posthog_survey, and by it the
// configuration that a survey needs: without what a configuration can omit.
package surveyschema

import (
	"maps"
	"math"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// The values of deletion_policy: what a destroy does to the survey.
const (
	PolicyDelete           = "delete"
	PolicyArchive          = "archive"
	PolicyAbandon          = "abandon"
	PolicyDeleteUnanswered = "delete_unanswered"
)

// ObjectType is the type of the resource, built once.
var ObjectType = sync.OnceValue(func() attr.Type { return Resource().Type() })

// Resource is the schema of the resource. Questions are matched by its ModifyPlan, which has
// what the resource remembers of them.
func Resource() schema.Schema {
	attributes := map[string]schema.Attribute{}
	for _, group := range []map[string]schema.Attribute{
		identityAttributes(), basicAttributes(), lifecycleAttributes(), audienceAttributes(), contentAttributes(),
		iterationAttributes(), samplingAttributes(), readOnlyAttributes(), PolicyAttributes(),
	} {
		maps.Copy(attributes, group)
	}
	return schema.Schema{
		Version: 1,
		MarkdownDescription: "A survey of a project: its questions, who sees it and when it runs. " +
			"Questions keep their ids through every change, so answers that were given stay attached to them.",
		Attributes: attributes,
	}
}

func identityAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id": schema.StringAttribute{
			Computed: true, MarkdownDescription: "UUID of the survey.",
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
		"project_id": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Project that the survey belongs to; the `project_id` of the provider when left out. Changing this forces a new survey.",
			PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplaceIfConfigured()},
		},
	}
}

func basicAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": schema.StringAttribute{
			Required: true, MarkdownDescription: "Name of the survey, unique in the project, at most 400 characters.",
			PlanModifiers: []planmodifier.String{attribute.Equivalent(survey.SameTrimmed)},
		},
		"description": optionalString("What the survey is for.", attribute.ResetTo(types.StringValue("")), survey.SameTrimmed),
		"type": schema.StringAttribute{
			Required: true, MarkdownDescription: "How the survey is shown: `popover`, `widget`, `external_survey` or `api`.",
		},
		"schedule": optionalString("How often one person sees the survey: `once` (the service's default), `recurring` or `always` (web SDK 1.234.11 and later). "+
			"`iteration_count` and `iteration_frequency_days` make it `recurring`, and conflict with the others.",
			attribute.ResetTo(types.StringValue("once")), survey.SameTrimmed),
		"archived": optionalBool("Whether the survey is archived."),
		"enable_partial_responses": optionalBool(
			"Whether the answers of people who do not finish the survey are kept (web SDK 1.240.0, React Native 4.75.0, iOS 3.79.0, Android 3.70.0, Flutter 5.48.0 and later)."),
		"enable_iframe_embedding": optionalBool("Whether the survey may be embedded in a frame of another page."),
		"base_language": optionalString("Language of the texts, as a BCP 47 code; `en` when left out.",
			attribute.ResetTo(types.StringValue("en")), survey.SameLanguage),
	}
}

func lifecycleAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"status": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "`draft`, `running` or `completed`. Set it to launch, stop and resume the survey: " +
				"the dates follow. Left out, it follows the dates, and the survey is never launched or stopped by an apply.",
			Validators: []validator.String{attribute.OneOf(survey.StatusDraft, survey.StatusRunning, survey.StatusCompleted)},
		},
		"start_date": computedInstant("When the survey was or is launched. The service has no schedule: a survey with any date here runs, one in the future too. Removing it from the configuration changes nothing; `status = \"draft\"` clears it."),
		"end_date":   computedInstant("When the survey was or is stopped. The service has no schedule: any date here stops the survey at once, one in the future too. Removing it from the configuration changes nothing; `status = \"running\"` clears it."),
	}
}

func audienceAttributes() map[string]schema.Attribute {
	filters := optionalJSON("Release conditions that choose who sees the survey, as JSON: `groups` with `properties` and `rollout_percentage`. "+
		"The service keeps them in a flag of its own. The data source `posthog_cohort` checks a cohort that they name. Conflicts with `targeting_flag_id`.", survey.SameFilters)
	filters.Validators = append(filters.Validators, attribute.ConflictsWith("targeting_flag_id"))
	return map[string]schema.Attribute{
		"linked_flag_id": optionalInt64("Id of the feature flag that must be on for a person to see the survey: " +
			"the number at the end of the flag's address in the web interface, which the data source `posthog_feature_flag` finds by the flag's key."),
		"linked_insight_id": optionalInt64(
			"Id of the insight that the survey belongs to."),
		"targeting_flag_id": optionalInt64("Id of an existing feature flag that chooses who sees the survey: " +
			"the number at the end of the flag's address in the web interface, which the data source `posthog_feature_flag` finds by the flag's key. " +
			"Conflicts with `targeting_flag_filters`. Removing it makes the service delete the flag, and so does deleting or replacing the survey."),
		"targeting_flag_filters": filters,
	}
}

func contentAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"questions": Questions(),
		"conditions": optionalJSON("When and where the survey shows, as JSON: `url`, `urlMatchType`, `selector`, `deviceTypes`, `deviceTypesMatchType`, `seenSurveyWaitPeriodInDays`, "+
			"`linkedFlagVariant`, `events`, `cancelEvents` and `actions`, whose `values` have the `id` of each action, the number at the end of its address in the web interface. "+
			"A key that is null equals none. Older SDKs ignore some of them: `posthog-sync lint --sdk posthog-js=VERSION` says which.", survey.SameConditions),
		"appearance": optionalJSON("Colours, texts and position, as JSON: `backgroundColor`, `position`, `thankYouMessageHeader` and more. A key that is null equals none. "+
			"Older SDKs ignore some of them: `posthog-sync lint --sdk posthog-js=VERSION` says which.", survey.SameJSONMarkup),
		"translations":    optionalJSON("Texts in other languages, as JSON by language code.", survey.SameTranslations),
		"form_content":    optionalJSON("Content of a hosted form, as JSON.", attribute.EquivalentJSON),
		"responses_limit": optionalInt64("Number of responses after which the service stops the survey."),
	}
}

func iterationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"iteration_count": optionalInt64("How often a recurring survey runs, 0 to 500."),
		"iteration_frequency_days": optionalInt64(
			"Days between two runs of a recurring survey."),
		"iteration_start_dates": schema.ListAttribute{
			Optional: true, Computed: true, ElementType: types.StringType,
			MarkdownDescription: "When each run starts. The hosted service computes it.",
		},
		"current_iteration": schema.Int64Attribute{
			Optional: true, Computed: true, MarkdownDescription: "Number of the current run, from 1. The hosted service computes it.",
		},
		"current_iteration_start_date": computedInstant("When the current run started. The hosted service computes it."),
	}
}

func samplingAttributes() map[string]schema.Attribute {
	start := computedInstant("When response sampling starts: a date and time as in RFC 3339, such as `2031-01-01T00:00:00Z`.")
	start.PlanModifiers = []planmodifier.String{attribute.ResetTo(types.StringNull()), attribute.Equivalent(attribute.SameTimestamp)}
	return map[string]schema.Attribute{
		"response_sampling_start_date": start,
		"response_sampling_interval_type": optionalString("Unit of the sampling interval: `day`, `week` (the service's default) or `month`.",
			attribute.ResetTo(types.StringValue("week")), survey.SameTrimmed),
		"response_sampling_interval": optionalInt64("Length of the sampling interval."),
		"response_sampling_limit":    optionalInt64("Number of responses wanted in the sampling interval."),
		"response_sampling_daily_limits": schema.StringAttribute{
			Computed: true, CustomType: jsontypes.NormalizedType{}, MarkdownDescription: "Schedule that the service computes from the sampling settings, as JSON.",
		},
	}
}

// PolicyAttributes are the attributes that the provider alone knows: the service never
// returns them.
func PolicyAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"deletion_policy": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString(PolicyDelete),
			MarkdownDescription: "What a destroy does:\n\n" +
				"  * `delete` (default): deletes the survey and its targeting flag, also one that `targeting_flag_id` names.\n" +
				"  * `delete_unanswered`: the same, but plan and destroy fail unless the survey is known to have no responses.\n" +
				"  * `archive`: archives it. Its name stays taken.\n" +
				"  * `abandon`: leaves it as it is and forgets it. Its name stays taken.\n\n" +
				"  Apply a new value before the destroy: a destroy sees only the state.",
			Validators: []validator.String{attribute.OneOf(PolicyDelete, PolicyArchive, PolicyAbandon, PolicyDeleteUnanswered)},
		},
		"create_in_folder": schema.StringAttribute{
			Optional: true, Computed: true, Default: attribute.NullDefault{},
			MarkdownDescription: "Folder of the web interface in which the survey is created. The API does not return it, and a later change has no effect on the service.",
		},
		framework.TimeoutsName: framework.TimeoutsAttribute(),
	}
}

func optionalString(description string, omitted attribute.OmittedValue, same attribute.Equivalent) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: description,
		PlanModifiers: []planmodifier.String{omitted, same},
	}
}

func optionalBool(description string) schema.BoolAttribute {
	return schema.BoolAttribute{
		Optional: true, Computed: true, MarkdownDescription: description,
		PlanModifiers: []planmodifier.Bool{attribute.ResetTo(types.BoolValue(false))},
	}
}

// optionalInt64 is a non-negative integer that fits the service's column. Narrower
// bounds are checked at plan.
func optionalInt64(description string) schema.Int64Attribute {
	return schema.Int64Attribute{
		Optional: true, Computed: true, MarkdownDescription: description,
		Validators:    []validator.Int64{attribute.Between(0, math.MaxInt32)},
		PlanModifiers: []planmodifier.Int64{attribute.ResetTo(types.Int64Null())},
	}
}

func optionalJSON(description string, same attribute.Equivalent) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, CustomType: jsontypes.NormalizedType{}, MarkdownDescription: description,
		PlanModifiers: []planmodifier.String{attribute.ResetJSON(), same},
	}
}

func computedInstant(description string) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: description,
		Validators:    []validator.String{attribute.Timestamp},
		PlanModifiers: []planmodifier.String{attribute.Equivalent(attribute.SameTimestamp)},
	}
}
