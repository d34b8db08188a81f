package survey

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// OwnFlagPrefix is the prefix of the keys of flags that the service creates for surveys.
const OwnFlagPrefix = "survey-targeting-"

// targetingFromAPI converts the targeting flag to the attributes of the configuration: the
// filters of a flag that the service created for the survey, or the id of another flag. A
// configured id stays an id.
func targetingFromAPI(wire api.Survey, prior Fields, a *attribute.Response) (types.Int64, jsontypes.Normalized) {
	flag, err := wire.TargetingFlag.Get()
	id, filters := types.Int64Null(), attribute.NullJSON
	switch {
	case !wire.TargetingFlag.IsSpecified():
		return priorOr(prior.TargetingFlagID, id), priorOr(prior.TargetingFlagFilters, filters)
	case err != nil:
	case prior.TargetingFlagID.Equal(types.Int64PointerValue(flag.ID)) || flag.Key == nil || !strings.HasPrefix(*flag.Key, OwnFlagPrefix):
		id = types.Int64PointerValue(flag.ID)
	default:
		filters = attribute.RawObject(flag.Filters)
	}

	same := SameFilters(filters.ValueString(), prior.TargetingFlagFilters.ValueString())
	return attribute.Reconcile(a, "targeting_flag_id", id, prior.TargetingFlagID, false),
		attribute.Reconcile(a, "targeting_flag_filters", filters, prior.TargetingFlagFilters, same)
}

// sendTargeting sets the targeting fields of a request. The service cannot unlink a
// targeting flag, only delete it.
func sendTargeting(request *api.SurveyRequest, planned, prior Fields) {
	had := !prior.TargetingFlagID.IsNull() || !prior.TargetingFlagFilters.IsNull()
	id, filters := planned.TargetingFlagID, planned.TargetingFlagFilters
	switch {
	case !id.IsNull() && !id.IsUnknown():
		attribute.SendInt64(&request.TargetingFlagID, id, prior.TargetingFlagID)
	case !filters.IsNull() && !filters.IsUnknown():
		c := Change{Planned: planned, Prior: prior}
		if !c.ofFilters() {
			return
		}
		if !prior.TargetingFlagID.IsNull() && !c.NamesOwnFlag() {
			// Without this the filters would be written to a flag that does not belong to
			// the survey.
			request.RemoveTargetingFlag.Set(true)
		} else {
			filters = clearing(filters, prior.TargetingFlagFilters)
		}
		attribute.SendJSON(&request.TargetingFlagFilters, filters, prior.TargetingFlagFilters)
	case had && id.IsNull() && filters.IsNull():
		request.RemoveTargetingFlag.Set(true)
	}
}

// StoredFilters are the filters of a survey's targeting flag. The service merges those of a
// request into them, key by key.
func StoredFilters(f Fields) string {
	filters, ok := f.TargetingFlag.Attributes()["filters"].(jsontypes.Normalized)
	if !ok || !attribute.IsKnown(filters) {
		return ""
	}
	return filters.ValueString()
}

// clearing are filters that say of each key of earlier ones that they leave out that it is empty:
// the service would keep it.
func clearing(filters, earlier jsontypes.Normalized) jsontypes.Normalized {
	keys, omitted := attribute.KeysOf(filters), attribute.KeysOf(earlier)
	maps.DeleteFunc(omitted, func(key string, value json.RawMessage) bool {
		return !attribute.IsJSONNull(keys[key]) || jsonvalue.IsEmpty(jsonvalue.Text(value))
	})
	if keys == nil || len(omitted) == 0 {
		return filters
	}
	for key := range omitted {
		keys[key] = json.RawMessage("null")
		if key == payloadsKey { // which must be an object
			keys[key] = json.RawMessage("{}")
		}
	}
	return attribute.RawObject(keys)
}

const (
	groupsKey   = "groups"
	payloadsKey = "payloads"
	indexKey    = "aggregation_group_type_index"
)

// SameFilters compares the filters of a flag by [MeaningOfFilters].
func SameFilters(stored, configured string) bool {
	a, errA := jsonvalue.Decode(stored)
	b, errB := jsonvalue.Decode(configured)
	if errA != nil || errB != nil {
		return stored == configured
	}
	return jsonvalue.Equal(MeaningOfFilters(a), MeaningOfFilters(b))
}

// MeaningOfFilters brings filters into one form for all that mean the same to the service: a key
// that is empty is one that is left out, each group has the group type of all, operators have their
// present names, and payloads are texts.
func MeaningOfFilters(value any) any {
	filters, isObject := value.(map[string]any)
	if !isObject {
		return value
	}
	meant := maps.Clone(filters)
	if payloads, isObject := filters[payloadsKey].(map[string]any); isObject {
		meant[payloadsKey] = payloadTexts(payloads)
	}
	maps.DeleteFunc(meant, func(key string, value any) bool {
		return key == indexKey || key != groupsKey && jsonvalue.IsEmpty(value)
	})

	if groups, isList := jsonvalue.Rewrite(filters[groupsKey], presentOperator).([]any); isList {
		for _, item := range groups {
			group, _ := item.(map[string]any)
			if _, isGiven := group[indexKey]; group != nil && !isGiven && filters[indexKey] != nil {
				group[indexKey] = filters[indexKey]
			}
		}
		meant[groupsKey] = groups
	}
	return meant
}

// payloadTexts are payloads as texts of JSON, as which apps get them: there a null counts.
func payloadTexts(payloads map[string]any) map[string]any {
	texts := map[string]any{}
	for key, payload := range payloads {
		if text, isText := payload.(string); isText {
			if decoded, err := jsonvalue.Decode(text); err == nil {
				payload = decoded
			}
		}
		if raw, err := json.Marshal(payload); err == nil && payload != nil {
			texts[key] = string(raw)
		}
	}
	return texts
}

// presentOperator is an operator by the name under which the service stores it.
func presentOperator(name string, value any) (now any, isDone bool) {
	switch {
	case name == "operator" && value == "min":
		return "gte", true
	case name == "operator" && value == "max":
		return "lte", true
	}
	return value, false
}

// WithoutIndex drops the null aggregation_group_type_index that the hosted service adds
// to targeting filters, at the top and in each group.
func WithoutIndex(text string) string {
	var filters map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &filters) != nil || filters == nil {
		return text
	}

	drop := func(object map[string]json.RawMessage) {
		if attribute.IsJSONNull(object[indexKey]) {
			delete(object, indexKey)
		}
	}

	drop(filters)
	var groups []map[string]json.RawMessage
	if json.Unmarshal(filters[groupsKey], &groups) == nil {
		for _, group := range groups {
			drop(group)
		}
		if raw, err := json.Marshal(groups); err == nil {
			filters[groupsKey] = raw
		}
	}

	return attribute.RawObject(filters).ValueString()
}
