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

// Promotion are the options of [Promote].
type Promotion struct {
	// KeepSchedule copies the dates and whether the survey is archived. Without it a new
	// survey is a draft, and an existing one keeps both: leaving the archive shows a survey
	// that runs.
	KeepSchedule bool
	// SameProject is set when both surveys are in the same project, where the ids of
	// actions, cohorts and insights mean the same.
	SameProject bool
	// Flags are the ids of feature flags in the project of the live survey, by the keys of
	// the flags that the desired survey refers to.
	Flags map[string]int64
	// Actions and Cohorts are ids in the project of the live survey, by the ids that the
	// desired survey refers to. They are not used with SameProject.
	Actions, Cohorts map[int64]int64
	// Configured is set when the desired survey is [Stated] by a configuration: what the extra of
	// a question is left out of is kept, and the survey is archived or not as it says.
	Configured bool
	// Status is the status that the configuration sets; empty for none, which changes no date.
	// Now is the time at which the survey is launched or stopped by it.
	Status string
	Now    time.Time
}

// Promote plans the change of a live survey to a desired one, which may be in another
// project: as for a configuration with the values of the desired survey. The zero live is a
// new survey.
//
// The live survey keeps its id, computed values and the ids of its questions. It also keeps
// fields that the response of the desired survey lacks, since its service does not know
// them, and equivalent values.
func Promote(ctx context.Context, desired api.Survey, live Fields, p Promotion) (Fields, error) {
	// Flags and questions are matched below: equal ids mean nothing across projects.
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

// computedNames are the attributes that the service alone computes. That of iterations it does
// unless they are set.
var (
	computedNames = []string{"created_at", "created_by", "user_access_level", "linked_flag", "targeting_flag", "internal_targeting_flag",
		"feature_flag_keys", "response_sampling_daily_limits", "url", "public_url"}
	iterationNames = []string{"iteration_start_dates", "current_iteration", "current_iteration_start_date"}
)

// keep gives attributes the values that they have in others.
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

// dates are those that make the status of the live survey the one that a configuration sets.
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

// planQuestions gives each question the id of the matching live question. An id that a
// configuration states, or that the same survey had, is kept: where a save replaced it, that
// reattaches the answers. Any other id of another survey counts only if the live survey has it
// too, as in a copy.
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
	for i, pair := range identity.Compare(Identities(liveQuestions), Identities(questions)) {
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
			questions[i].ID = types.StringUnknown() // a new one, before the request is sent
		}
	}
	planned.Questions = NewQuestions(questions)
}

// normalized are the attributes that the service stores in another form than they are sent, with
// what it does to them.
var normalized = map[string]attribute.Equivalent{
	"name": SameTrimmedText, "description": SameTrimmedText, "base_language": SameLanguage,
	"appearance": SameJSONMarkup, "translations": SameTranslations, "conditions": SameConditions,
	"form_content": attribute.EquivalentJSON, "targeting_flag_filters": SameFilters,
}

// keepEmptyJSON keeps an empty live value if the planned one is empty too.
func keepEmptyJSON(planned *jsontypes.Normalized, live jsontypes.Normalized) {
	if attribute.IsEmptyJSON(*planned) && attribute.IsEmptyJSON(live) {
		*planned = live
	}
}

const defaultLanguage = "en"

// clearedValues are the service's defaults of attributes that have one.
var clearedValues = map[string]attr.Value{
	"description": types.StringValue(""), "schedule": types.StringValue("once"), "base_language": types.StringValue(defaultLanguage),
	"response_sampling_interval_type": types.StringValue("week"),
	"archived":                        types.BoolValue(false), "enable_partial_responses": types.BoolValue(false), "enable_iframe_embedding": types.BoolValue(false),
}
