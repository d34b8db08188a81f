package survey

import (
	"reflect"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// planComputed plans computed values: the prior value, unless an attribute changes that it
// is computed from. It does not rely on the framework to mark values as unknown, which does
// so only for plans that differ before omitted values are planned.
func planComputed(config Fields, planned *Fields, prior Fields) {
	c := change{planned: *planned, prior: prior}

	planned.CreatedAt, planned.CreatedBy, planned.UserAccessLevel = prior.CreatedAt, prior.CreatedBy, prior.UserAccessLevel
	planned.LinkedFlag, planned.TargetingFlag, planned.InternalTargetingFlag = prior.LinkedFlag, prior.TargetingFlag, prior.InternalTargetingFlag
	planned.FeatureFlagKeys, planned.SamplingDailyLimits = prior.FeatureFlagKeys, prior.SamplingDailyLimits
	planIterations(config, planned, c)
	if reflect.DeepEqual(*planned, prior) {
		return // nothing is written
	}

	planned.LinkedFlag = c.linkedFlag()
	planned.TargetingFlag = c.targetingFlag()
	planned.InternalTargetingFlag = c.internalFlag()
	planned.FeatureFlagKeys = c.flagKeys()
	if c.ofSampling() {
		planned.SamplingDailyLimits = jsontypes.NewNormalizedUnknown()
	}
}

// planIterations plans values that the service computes unless the configuration sets them.
func planIterations(config Fields, planned *Fields, c change) {
	open := c.ofIterations()
	if config.IterationStartDates.IsNull() {
		planned.IterationStartDates = priorOrUnknown(c.prior.IterationStartDates, types.ListUnknown(types.StringType), open)
	}
	if config.CurrentIteration.IsNull() {
		planned.CurrentIteration = priorOrUnknown(c.prior.CurrentIteration, types.Int64Unknown(), open)
	}
	if config.CurrentIterationStartDate.IsNull() {
		planned.CurrentIterationStartDate = priorOrUnknown(c.prior.CurrentIterationStartDate, types.StringUnknown(), open)
	}
}

func priorOrUnknown[T attr.Value](prior, unknown T, changes bool) T {
	if changes {
		return unknown
	}
	return prior
}

// linkedFlag is null if its id is null, and unknown after a change of the id.
func (c change) linkedFlag() types.Object {
	switch {
	case !c.ofLinkedFlag():
		return c.prior.LinkedFlag
	case c.planned.LinkedFlagID.IsNull():
		return types.ObjectNull(flagType.AttrTypes)
	}
	return types.ObjectUnknown(flagType.AttrTypes)
}

// targetingFlag keeps the values of the flag that no change of the survey affects.
func (c change) targetingFlag() types.Object {
	switch {
	case c.ofTargetingFlag() && c.isUntargeted():
		return types.ObjectNull(flagType.AttrTypes)
	case c.ofTargetingFlag():
		return types.ObjectUnknown(flagType.AttrTypes)
	}
	return c.flag(c.prior.TargetingFlag, c.ofFilters())
}

// internalFlag plans the internal targeting flag. The service creates it once, and writes
// the current iteration and the wait period into its filters.
func (c change) internalFlag() types.Object {
	ofFilters := c.ofIterations() || c.ofWaitPeriod()
	if c.prior.InternalTargetingFlag.IsNull() && (c.ofRun() || ofFilters) {
		return types.ObjectUnknown(flagType.AttrTypes)
	}
	return c.flag(c.prior.InternalTargetingFlag, ofFilters)
}

// The keys of feature_flag_keys: the service's names for the roles of a survey's flags.
const (
	linkedFlagKey    = "linked_flag_key"
	targetingFlagKey = "targeting_flag_key"
	internalFlagKey  = "internal_targeting_flag_key"
	samplingFlagKey  = "internal_response_sampling_flag_key"
)

// flagKeys plans the keys of flags; those of flags that are replaced are unknown.
func (c change) flagKeys() types.Map {
	isOpen := map[string]bool{linkedFlagKey: c.ofLinkedFlag(), targetingFlagKey: c.ofTargetingFlag(), samplingFlagKey: c.ofSampling()}
	isGone := map[string]bool{linkedFlagKey: c.planned.LinkedFlagID.IsNull(), targetingFlagKey: c.isUntargeted()}
	if c.prior.FeatureFlagKeys.IsNull() {
		anyOpen := isOpen[linkedFlagKey] || isOpen[targetingFlagKey] || isOpen[samplingFlagKey]
		return priorOrUnknown(c.prior.FeatureFlagKeys, types.MapUnknown(types.StringType), anyOpen)
	}

	elements := c.prior.FeatureFlagKeys.Elements()
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

// change is a planned change of a survey.
type change struct{ planned, prior Fields }

func (c change) ofLinkedFlag() bool { return !c.planned.LinkedFlagID.Equal(c.prior.LinkedFlagID) }

// ofTargetingFlag reports whether the targeting flag may be replaced or removed. A flag
// that the service created stays as long as there are filters for it.
func (c change) ofTargetingFlag() bool {
	if c.namesOwnFlag() {
		return false
	}
	hasFilters := !c.planned.TargetingFlagFilters.IsNull()
	hadFilters := !c.prior.TargetingFlagFilters.IsNull()
	return !c.planned.TargetingFlagID.Equal(c.prior.TargetingFlagID) || hasFilters != hadFilters ||
		c.planned.TargetingFlagFilters.IsUnknown()
}

// namesOwnFlag reports whether filters take the place of the id of a flag that the service
// created for a survey. Another provider keeps such a flag by its id.
func (c change) namesOwnFlag() bool {
	key, _ := c.prior.TargetingFlag.Attributes()["key"].(types.String)
	return !c.prior.TargetingFlagID.IsNull() && c.planned.TargetingFlagID.IsNull() &&
		attribute.IsKnown(c.planned.TargetingFlagFilters) && strings.HasPrefix(key.ValueString(), ownFlagPrefix)
}

// ofFilters reports whether the filters of the targeting flag change.
func (c change) ofFilters() bool {
	if c.namesOwnFlag() {
		return !attribute.EquivalentJSON(withoutIndex(storedFilters(c.prior)), withoutIndex(c.planned.TargetingFlagFilters.ValueString()))
	}
	return !c.planned.TargetingFlagFilters.Equal(c.prior.TargetingFlagFilters)
}

func (c change) isUntargeted() bool {
	return c.planned.TargetingFlagID.IsNull() && c.planned.TargetingFlagFilters.IsNull()
}

// ofRun reports whether the survey starts or stops being shown.
func (c change) ofRun() bool {
	return !c.planned.StartDate.Equal(c.prior.StartDate) || !c.planned.EndDate.Equal(c.prior.EndDate) ||
		!c.planned.Archived.Equal(c.prior.Archived)
}

// ofIterations reports whether the iterations change. The service computes them from count,
// frequency and start of a recurring survey.
func (c change) ofIterations() bool {
	isSame := c.planned.IterationCount.Equal(c.prior.IterationCount) &&
		c.planned.IterationFrequencyDays.Equal(c.prior.IterationFrequencyDays) && c.planned.Schedule.Equal(c.prior.Schedule)
	isRecurring := c.planned.IterationCount.ValueInt64() > 0 && c.planned.IterationFrequencyDays.ValueInt64() > 0
	return !isSame || isRecurring && c.ofRun()
}

func (c change) ofSampling() bool {
	return !c.planned.SamplingStartDate.Equal(c.prior.SamplingStartDate) || !c.planned.SamplingInterval.Equal(c.prior.SamplingInterval) ||
		!c.planned.SamplingLimit.Equal(c.prior.SamplingLimit) || !c.planned.SamplingIntervalType.Equal(c.prior.SamplingIntervalType)
}

// ofWaitPeriod reports whether the wait period changes, the only condition that the service
// writes into a flag.
func (c change) ofWaitPeriod() bool {
	const key = "seenSurveyWaitPeriodInDays"
	return c.planned.Conditions.IsUnknown() || string(keysOf(c.planned.Conditions)[key]) != string(keysOf(c.prior.Conditions)[key])
}

// flag plans a flag that stays: filters are unknown if they change, and active is unknown
// if the service is going to switch the flag on or off with the survey.
func (c change) flag(prior types.Object, filters bool) types.Object {
	if prior.IsNull() || prior.IsUnknown() {
		return prior
	}
	attributes := prior.Attributes()
	if filters {
		attributes["filters"] = jsontypes.NewNormalizedUnknown()
	}
	if shown := c.isShown(); !shown.Equal(attributes["active"]) {
		attributes["active"] = types.BoolUnknown()
	}
	return types.ObjectValueMust(flagType.AttrTypes, attributes)
}

// isShown reports whether the survey is shown after the change. The service switches its
// flags on and off accordingly.
func (c change) isShown() types.Bool {
	p := c.planned
	switch {
	case p.Status.IsUnknown() || p.Archived.IsUnknown():
		return types.BoolUnknown()
	case p.Archived.ValueBool():
		return types.BoolValue(false)
	}
	return types.BoolValue(p.Status.ValueString() == statusRunning)
}
