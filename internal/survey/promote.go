package survey

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Promotion holds the options of [Promote].
type Promotion struct {
	// KeepSchedule copies the dates and the archived value. Without it, a new survey is a draft. An existing survey
	// keeps its dates and stays archived, because unarchiving a running survey would show it.
	KeepSchedule bool
	// SameProject is set if both surveys are in the same project, so that the IDs of actions, cohorts, and insights
	// are valid for both.
	SameProject bool
	// Flags contains the IDs of feature flags in the live survey's project, by flag key. It covers the flags that the
	// desired survey refers to.
	Flags map[string]int64
	// Actions and Cohorts map IDs in the desired survey to IDs in the live survey's project. They are not used with
	// SameProject.
	Actions, Cohorts map[int64]int64
	// Replaced contains the questions of the live survey that had an ID from the desired survey before a save.
	Replaced identity.ReplacedIDs
	// Configured is set if the desired survey comes from [FromConfiguration]. Keys that the configuration omits from a
	// question's extra are kept. The configuration decides whether the survey is archived.
	Configured bool
	// Status is the status that the configuration sets. If it is empty, the dates don't change. Now becomes the start
	// or end date of a survey that Status launches or stops.
	Status string
	Now    time.Time
}

// Promote plans the change from a live survey to a desired one, which may be in another project. The result is the same
// as for a configuration with the desired survey's values. For a new survey, live is zero.
//
// The live survey keeps its ID, its computed values, and its question IDs. It also keeps equivalent values, and fields
// that the desired survey's response lacks because its PostHog version does not support them.
func Promote(ctx context.Context, desired api.Survey, live Fields, p Promotion) (Fields, error) {
	// Flags and questions are matched below, because equal IDs are unrelated in different projects.
	prior := live
	prior.LinkedFlagID, prior.TargetingFlagID = types.Int64Null(), types.Int64Null()
	prior.Questions = Questions{}

	planned, err := FromAPI(ctx, desired, prior, &attribute.Response{})
	if err != nil {
		return Fields{}, err
	}

	planned.keep(live, append([]string{"id", "project_id"}, slices.Concat(computedNames, iterationNames)...)...)
	p.planSchedule(&planned, live)
	if err := p.planReferences(&planned, desired, live); err != nil {
		return Fields{}, err
	}
	p.planQuestions(&planned, desired, live)

	if p.Configured {
		planned.Translations = keepStoredTexts(planned.Translations, live.Translations, SurveyTexts)
	}
	values, liveValues := attribute.FromStruct(&planned), attribute.FromStruct(&live)
	attribute.KeepEquivalent(values, liveValues, normalized)
	attribute.ResetClearedValues(values, liveValues, clearedValues)
	config := planned
	attribute.ToStruct(&planned, values)
	if p.Configured {
		PlanSchedule(config, &planned, live)
	}
	return planned, nil
}

// computedNames are the attributes that only PostHog computes. PostHog computes iterationNames unless the
// configuration sets them.
var (
	computedNames = []string{"created_at", "created_by", "user_access_level", "linked_flag", "targeting_flag", "internal_targeting_flag",
		"feature_flag_keys", "response_sampling_daily_limits", "url", "public_url"}
	iterationNames = []string{"iteration_start_dates", "current_iteration", "current_iteration_start_date"}
)

// keep copies the values of the named attributes from source.
func (f *Fields) keep(source Fields, names ...string) {
	values, sourceValues := attribute.FromStruct(f), attribute.FromStruct(&source)
	for _, name := range names {
		values[name] = sourceValues[name]
	}
	attribute.ToStruct(f, values)
}

func (p Promotion) planSchedule(planned *Fields, live Fields) {
	switch {
	case p.Configured:
		planned.StartDate, planned.EndDate = p.dates(live)
	case !p.KeepSchedule:
		planned.StartDate, planned.EndDate = live.StartDate, live.EndDate
		if !live.ID.IsNull() {
			planned.Archived = live.Archived
		}
	}
	planned.Status = StatusByDates(planned.StartDate, planned.EndDate)
}

// dates returns the dates that give the live survey the configured status.
func (p Promotion) dates(live Fields) (start, end types.String) {
	start, end = live.StartDate, live.EndDate
	now := types.StringValue(p.Now.UTC().Format(time.RFC3339))
	if p.Status == StatusByDates(start, end).ValueString() {
		return start, end
	}

	switch p.Status {
	case StatusDraft:
		return types.StringNull(), types.StringNull()
	case StatusRunning:
		end = types.StringNull()
	case StatusCompleted:
		end = now
	default:
		return start, end
	}
	if start.IsNull() && (p.Status == StatusRunning || live.ID.IsNull()) {
		start = now
	}
	return start, end
}

// planQuestions gives each question the matching live question's ID. An ID from a configuration, or from the same
// survey, is kept: if a save replaced it, this reattaches the answers. Any other ID is kept only if the live survey
// contains it, as a copy does.
func (p Promotion) planQuestions(planned *Fields, desired api.Survey, live Fields) {
	if !desired.Questions.IsSpecified() {
		planned.Questions = live.Questions
		return
	}

	questions, liveQuestions := slices.Clone(planned.Questions.List()), live.Questions.List()
	if len(questions) == 0 {
		return
	}

	keepsIDs := p.Configured || p.SameProject && desired.ID != nil && live.ID.Equal(types.StringPointerValue(desired.ID))
	for i, pair := range identity.Compare(p.Replaced.Undo(Identities(liveQuestions)), Identities(questions)) {
		configuredID := questions[i].ID
		if pair.Index >= 0 {
			config := questions[i]
			if p.Configured {
				config.Translations = keepStoredTexts(config.Translations, liveQuestions[pair.Index].Translations, config.translatable())
			}
			PlanQuestion(&questions[i], config, liveQuestions[pair.Index], true)
			if config.Extra.IsNull() && !p.Configured {
				questions[i].Extra = config.Extra
			}
			keepEmptyJSON(&questions[i].Extra, liveQuestions[pair.Index].Extra)
			keepEmptyJSON(&questions[i].Translations, liveQuestions[pair.Index].Translations)
		}

		switch {
		case !IsOmittedID(configuredID) && (keepsIDs || pair.Index < 0):
			questions[i].ID = configuredID
		case pair.Index >= 0:
			questions[i].ID = liveQuestions[pair.Index].ID
		default:
			questions[i].ID = types.StringUnknown() // a new question gets its ID right before the request
		}
	}
	planned.Questions = NewQuestions(questions)
}

// normalized maps the attributes whose values PostHog normalizes to functions that compare a stored with a configured
// value.
var normalized = map[string]attribute.Equivalent{
	"name": SameTrimmedText, "description": SameTrimmedText, "base_language": SameLanguage,
	"appearance": SameJSONMarkup, "translations": SameTranslations, "conditions": SameConditions,
	"form_content": attribute.EquivalentJSON, "targeting_flag_filters": SameFilters,
}

// keepEmptyJSON keeps an empty live value if the planned one is also empty.
func keepEmptyJSON(planned *jsontypes.Normalized, live jsontypes.Normalized) {
	if attribute.IsEmptyJSON(*planned) && attribute.IsEmptyJSON(live) {
		*planned = live
	}
}

const defaultLanguage = "en"

// clearedValues contains PostHog's defaults for attributes that have one.
var clearedValues = map[string]attr.Value{
	"description": types.StringValue(""), "schedule": types.StringValue("once"), "base_language": types.StringValue(defaultLanguage),
	"response_sampling_interval_type": types.StringValue("week"),
	"archived":                        types.BoolValue(false), "enable_partial_responses": types.BoolValue(false), "enable_iframe_embedding": types.BoolValue(false),
}
