package survey

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// The types of the properties that filters compare.
const (
	PersonProperty = "person"
	CohortProperty = "cohort"
	FlagProperty   = "flag"
	GroupProperty  = "group"
)

// References lists the flags, actions, and cohorts that a survey refers to by ID. IDs are not valid in another
// project, so flags are found there by key and actions by name.
type References struct {
	// Flags contains the keys of the linked flag and the targeting flag, except for a targeting flag that PostHog
	// created for the survey.
	Flags []string
	// UnknownFlags contains the IDs of flags whose keys are not in the response.
	UnknownFlags []int64
	Actions      []Action
	// Cohorts contains the IDs of cohorts in the targeting filters.
	Cohorts []int64
	// FlagDependencies contains the IDs of flags on which the targeting filters depend.
	FlagDependencies []string
}

// Action is an action after which a survey is shown.
type Action struct {
	ID   int64
	Name string
}

// FindReferences returns a survey's references.
func FindReferences(wire api.Survey) References {
	var r References
	linked, err := wire.LinkedFlag.Get()
	if id, idErr := wire.LinkedFlagID.Get(); err == nil && linked.Key != nil {
		r.Flags = append(r.Flags, *linked.Key)
	} else if idErr == nil {
		r.UnknownFlags = append(r.UnknownFlags, id)
	}

	id, filters := targetingFromAPI(wire, Fields{}, &attribute.Response{})
	targeting, err := wire.TargetingFlag.Get()
	if err == nil && !id.IsNull() {
		if targeting.Key != nil {
			r.Flags = append(r.Flags, *targeting.Key)
		} else {
			r.UnknownFlags = append(r.UnknownFlags, id.ValueInt64())
		}
	}

	// Filters that are not valid JSON do not refer to anything.
	_, _ = rewriteFilters(filters, func(kind string, id json.Number) (json.Number, error) {
		switch number, err := id.Int64(); {
		case kind == FlagProperty:
			r.FlagDependencies = append(r.FlagDependencies, id.String())
		case err == nil:
			r.Cohorts = append(r.Cohorts, number)
		}
		return id, nil
	})
	r.Actions = linkedActions(conditionsFromAPI(wire.Conditions, attribute.NullJSON, &attribute.Response{}))
	return r
}

// planReferences plans the attributes that contain the IDs of other objects.
func (p Promotion) planReferences(planned *Fields, desired api.Survey, live Fields) error {
	if !p.SameProject {
		planned.LinkedInsightID = live.LinkedInsightID
	}

	var err error
	planned.LinkedFlagID = live.LinkedFlagID
	if desired.LinkedFlagID.IsSpecified() || desired.LinkedFlag.IsSpecified() {
		if planned.LinkedFlagID, err = p.flag(desired.LinkedFlag, linkedFlagID(desired)); err != nil {
			return fmt.Errorf("linked_flag_id: %w", err)
		}
	}
	if err := p.planTargeting(planned, desired, live); err != nil {
		return err
	}
	if planned.Conditions, err = p.conditions(planned.Conditions); err != nil {
		return fmt.Errorf("conditions: %w", err)
	}
	return nil
}

// planTargeting plans the targeting flag by its key, or the filters of a flag that PostHog creates for the survey.
func (p Promotion) planTargeting(planned *Fields, desired api.Survey, live Fields) error {
	if !desired.TargetingFlag.IsSpecified() {
		planned.TargetingFlagID, planned.TargetingFlagFilters = live.TargetingFlagID, live.TargetingFlagFilters
		return nil
	}

	id, filters := targetingFromAPI(desired, Fields{}, &attribute.Response{})
	planned.TargetingFlagID, planned.TargetingFlagFilters = types.Int64Null(), attribute.NullJSON
	var err error
	if !id.IsNull() {
		planned.TargetingFlagID, err = p.flag(desired.TargetingFlag, nullable.NewNullableWithValue(id.ValueInt64()))
		if err != nil {
			return fmt.Errorf("targeting_flag_id: %w", err)
		}
		return nil
	}

	if p.SameProject {
		planned.TargetingFlagFilters = filters
		return nil
	}
	planned.TargetingFlagFilters, err = rewriteFilters(filters, func(kind string, id json.Number) (json.Number, error) {
		number, err := id.Int64()
		if kind == FlagProperty || err != nil {
			return id, fmt.Errorf("it depends on the feature flag %s by its number, which means nothing in another project", id)
		}
		mappedID, ok := p.Cohorts[number]
		if !ok {
			return id, fmt.Errorf("the cohort %d belongs to another project. To set the cohort in this project, use --map-cohort %d=ID", number, number)
		}
		return json.Number(fmt.Sprint(mappedID)), nil
	})
	if err != nil {
		return fmt.Errorf("targeting_flag_filters: %w", err)
	}
	return nil
}

// flag returns the ID of a flag in the live survey's project.
func (p Promotion) flag(field nullable.Nullable[api.FeatureFlag], id nullable.Nullable[int64]) (types.Int64, error) {
	sourceID, err := id.Get()
	if err != nil {
		return types.Int64Null(), nil //nolint:nilerr // a survey without a flag
	}
	flag, err := field.Get()
	if err != nil || flag.Key == nil {
		if p.SameProject {
			return types.Int64Value(sourceID), nil
		}
		return types.Int64Null(), fmt.Errorf("the key of the feature flag %d is not known", sourceID)
	}

	mappedID, ok := p.Flags[*flag.Key]
	if !ok {
		return types.Int64Null(), fmt.Errorf("no feature flag has the key %q", *flag.Key)
	}
	return types.Int64Value(mappedID), nil
}

// conditions reduces actions to ID and name, and replaces their IDs with those in the live survey's project.
func (p Promotion) conditions(text jsontypes.Normalized) (jsontypes.Normalized, error) {
	actions := linkedActions(text)
	if len(actions) == 0 {
		return text, nil
	}

	values := make([]map[string]any, len(actions))
	for i, action := range actions {
		id := action.ID
		if !p.SameProject {
			mappedID, ok := p.Actions[id]
			if !ok {
				return text, fmt.Errorf("no one action %q is known: name it with --map-action %q", action.Name, cmp.Or(action.Name, fmt.Sprint(id))+"=ID")
			}
			id = mappedID
		}
		values[i] = map[string]any{"id": id}
		if action.Name != "" {
			values[i]["name"] = action.Name
		}
	}

	conditions := attribute.ObjectKeys(text)
	raw, err := json.Marshal(map[string]any{"values": values})
	if err != nil {
		return text, err
	}
	conditions["actions"] = raw
	return attribute.RawObject(conditions), nil
}

// linkedActions returns the actions in conditions, in order.
func linkedActions(conditions jsontypes.Normalized) []Action {
	var linked struct {
		Values []struct {
			ID   *int64 `json:"id"`
			Name string `json:"name"`
		} `json:"values"`
	}
	raw, ok := attribute.ObjectKeys(conditions)["actions"]
	if !ok || json.Unmarshal(raw, &linked) != nil {
		return nil
	}

	var actions []Action
	for _, value := range linked.Values {
		if value.ID != nil {
			actions = append(actions, Action{*value.ID, value.Name})
		}
	}
	return actions
}

// rewriteFilters passes each cohort ID and flag ID in filters to rewrite, and replaces it with the result.
func rewriteFilters(filters jsontypes.Normalized, rewrite func(kind string, id json.Number) (json.Number, error)) (jsontypes.Normalized, error) {
	if filters.IsNull() {
		return filters, nil
	}
	value, err := jsonvalue.Decode(filters.ValueString())
	if err != nil {
		return filters, err
	}

	changed := false
	err = rewriteProperties(value, func(kind string, id json.Number) (json.Number, error) {
		newID, err := rewrite(kind, id)
		changed = changed || newID != id
		return newID, err
	})
	if err != nil || !changed {
		return filters, err
	}
	raw, err := json.Marshal(value)
	return attribute.JSON(raw), err
}

// rewriteProperties walks through filters. A cohort's ID is the property's value, and a flag's ID is the property's
// key.
func rewriteProperties(value any, rewrite func(string, json.Number) (json.Number, error)) error {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			if err := rewriteProperties(element, rewrite); err != nil {
				return err
			}
		}
	case map[string]any:
		kind, _ := value["type"].(string)
		idKey := map[string]string{CohortProperty: "value", FlagProperty: "key"}[kind]
		if id, ok := propertyNumber(value[idKey]); ok && slices.Contains([]string{CohortProperty, FlagProperty}, kind) {
			newID, err := rewrite(kind, id)
			if err != nil {
				return err
			}
			if newID != id {
				value[idKey] = newID
			}
		}

		for _, element := range value {
			if err := rewriteProperties(element, rewrite); err != nil {
				return err
			}
		}
	}
	return nil
}

// propertyNumber parses an ID, which may be a number or a string.
func propertyNumber(value any) (json.Number, bool) {
	if text, ok := value.(string); ok {
		value = json.Number(text)
	}
	number, ok := value.(json.Number)
	if !ok {
		return "", false
	}
	_, err := number.Int64()
	return number, err == nil
}
