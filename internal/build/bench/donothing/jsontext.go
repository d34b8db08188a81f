package donothing

import "github.com/hashicorp/terraform-plugin-framework/resource/schema"

// jsonTextSchema has as many attributes, of the same kinds, as a survey has in the
// official provider.
func jsonTextSchema() schema.Schema {
	attributes := map[string]schema.Attribute{
		"name":           schema.StringAttribute{Required: true},
		"type":           schema.StringAttribute{Required: true},
		"questions_json": schema.StringAttribute{Required: true},
	}

	for _, name := range []string{
		"appearance_json", "conditions_json", "create_in_folder", "description", "end_date", "form_content_json", "project_id",
		"response_sampling_daily_limits_json", "response_sampling_interval_type", "response_sampling_start_date", "schedule",
		"start_date", "targeting_flag_filters_json", "translations_json",
	} {
		attributes[name] = schema.StringAttribute{Optional: true, Computed: true}
	}

	for _, name := range []string{"archived", "enable_iframe_embedding", "enable_partial_responses"} {
		attributes[name] = schema.BoolAttribute{Optional: true, Computed: true}
	}

	for _, name := range []string{
		"iteration_count", "iteration_frequency_days", "linked_flag_id", "linked_insight_id", "response_sampling_interval",
		"response_sampling_limit", "responses_limit", "targeting_flag_id",
	} {
		attributes[name] = schema.Int64Attribute{Optional: true, Computed: true}
	}

	for _, name := range []string{
		"created_at", "created_by_json", "id", "internal_targeting_flag_json", "linked_flag_json", "targeting_flag_json",
	} {
		attributes[name] = schema.StringAttribute{Computed: true}
	}

	return schema.Schema{Attributes: attributes}
}
