package survey

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// PlanComputedValues plans computed values. They keep their prior value unless one of their inputs changes. The
// framework compares the plan before it plans omitted values, and marks values as unknown only if it finds a
// difference. The function therefore does not rely on these marks.
func PlanComputedValues(config Fields, planned *Fields, prior Fields) {
	c := Change{Planned: *planned, Prior: prior}

	planned.keep(prior, computedNames...)
	planIterations(config, planned, c)
	if planned.Equal(prior) {
		return // the plan writes nothing
	}

	planned.LinkedFlag = c.linkedFlag()
	planned.TargetingFlag = c.targetingFlag()
	planned.InternalTargetingFlag = c.internalFlag()
	planned.FeatureFlagKeys = c.flagKeys()
	planned.URL, planned.PublicURL = c.Links()
	if c.ofSampling() {
		planned.SamplingDailyLimits = jsontypes.NewNormalizedUnknown()
	}
}

// PlanSchedule plans an omitted schedule. PostHog changes the schedule of a survey with count and frequency to
// recurring, and drops both values if it receives any other schedule. The default is therefore sent only if neither
// value remains.
func PlanSchedule(config Fields, planned *Fields, prior Fields) {
	wasAnswered := !prior.Schedule.IsNull()
	if !config.Schedule.IsNull() || !wasAnswered {
		return
	}

	count, frequency := planned.IterationCount, planned.IterationFrequencyDays
	changed := !count.Equal(prior.IterationCount) || !frequency.Equal(prior.IterationFrequencyDays)
	switch {
	case count.IsNull() && frequency.IsNull():
		// The schema's default applies.
	case changed && mayRepeat(count) && mayRepeat(frequency) && prior.Schedule.ValueString() != string(api.Recurring):
		planned.Schedule = types.StringUnknown()
	default:
		planned.Schedule = prior.Schedule
	}
}

// mayRepeat reports whether a number of iterations, or of days between them, is positive or unknown.
func mayRepeat(n types.Int64) bool { return n.IsUnknown() || n.ValueInt64() > 0 }

// planIterations plans the iteration values, which PostHog computes unless the configuration sets them.
func planIterations(config Fields, planned *Fields, c Change) {
	open := c.ofIterations()
	if config.IterationStartDates.IsNull() {
		planned.IterationStartDates = priorOrUnknown(c.Prior.IterationStartDates, types.ListUnknown(types.StringType), open)
	}
	if config.CurrentIteration.IsNull() {
		planned.CurrentIteration = priorOrUnknown(c.Prior.CurrentIteration, types.Int64Unknown(), open)
	}
	if config.CurrentIterationStartDate.IsNull() {
		planned.CurrentIterationStartDate = priorOrUnknown(c.Prior.CurrentIterationStartDate, types.StringUnknown(), open)
	}
}

func priorOrUnknown[T attr.Value](prior, unknown T, changes bool) T {
	if changes {
		return unknown
	}
	return prior
}

// linkedFlag plans the linked flag. It is null if the flag's ID is null, and unknown after the ID changes.
func (c Change) linkedFlag() types.Object {
	switch {
	case !c.ofLinkedFlag():
		return c.Prior.LinkedFlag
	case c.Planned.LinkedFlagID.IsNull():
		return types.ObjectNull(flagType.AttrTypes)
	}
	return types.ObjectUnknown(flagType.AttrTypes)
}

// targetingFlag plans the targeting flag. Values that no survey change affects are kept.
func (c Change) targetingFlag() types.Object {
	switch {
	case c.ofTargetingFlag() && c.isUntargeted():
		return types.ObjectNull(flagType.AttrTypes)
	case c.ofTargetingFlag():
		return types.ObjectUnknown(flagType.AttrTypes)
	}
	return c.Flag(c.Prior.TargetingFlag, c.ofFilters())
}

// internalFlag plans the internal targeting flag. PostHog creates it once, and writes the current iteration and the
// wait period into its filters.
func (c Change) internalFlag() types.Object {
	ofFilters := c.ofIterations() || c.ofWaitPeriod()
	if c.Prior.InternalTargetingFlag.IsNull() && (c.ofRun() || ofFilters) {
		return types.ObjectUnknown(flagType.AttrTypes)
	}
	return c.Flag(c.Prior.InternalTargetingFlag, ofFilters)
}

// Keys in feature_flag_keys, which PostHog uses for the roles of a survey's flags.
const (
	LinkedFlagKey    = "linked_flag_key"
	TargetingFlagKey = "targeting_flag_key"
	InternalFlagKey  = "internal_targeting_flag_key"
	SamplingFlagKey  = "internal_response_sampling_flag_key"
)

// flagKeys plans the flags' keys. Keys of replaced flags are unknown.
func (c Change) flagKeys() types.Map {
	isOpen := map[string]bool{LinkedFlagKey: c.ofLinkedFlag(), TargetingFlagKey: c.ofTargetingFlag(), SamplingFlagKey: c.ofSampling()}
	isGone := map[string]bool{LinkedFlagKey: c.Planned.LinkedFlagID.IsNull(), TargetingFlagKey: c.isUntargeted()}
	if c.Prior.FeatureFlagKeys.IsNull() {
		anyOpen := isOpen[LinkedFlagKey] || isOpen[TargetingFlagKey] || isOpen[SamplingFlagKey]
		return priorOrUnknown(c.Prior.FeatureFlagKeys, types.MapUnknown(types.StringType), anyOpen)
	}

	elements := c.Prior.FeatureFlagKeys.Elements()
	for name := range elements {
		switch {
		case isOpen[name] && isGone[name]:
			elements[name] = types.StringNull()
		case isOpen[name]:
			elements[name] = types.StringUnknown()
		}
	}
	return types.MapValueMust(types.StringType, elements)
}

// Change is a planned change to a survey.
type Change struct{ Planned, Prior Fields }

func (c Change) ofLinkedFlag() bool { return !c.Planned.LinkedFlagID.Equal(c.Prior.LinkedFlagID) }

// ofTargetingFlag reports whether the update may replace or remove the targeting flag. A flag that PostHog created
// is kept as long as the survey has filters for it.
func (c Change) ofTargetingFlag() bool {
	if c.NamesOwnFlag() {
		return false
	}
	hasFilters := !c.Planned.TargetingFlagFilters.IsNull()
	hadFilters := !c.Prior.TargetingFlagFilters.IsNull()
	return !c.Planned.TargetingFlagID.Equal(c.Prior.TargetingFlagID) || hasFilters != hadFilters ||
		c.Planned.TargetingFlagFilters.IsUnknown()
}

// NamesOwnFlag reports whether the plan sets filters instead of the ID of a flag that PostHog created for a survey.
// Another provider refers to such a flag by its ID.
func (c Change) NamesOwnFlag() bool {
	key, _ := c.Prior.TargetingFlag.Attributes()["key"].(types.String)
	return !c.Prior.TargetingFlagID.IsNull() && c.Planned.TargetingFlagID.IsNull() &&
		attribute.IsKnown(c.Planned.TargetingFlagFilters) && strings.HasPrefix(key.ValueString(), OwnFlagPrefix)
}

// ofFilters reports whether the filters of the targeting flag change.
func (c Change) ofFilters() bool {
	if c.NamesOwnFlag() {
		return !SameFilters(StoredFilters(c.Prior), c.Planned.TargetingFlagFilters.ValueString())
	}
	return !c.Planned.TargetingFlagFilters.Equal(c.Prior.TargetingFlagFilters)
}

func (c Change) isUntargeted() bool {
	return c.Planned.TargetingFlagID.IsNull() && c.Planned.TargetingFlagFilters.IsNull()
}

// ofRun reports whether the survey starts or stops being shown.
func (c Change) ofRun() bool {
	return !c.Planned.StartDate.Equal(c.Prior.StartDate) || !c.Planned.EndDate.Equal(c.Prior.EndDate) ||
		!c.Planned.Archived.Equal(c.Prior.Archived)
}

// ofIterations reports whether the iterations change. PostHog computes them from a recurring survey's count, frequency,
// and start.
func (c Change) ofIterations() bool {
	isSame := c.Planned.IterationCount.Equal(c.Prior.IterationCount) &&
		c.Planned.IterationFrequencyDays.Equal(c.Prior.IterationFrequencyDays) && c.Planned.Schedule.Equal(c.Prior.Schedule)
	isRecurring := c.Planned.IterationCount.ValueInt64() > 0 && c.Planned.IterationFrequencyDays.ValueInt64() > 0
	return !isSame || isRecurring && c.ofRun()
}

func (c Change) ofSampling() bool {
	return !c.Planned.SamplingStartDate.Equal(c.Prior.SamplingStartDate) || !c.Planned.SamplingInterval.Equal(c.Prior.SamplingInterval) ||
		!c.Planned.SamplingLimit.Equal(c.Prior.SamplingLimit) || !c.Planned.SamplingIntervalType.Equal(c.Prior.SamplingIntervalType)
}

// ofWaitPeriod reports whether the wait period changes. It is the only condition that PostHog writes into a flag.
func (c Change) ofWaitPeriod() bool {
	const key = "seenSurveyWaitPeriodInDays"
	return c.Planned.Conditions.IsUnknown() || string(attribute.ObjectKeys(c.Planned.Conditions)[key]) != string(attribute.ObjectKeys(c.Prior.Conditions)[key])
}

// Flag plans a flag that is kept. Its filters are unknown if they change. active is unknown if PostHog switches the
// flag on or off with the survey.
func (c Change) Flag(prior types.Object, filters bool) types.Object {
	if prior.IsNull() || prior.IsUnknown() {
		return prior
	}
	attributes := prior.Attributes()
	if filters {
		attributes["filters"] = jsontypes.NewNormalizedUnknown()
	}
	if isShown := c.isShown(); !isShown.Equal(attributes["active"]) {
		attributes["active"] = types.BoolUnknown()
	}
	return types.ObjectValueMust(flagType.AttrTypes, attributes)
}

// isShown reports whether the survey is shown after the change. PostHog switches its flags on and off accordingly.
func (c Change) isShown() types.Bool {
	p := c.Planned
	switch {
	case p.Status.IsUnknown() || p.Archived.IsUnknown():
		return types.BoolUnknown()
	case p.Archived.ValueBool():
		return types.BoolValue(false)
	}
	return types.BoolValue(p.Status.ValueString() == StatusRunning)
}

// PlanQuestion fills in omitted values from the prior question. inPlace is set for a question that has not moved.
// Only for such a question does Terraform accept an equivalent prior value instead of the configured one.
func PlanQuestion(planned *Question, config, prior Question, inPlace bool) {
	values, configured := attribute.FromStruct(planned), attribute.FromStruct(&config)
	for name, priorValue := range attribute.FromStruct(&prior) {
		switch {
		case name == "id" || name == "type":
		case configured[name].IsNull() && attribute.IsEmpty(priorValue): // planning null would be a change without an effect
			values[name] = priorValue
		case configured[name].IsNull() && prior.isUnused(name) && config.Type.Equal(prior.Type): // removing the value would also be one
			values[name] = priorValue
		case inPlace && isSameMarkup(priorValue, configured[name]):
			values[name] = priorValue
		}
	}
	attribute.ToStruct(planned, values)

	planned.Translations = keepEquivalentJSON(config.Translations, prior.Translations, inPlace, SameTranslations)
	planned.Extra = keepEquivalentJSON(config.Extra, prior.Extra, inPlace, attribute.EquivalentJSON)
	if config.Extra.IsNull() {
		planned.Extra = dropConfiguredKeys(prior.Extra, config)
	}
}

func keepEquivalentJSON(config, prior jsontypes.Normalized, inPlace bool, same attribute.Equivalent) jsontypes.Normalized {
	isComparable := !config.IsNull() && !config.IsUnknown() && !prior.IsNull()
	if inPlace && isComparable && same(prior.ValueString(), config.ValueString()) {
		return prior
	}
	return config
}

// dropConfiguredKeys drops keys from extra that the configuration now sets through an attribute, such as an
// explicit null.
func dropConfiguredKeys(extra jsontypes.Normalized, config Question) jsontypes.Normalized {
	var keys map[string]json.RawMessage
	if extra.IsNull() || json.Unmarshal([]byte(extra.ValueString()), &keys) != nil {
		return extra
	}

	values, keyCount := config.ByWireName(), len(keys)
	maps.DeleteFunc(keys, func(key string, _ json.RawMessage) bool { return values[key] != nil && !values[key].IsNull() })
	switch {
	case len(keys) == keyCount:
		return extra
	case len(keys) == 0:
		return attribute.NullJSON
	}
	return attribute.RawObject(keys)
}
