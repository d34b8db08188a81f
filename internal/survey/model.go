// Package survey models a survey and maps it to and from the API. It also pairs questions from two
// versions of a survey, resolves references to flags and actions, and prepares surveys for
// promotion to another project.
//
// The package makes no HTTP requests and does not import the resource schema.
package survey

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// Fields holds the attributes that PostHog's responses fill, in the resource and in the data sources. Struct tags
// mark dates (see [attribute.MapFields]).
type Fields struct {
	ID                        types.String         `tfsdk:"id"`
	ProjectID                 types.String         `tfsdk:"project_id"`
	Name                      types.String         `tfsdk:"name"`
	Description               types.String         `tfsdk:"description"`
	Type                      types.String         `tfsdk:"type"`
	Schedule                  types.String         `tfsdk:"schedule"`
	Status                    types.String         `tfsdk:"status"`
	StartDate                 types.String         `tfsdk:"start_date" wire:"date"`
	EndDate                   types.String         `tfsdk:"end_date" wire:"date"`
	Archived                  types.Bool           `tfsdk:"archived"`
	LinkedFlagID              types.Int64          `tfsdk:"linked_flag_id"`
	LinkedInsightID           types.Int64          `tfsdk:"linked_insight_id"`
	TargetingFlagID           types.Int64          `tfsdk:"targeting_flag_id"`
	TargetingFlagFilters      jsontypes.Normalized `tfsdk:"targeting_flag_filters"`
	Questions                 Questions            `tfsdk:"questions"`
	Conditions                jsontypes.Normalized `tfsdk:"conditions"`
	Appearance                jsontypes.Normalized `tfsdk:"appearance"`
	ResponsesLimit            types.Int64          `tfsdk:"responses_limit"`
	IterationCount            types.Int64          `tfsdk:"iteration_count"`
	IterationFrequencyDays    types.Int64          `tfsdk:"iteration_frequency_days"`
	IterationStartDates       types.List           `tfsdk:"iteration_start_dates"`
	CurrentIteration          types.Int64          `tfsdk:"current_iteration"`
	CurrentIterationStartDate types.String         `tfsdk:"current_iteration_start_date" wire:"date"`
	SamplingStartDate         types.String         `tfsdk:"response_sampling_start_date" wire:"date"`
	SamplingIntervalType      types.String         `tfsdk:"response_sampling_interval_type"`
	SamplingInterval          types.Int64          `tfsdk:"response_sampling_interval"`
	SamplingLimit             types.Int64          `tfsdk:"response_sampling_limit"`
	SamplingDailyLimits       jsontypes.Normalized `tfsdk:"response_sampling_daily_limits"`
	EnablePartialResponses    types.Bool           `tfsdk:"enable_partial_responses"`
	EnableIframeEmbedding     types.Bool           `tfsdk:"enable_iframe_embedding"`
	BaseLanguage              types.String         `tfsdk:"base_language"`
	Translations              jsontypes.Normalized `tfsdk:"translations"`
	FormContent               jsontypes.Normalized `tfsdk:"form_content"`
	LinkedFlag                types.Object         `tfsdk:"linked_flag"`
	TargetingFlag             types.Object         `tfsdk:"targeting_flag"`
	InternalTargetingFlag     types.Object         `tfsdk:"internal_targeting_flag"`
	FeatureFlagKeys           types.Map            `tfsdk:"feature_flag_keys"`
	CreatedAt                 types.String         `tfsdk:"created_at"`
	CreatedBy                 types.Object         `tfsdk:"created_by"`
	UserAccessLevel           types.String         `tfsdk:"user_access_level"`
	URL                       types.String         `tfsdk:"url"`
	PublicURL                 types.String         `tfsdk:"public_url"`
}

// Equal reports whether all attributes are equal.
func (f Fields) Equal(g Fields) bool { return attribute.EqualStructs(&f, &g) }

// Model is a survey in the resource's configuration, plan, or state.
type Model struct {
	Fields
	// These are set only in the configuration. The API never returns them.
	DeletionPolicy types.String `tfsdk:"deletion_policy"`
	CreateInFolder types.String `tfsdk:"create_in_folder"`
	// Timeouts limits the duration of each operation.
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// Question is an element of the questions attribute.
type Question struct {
	ID                     types.String         `tfsdk:"id"`
	Type                   types.String         `tfsdk:"type"`
	Question               types.String         `tfsdk:"question"`
	Description            types.String         `tfsdk:"description"`
	DescriptionContentType types.String         `tfsdk:"description_content_type"`
	Optional               types.Bool           `tfsdk:"optional"`
	ButtonText             types.String         `tfsdk:"button_text"`
	Branching              types.Object         `tfsdk:"branching"`
	Link                   types.String         `tfsdk:"link"`
	Display                types.String         `tfsdk:"display"`
	Scale                  types.Number         `tfsdk:"scale"`
	LowerBoundLabel        types.String         `tfsdk:"lower_bound_label"`
	UpperBoundLabel        types.String         `tfsdk:"upper_bound_label"`
	IsNPSQuestion          types.Bool           `tfsdk:"is_nps_question"`
	Choices                types.List           `tfsdk:"choices"`
	ShuffleOptions         types.Bool           `tfsdk:"shuffle_options"`
	HasOpenChoice          types.Bool           `tfsdk:"has_open_choice"`
	SkipSubmitButton       types.Bool           `tfsdk:"skip_submit_button"`
	Validation             types.List           `tfsdk:"validation"`
	Translations           jsontypes.Normalized `tfsdk:"translations"`
	Extra                  jsontypes.Normalized `tfsdk:"extra"`

	// absent is the value of an element that is null or unknown as a whole. It is nil for other elements.
	absent attr.Value
}

// Branching is the branching attribute of a question.
type Branching struct {
	Type           types.String `tfsdk:"type"`
	Index          types.Int64  `tfsdk:"index"`
	ResponseValues types.Map    `tfsdk:"response_values"`
}

var (
	BranchingType      = attribute.StructObjectType(Branching{}, map[string]attr.Type{"response_values": types.MapType{ElemType: types.StringType}})
	ValidationRuleType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"type": types.StringType, "value": types.Int64Type,
	}}
	QuestionType = attribute.StructObjectType(Question{}, map[string]attr.Type{
		"branching": BranchingType, "choices": types.ListType{ElemType: types.StringType}, "validation": types.ListType{ElemType: ValidationRuleType},
	})
	flagType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"id": types.Int64Type, "team_id": types.Int64Type, "name": types.StringType, "key": types.StringType,
		"filters": jsontypes.NormalizedType{}, "deleted": types.BoolType, "active": types.BoolType,
		"ensure_experience_continuity": types.BoolType,
	}}
	userType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"id": types.Int64Type, "uuid": types.StringType, "distinct_id": types.StringType,
		"first_name": types.StringType, "last_name": types.StringType, "email": types.StringType,
		"is_email_verified": types.BoolType, "hedgehog_config": jsontypes.NormalizedType{},
	}}
)

// WarningTitle returns the title of a warning about a survey, or about parts of it. The title contains the survey's
// name, because Terraform merges warnings with the same title.
func WarningTitle(title string, survey types.String, parts ...string) string {
	about := append(slices.Clone(parts), "of survey "+Excerpt(survey))
	if len(parts) == 0 {
		about = []string{Excerpt(survey)}
	}
	return title + ": " + strings.Join(about, " ")
}

// Excerpt quotes a text, and shortens a long one.
func Excerpt(text types.String) string {
	const most = 60
	if runes := []rune(text.ValueString()); len(runes) > most {
		return fmt.Sprintf("%q", string(runes[:most])+"...")
	}
	return fmt.Sprintf("%q", text.ValueString())
}

// The three states of a survey. PostHog doesn't store a status. It stores a start date and an end date, in any order.
const (
	StatusDraft     = "draft"
	StatusRunning   = "running"
	StatusCompleted = "completed"
)

// StatusByDates derives the status of a survey from its dates.
func StatusByDates(start, end types.String) types.String {
	switch {
	case start.IsUnknown() || end.IsUnknown():
		return types.StringUnknown()
	case !end.IsNull():
		return types.StringValue(StatusCompleted)
	case !start.IsNull():
		return types.StringValue(StatusRunning)
	}
	return types.StringValue(StatusDraft)
}

// IsRunning reports whether a survey is launched, not completed, and not archived.
func IsRunning(f Fields) bool {
	return StatusByDates(f.StartDate, f.EndDate).ValueString() == StatusRunning && !f.Archived.ValueBool()
}

// StatusByStrings returns the status of a survey with these dates. nil means no date.
func StatusByStrings(start, end *string) string {
	return StatusByDates(types.StringPointerValue(start), types.StringPointerValue(end)).ValueString()
}
