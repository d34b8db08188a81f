// Package surveyschema defines the schema of the resource posthog_survey. It also generates the configuration of an
// existing survey, without the values that a configuration can omit.
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

// The values of deletion_policy, which decides what a destroy does to the survey.
const (
	PolicyDelete           = "delete"
	PolicyArchive          = "archive"
	PolicyAbandon          = "abandon"
	PolicyDeleteUnanswered = "delete_unanswered"
)

// ObjectType returns the resource's type.
var ObjectType = sync.OnceValue(func() attr.Type { return Resource().Type() })

// Resource returns the resource's schema. Matching questions needs the private state, so the resource's
// ModifyPlan does this instead of a plan modifier.
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
		MarkdownDescription: "A PostHog survey: its questions, who sees it, and when it runs. " +
			"Questions keep their IDs when you edit or move them, so their answers stay attached.",
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
			MarkdownDescription: "ID of the project that contains the survey. Defaults to the `project_id` of the provider. Changing this forces a new survey.",
			PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplaceIfConfigured()},
		},
	}
}

func basicAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": schema.StringAttribute{
			Required: true, MarkdownDescription: "Name of the survey, at most 400 characters. Names are unique within a project.",
			PlanModifiers: []planmodifier.String{attribute.Equivalent(survey.SameTrimmedText)},
		},
		"description": optionalString("Description of the survey.", attribute.ResetValue(types.StringValue("")), survey.SameTrimmedText),
		"type": schema.StringAttribute{
			Required: true, MarkdownDescription: "Type of the survey: one of `popover`, `widget`, `external_survey`, or `api`.",
		},
		"schedule": optionalString("How often a person sees the survey: one of `once`, `recurring`, or `always` (web SDK 1.234.11 and later). Defaults to `once`. "+
			"`iteration_count` and `iteration_frequency_days` set it to `recurring`, and conflict with the other values.",
			attribute.ResetValue(types.StringValue("once")), survey.SameTrimmedText),
		"archived": optionalBool("Whether the survey is archived."),
		"enable_partial_responses": optionalBool(
			"Whether PostHog keeps the answers of respondents who don't finish the survey (web SDK 1.240.0, React Native 4.75.0, iOS 3.79.0, Android 3.70.0, Flutter 5.48.0, and later)."),
		"enable_iframe_embedding": optionalBool("Whether other pages can embed the survey in a frame."),
		"base_language": optionalString("Language of the survey's text, as a BCP 47 code such as `de`. Defaults to `en`.",
			attribute.ResetValue(types.StringValue("en")), survey.SameLanguage),
	}
}

func lifecycleAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"status": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "State of the survey: one of `draft`, `running`, or `completed`. Change it to launch, stop, or resume the survey. " +
				"The provider sets `start_date` and `end_date` to match. If omitted, Terraform reads the status from the dates, and never launches or stops the survey.",
			Validators: []validator.String{attribute.OneOf(survey.StatusDraft, survey.StatusRunning, survey.StatusCompleted)},
		},
		"start_date": computedInstant("Date and time of the launch, in RFC 3339 format. PostHog doesn't schedule launches. Setting any date, even one in the future, launches the survey immediately, but the page of an `external_survey` doesn't exist before that date. Removing this argument doesn't change the survey. To clear the date, set `status = \"draft\"`."),
		"end_date":   computedInstant("Date and time when the survey stopped, in RFC 3339 format. PostHog doesn't schedule stops. Setting any date, even one in the future, stops the survey immediately. Removing this argument doesn't change the survey. To clear the date, set `status = \"running\"`."),
	}
}

func audienceAttributes() map[string]schema.Attribute {
	filters := optionalJSON("Release conditions that decide who sees the survey, as a JSON object with `groups`, which have `properties` and `rollout_percentage`. "+
		"PostHog stores them in a separate flag. To check that a cohort exists, use the `posthog_cohort` data source. Conflicts with `targeting_flag_id`.", survey.SameFilters)
	filters.Validators = append(filters.Validators, attribute.ConflictsWith("targeting_flag_id"))
	return map[string]schema.Attribute{
		"linked_flag_id": optionalInt64("ID of the feature flag that must be on for a person to see the survey. " +
			"The ID is the number at the end of the flag's URL in PostHog. To look it up by key, use the `posthog_feature_flag` data source."),
		"linked_insight_id": optionalInt64(
			"ID of the insight that the survey belongs to."),
		"targeting_flag_id": optionalInt64("ID of an existing feature flag that decides who sees the survey. " +
			"The ID is the number at the end of the flag's URL in PostHog. To look it up by key, use the `posthog_feature_flag` data source. " +
			"PostHog deletes this flag when you remove the argument, or delete or replace the survey, even if something else uses it. Conflicts with `targeting_flag_filters`."),
		"targeting_flag_filters": filters,
	}
}

func contentAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"questions": Questions(),
		"conditions": optionalJSON("Conditions under which the survey is shown, as a JSON object with the keys `url`, `urlMatchType`, `selector`, `deviceTypes`, `deviceTypesMatchType`, `seenSurveyWaitPeriodInDays`, "+
			"`linkedFlagVariant`, `events`, `cancelEvents`, and `actions`. The `values` of `actions` contain the `id` of each action, which is the number at the end of its URL in PostHog. "+
			"A key with the value `null` is the same as a missing key. Older SDKs ignore some keys. To list them, run `posthog-sync lint --sdk posthog-js=VERSION`.", survey.SameConditions),
		"appearance": optionalJSON("Colors, labels, and position of the survey, as a JSON object with keys such as `backgroundColor`, `position`, and `thankYouMessageHeader`. A key with the value `null` is the same as a missing key. "+
			"Older SDKs ignore some keys. To list them, run `posthog-sync lint --sdk posthog-js=VERSION`.", survey.SameJSONMarkup),
		"translations":    optionalJSON("Text in other languages, as a JSON object with a key for each language code.", survey.SameTranslations),
		"form_content":    optionalJSON("Content of a hosted form, as a JSON object.", attribute.EquivalentJSON),
		"responses_limit": optionalInt64("Number of responses after which PostHog stops the survey."),
	}
}

func iterationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"iteration_count": optionalInt64("Number of runs of a recurring survey, from 0 to 500."),
		"iteration_frequency_days": optionalInt64(
			"Number of days between two runs of a recurring survey."),
		"iteration_start_dates": schema.ListAttribute{
			Optional: true, Computed: true, ElementType: types.StringType,
			MarkdownDescription: "Start of each run. PostHog computes it.",
		},
		"current_iteration": schema.Int64Attribute{
			Optional: true, Computed: true, MarkdownDescription: "Number of the current run, beginning with 1. PostHog computes it.",
		},
		"current_iteration_start_date": computedInstant("Start of the current run. PostHog computes it."),
	}
}

func samplingAttributes() map[string]schema.Attribute {
	start := computedInstant("Date and time when response sampling starts, in RFC 3339 format, such as `2031-01-01T00:00:00Z`.")
	start.PlanModifiers = []planmodifier.String{attribute.ResetValue(types.StringNull()), attribute.Equivalent(attribute.SameTimestamp)}
	return map[string]schema.Attribute{
		"response_sampling_start_date": start,
		"response_sampling_interval_type": optionalString("Unit of the sampling interval: one of `day`, `week`, or `month`. Defaults to `week`.",
			attribute.ResetValue(types.StringValue("week")), survey.SameTrimmedText),
		"response_sampling_interval": optionalInt64("Length of the sampling interval."),
		"response_sampling_limit":    optionalInt64("Number of responses to collect in a sampling interval."),
		"response_sampling_daily_limits": schema.StringAttribute{
			Computed: true, CustomType: jsontypes.NormalizedType{}, MarkdownDescription: "Schedule that PostHog computes from the sampling settings, as JSON.",
		},
	}
}

// PolicyAttributes returns the attributes that PostHog does not store or return.
func PolicyAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"deletion_policy": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString(PolicyDelete),
			MarkdownDescription: "What happens to the survey when you destroy the resource. Defaults to `delete`.\n\n" +
				"  * `delete`: deletes the survey and its targeting flag, including a flag that you set with `targeting_flag_id`.\n" +
				"  * `delete_unanswered`: like `delete`, but the plan and the destroy fail unless the survey is known to have no responses.\n" +
				"  * `archive`: archives the survey. Its name stays in use.\n" +
				"  * `abandon`: leaves the survey unchanged and removes it from the state. Its name stays in use.\n\n" +
				"  Apply a new value before you destroy the resource. Terraform uses the value in the state.",
			Validators: []validator.String{attribute.OneOf(PolicyDelete, PolicyArchive, PolicyAbandon, PolicyDeleteUnanswered)},
		},
		"create_in_folder": schema.StringAttribute{
			Optional: true, Computed: true, Default: attribute.NullDefault{},
			MarkdownDescription: "Folder in PostHog in which the survey is created. The API doesn't return it, and changing it later has no effect.",
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
		PlanModifiers: []planmodifier.Bool{attribute.ResetValue(types.BoolValue(false))},
	}
}

// optionalInt64 returns an attribute for a non-negative integer that fits PostHog's database column. Narrower limits
// are checked during the plan.
func optionalInt64(description string) schema.Int64Attribute {
	return schema.Int64Attribute{
		Optional: true, Computed: true, MarkdownDescription: description,
		Validators:    []validator.Int64{attribute.Between(0, math.MaxInt32)},
		PlanModifiers: []planmodifier.Int64{attribute.ResetValue(types.Int64Null())},
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
