package survey

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// received maps the attributes that depend only on the response field with the same name.
var received = attribute.MustMap[api.Survey, Fields](
	"linked_flag_id", "targeting_flag_id", "targeting_flag_filters", "conditions", "response_sampling_daily_limits", "created_at", "user_access_level",
	"questions", "iteration_start_dates", "feature_flag_keys", "linked_flag", "targeting_flag", "internal_targeting_flag", "created_by",
)

// FromAPI converts a response. prior is the plan or the state. Its values replace missing values, and are kept if the
// response's values are equivalent. a contains whether the response belongs to a write, and what the provider
// remembers. FromAPI adds the missing fields, the changed fields, and the values to remember to a.
//
// PostHog's documentation says that conditions are null in the response to a write, so null is ignored there.
func FromAPI(ctx context.Context, wire api.Survey, prior Fields, a *attribute.Response) (Fields, error) {
	// Only PostHog sets these attributes, so their changes are not reported.
	readOnly := &attribute.Response{IsWrite: a.IsWrite}
	values := attribute.FromStruct(&prior)
	received.Receive(a, wire, values)
	values["created_at"] = attribute.String(readOnly, "created_at", wire.CreatedAt, prior.CreatedAt)
	values["user_access_level"] = attribute.String(readOnly, "user_access_level", wire.UserAccessLevel, prior.UserAccessLevel)

	var f Fields
	attribute.ToStruct(&f, values)
	f.ID = answerOr(prior.ID, types.StringPointerValue(wire.ID))
	f.LinkedFlagID = a.Int64("linked_flag_id", linkedFlagID(wire), prior.LinkedFlagID)
	f.Conditions = conditionsFromAPI(wire.Conditions, prior.Conditions, a)
	f.IterationStartDates = instantsFromAPI(wire.IterationStartDates, prior.IterationStartDates, a)
	f.SamplingDailyLimits = a.JSON("response_sampling_daily_limits", jsonText(wire.ResponseSamplingDailyLimits), prior.SamplingDailyLimits)
	f.FeatureFlagKeys = flagKeysFromAPI(wire.FeatureFlagKeys, prior.FeatureFlagKeys, a.IsWrite)
	f.LinkedFlag = objectFromAPI(wire.LinkedFlag, prior.LinkedFlag, a.IsWrite, flagType)
	f.TargetingFlag = objectFromAPI(wire.TargetingFlag, prior.TargetingFlag, a.IsWrite, flagType)
	f.InternalTargetingFlag = objectFromAPI(wire.InternalTargetingFlag, prior.InternalTargetingFlag, a.IsWrite, flagType)
	f.CreatedBy = objectFromAPI(wire.CreatedBy, prior.CreatedBy, a.IsWrite, userType)

	f.Status = StatusByDates(f.StartDate, f.EndDate)
	f.TargetingFlagID, f.TargetingFlagFilters = targetingFromAPI(wire, prior, a)

	var err error
	f.Questions, err = questionsFromAPI(wire.Questions, prior.Questions, a) //nolint:contextcheck // the null of a type needs none
	return f, err
}

// answerOr returns the response's value, or the prior value if the response lacks it.
func answerOr(prior, answered types.String) types.String {
	if answered.IsNull() {
		return prior
	}
	return answered
}

// linkedFlagID falls back to the ID in the nested flag, because the hosted service omits the field in responses to
// creates and updates.
func linkedFlagID(wire api.Survey) nullable.Nullable[int64] {
	if wire.LinkedFlagID.IsSpecified() || !wire.LinkedFlag.IsSpecified() {
		return wire.LinkedFlagID
	}
	if flag, err := wire.LinkedFlag.Get(); err == nil && flag.ID != nil {
		return nullable.NewNullableWithValue(*flag.ID)
	}
	return nullable.NewNullNullable[int64]()
}

// conditionsFromAPI decodes conditions in all documented forms: an object, its JSON text, or, in the response to a
// write, a null without meaning.
func conditionsFromAPI(field nullable.Nullable[json.RawMessage], prior jsontypes.Normalized, a *attribute.Response) jsontypes.Normalized {
	raw, err := field.Get()
	if a.IsWrite && field.IsSpecified() && (err != nil || attribute.IsJSONNull(raw)) {
		return priorOr(prior, attribute.NullJSON)
	}
	if a.IsWrite {
		return a.JSON("conditions", jsonText(field), prior, SameConditions)
	}
	return a.JSON("conditions", jsonText(field), prior, includesConditions)
}

// jsonText decodes a string that contains JSON. It leaves other strings unchanged.
func jsonText(field nullable.Nullable[json.RawMessage]) nullable.Nullable[json.RawMessage] {
	raw, err := field.Get()
	if err != nil {
		return field
	}
	var inner string
	if json.Unmarshal(raw, &inner) == nil && !attribute.IsJSONNull(raw) && json.Valid([]byte(inner)) {
		return nullable.NewNullableWithValue(json.RawMessage(inner))
	}
	return field
}

// instantsFromAPI keeps the prior values if they denote the same instants.
func instantsFromAPI(field nullable.Nullable[[]nullable.Nullable[string]], prior types.List, a *attribute.Response) types.List {
	answered := types.ListNull(types.StringType)
	values, err := field.Get()
	switch {
	case !field.IsSpecified() && !prior.IsUnknown() && !prior.IsNull():
		return prior
	case err == nil:
		moments := make([]attr.Value, len(values))
		for i, value := range values {
			moments[i] = attribute.StringField(value)
		}
		answered = types.ListValueMust(types.StringType, moments)
	}

	if prior.IsUnknown() || prior.IsNull() && (answered.IsNull() || !a.IsWrite) {
		return answered
	}

	same := !prior.IsNull() && !answered.IsNull() && slices.EqualFunc(prior.Elements(), answered.Elements(), func(p, t attr.Value) bool {
		priorDate, okBefore := p.(types.String)
		date, okAfter := t.(types.String)
		return okBefore && okAfter && !priorDate.IsUnknown() && attribute.SameTimestamp(priorDate.ValueString(), date.ValueString())
	})
	return attribute.Reconcile(a, "iteration_start_dates", answered, prior, same)
}

func flagKeysFromAPI(field nullable.Nullable[[]api.FeatureFlagKey], prior types.Map, writing bool) types.Map {
	values, err := field.Get()
	elements := map[string]attr.Value{}
	for _, value := range values {
		if value.Key != nil {
			elements[*value.Key] = attribute.StringField(value.Value)
		}
	}
	switch {
	case keepsPrior(field.IsSpecified(), prior, writing) && prior.IsNull():
		return prior
	case keepsPrior(field.IsSpecified(), prior, writing):
		return types.MapValueMust(types.StringType, fillUnknown(prior.Elements(), elements))
	case err != nil:
		return types.MapNull(types.StringType)
	}
	return types.MapValueMust(types.StringType, elements)
}

// fillUnknown replaces unknown elements of a planned value with those of the response, or with null.
func fillUnknown(planned, answered map[string]attr.Value) map[string]attr.Value {
	for name, value := range planned {
		if !value.IsUnknown() {
			continue
		}
		planned[name] = attribute.NullLike(value)
		if value, ok := answered[name]; ok {
			planned[name] = value
		}
	}
	return planned
}

// keepsPrior reports whether a read-only attribute keeps its prior value. It does if the response lacks the
// attribute, or if the plan has a known value, which the next read corrects.
func keepsPrior(answered bool, prior attr.Value, writing bool) bool {
	return !prior.IsUnknown() && (writing || !answered && !prior.IsNull())
}

// objectFromAPI reads a read-only object. Its attributes have the same names as its fields.
func objectFromAPI[T any](field nullable.Nullable[T], prior types.Object, writing bool, typ types.ObjectType) types.Object {
	value, err := field.Get()
	raw, _ := json.Marshal(value) // the value was decoded from JSON
	keys, _ := decode[map[string]json.RawMessage](raw)
	attributes := map[string]attr.Value{}
	for name, typ := range typ.AttrTypes {
		value, fits := valueFromAPI(keys[name], typ)
		if !fits {
			value = attribute.NullValue(typ)
		}
		attributes[name] = value
	}

	switch {
	case keepsPrior(field.IsSpecified(), prior, writing) && prior.IsNull():
		return prior
	case keepsPrior(field.IsSpecified(), prior, writing):
		return types.ObjectValueMust(typ.AttrTypes, fillUnknown(prior.Attributes(), attributes))
	case err != nil:
		return types.ObjectNull(typ.AttrTypes)
	}
	return types.ObjectValueMust(typ.AttrTypes, attributes)
}

// priorOr returns the prior value if it is known, and the fallback otherwise.
func priorOr[T interface{ IsUnknown() bool }](prior, fallback T) T {
	if prior.IsUnknown() {
		return fallback
	}
	return prior
}
