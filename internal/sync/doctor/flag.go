package doctor

import (
	"encoding/json"

	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reach"
)

// checkFlag checks a flag that has to be on for the respondent.
func (v *visibility) checkFlag(check string, field nullable.Nullable[api.FeatureFlag]) {
	flag, err := field.Get()
	if err != nil {
		v.ok(check, FlagNone)
		return
	}
	data := Finding{Name: text(flag.Key)}
	why, isForNobody := reach.Nobody(filtersOf(flag))
	switch {
	case flag.Deleted != nil && *flag.Deleted:
		v.fail(check, FlagDeleted, data)
	case flag.Active != nil && !*flag.Active:
		v.fail(check, FlagOff, data)
	case !reachesAnyone(flag):
		v.fail(check, FlagReachesNone, data)
	case isForNobody:
		data.Value = why
		v.fail(check, FlagMatchesNobody, data)
	default:
		v.ok(check, FlagOn, data)
	}
}

// filtersOf are the filters of a flag, decoded; nil when they are not JSON.
func filtersOf(flag api.FeatureFlag) any {
	text, err := json.Marshal(flag.Filters)
	if err != nil {
		return nil
	}
	filters, err := jsonvalue.Decode(text)
	if err != nil {
		return nil
	}
	return filters
}

// checkInternalFlag checks the flag by which the service hides a survey from people who have
// answered it.
func (v *visibility) checkInternalFlag() {
	flag, err := v.survey.InternalTargetingFlag.Get()
	isOver := v.isArchived() || !dateOf(v.survey.EndDate).IsZero()
	if err != nil || flag.Active == nil || *flag.Active || isOver || dateOf(v.survey.StartDate).IsZero() {
		return
	}
	v.fail("internal flag", InternalFlagOff, Finding{Name: text(flag.Key)})
}

// reachesAnyone reports whether a group of a flag is rolled out to more than 0 %.
func reachesAnyone(flag api.FeatureFlag) bool {
	var groups []struct {
		Rollout *float64 `json:"rollout_percentage"`
	}
	raw, ok := flag.Filters["groups"]
	if !ok || json.Unmarshal(raw, &groups) != nil {
		return true
	}
	for _, group := range groups {
		if group.Rollout == nil || *group.Rollout > 0 {
			return true
		}
	}
	return false
}

// hasVariant reports whether a flag has a variant, or does not tell its variants.
func hasVariant(flag api.FeatureFlag, key string) bool {
	var multivariate struct {
		Variants []struct {
			Key string `json:"key"`
		} `json:"variants"`
	}
	if json.Unmarshal(flag.Filters["multivariate"], &multivariate) != nil {
		return true
	}
	for _, variant := range multivariate.Variants {
		if variant.Key == key {
			return true
		}
	}
	return false
}
