package surveyschema

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

// Configuration holds an imported survey's attributes that a configuration needs so that the next plan is empty.
type Configuration struct {
	// Fields contains null for each attribute that the configuration omits.
	survey.Fields
	// FlagKeys maps the IDs of the flags that Fields refers to to the flags' keys.
	FlagKeys map[int64]string
}

// ConfigurationOptions holds the options of [ConfigurationFromAPI].
type ConfigurationOptions struct {
	// QuestionIDs includes the IDs of all questions. Otherwise, an ID is included only if another question has the
	// same type and text, or if the survey is valid only for an earlier or newer PostHog version.
	QuestionIDs bool
	// StatedIDs are question IDs that are included in addition. OpenIDs are never included.
	StatedIDs, OpenIDs []string
}

// ConfigurationFromAPI returns the configuration of the survey in a response. It contains the dates, but not the
// status, which follows from the dates.
func ConfigurationFromAPI(ctx context.Context, wire api.Survey, projectID string, o ConfigurationOptions) (Configuration, error) {
	fields, err := survey.FromAPI(ctx, wire, survey.Fields{ProjectID: types.StringValue(projectID)}, &attribute.Response{})
	if err != nil {
		return Configuration{}, err
	}
	return MinimalConfiguration(fields, o), nil
}

// MinimalConfiguration is like [ConfigurationFromAPI], but takes a survey that was already converted.
func MinimalConfiguration(fields survey.Fields, o ConfigurationOptions) Configuration {
	minimal := attribute.MinimalConfig(configurable(), attribute.FromStruct(&fields), "start_date", "end_date")
	c := Configuration{FlagKeys: referencedFlagKeys(fields)}
	attribute.ToStruct(&c.Fields, minimal)

	c.Conditions = PortableConditions(c.Conditions)
	if !c.TargetingFlagFilters.IsNull() {
		c.TargetingFlagFilters = jsontypes.NewNormalizedValue(survey.WithoutIndex(c.TargetingFlagFilters.ValueString()))
	}
	if !c.Questions.IsNull() {
		c.Questions = minimalQuestions(fields.Questions, o)
		// The stored survey may be invalid as a new survey. With IDs, terraform validate accepts it.
		if !o.QuestionIDs && len(check.WithoutState(c.Fields)) > 0 {
			c.Questions = minimalQuestions(fields.Questions, ConfigurationOptions{QuestionIDs: true})
		}
	}
	return c
}

// referencedFlagKeys returns the keys of the flags that a survey refers to by ID.
func referencedFlagKeys(f survey.Fields) map[int64]string {
	keys := map[int64]string{}
	for _, flag := range []types.Object{f.LinkedFlag, f.TargetingFlag} {
		id, okID := flag.Attributes()["id"].(types.Int64)
		key, okKey := flag.Attributes()["key"].(types.String)
		if okID && okKey && key.ValueString() != "" {
			keys[id.ValueInt64()] = key.ValueString()
		}
	}
	return keys
}

// PortableConditions reduces linked actions to their IDs. PostHog returns more fields, which the provider ignores.
func PortableConditions(text jsontypes.Normalized) jsontypes.Normalized {
	var conditions struct {
		Actions struct {
			Values []json.RawMessage `json:"values"`
		} `json:"actions"`
	}
	if text.IsNull() || json.Unmarshal([]byte(text.ValueString()), &conditions) != nil || len(conditions.Actions.Values) == 0 {
		return text
	}
	return jsontypes.NewNormalizedValue(survey.ActionIDs(text.ValueString()))
}

// minimalQuestions returns questions without the values that a configuration can omit.
func minimalQuestions(stored survey.Questions, o ConfigurationOptions) survey.Questions {
	ids := map[[2]types.String]map[string]bool{}
	count := map[[2]types.String]int{}
	for _, q := range stored.List() {
		key := [2]types.String{q.Type, q.Question}
		if ids[key] == nil {
			ids[key] = map[string]bool{}
		}
		ids[key][q.ID.ValueString()] = true
		count[key]++
	}

	minimal := make([]survey.Question, len(stored.List()))
	for i, q := range stored.List() {
		minimal[i] = minimalQuestion(q)
		key := [2]types.String{q.Type, q.Question}
		// An ID that two questions share does not distinguish them any better than their text.
		distinct := len(ids[key]) == count[key] && q.ID.ValueString() != ""
		isIncluded := o.QuestionIDs || count[key] > 1 && distinct || slices.Contains(o.StatedIDs, q.ID.ValueString())
		if isIncluded && !slices.Contains(o.OpenIDs, q.ID.ValueString()) {
			minimal[i].ID = q.ID
		}
	}
	return survey.NewQuestions(minimal)
}

// minimalQuestion returns a question without its ID, and without values that a plan takes from the prior question if
// the configuration omits them. It includes keys that the schema does not define, because in another project there is
// no prior question to take them from.
func minimalQuestion(q survey.Question) survey.Question {
	planned, config := omitted, omitted
	config.Type = q.Type
	survey.PlanQuestion(&planned, config, q, true)

	plannedValues, minimal := attribute.FromStruct(&planned), attribute.FromStruct(&q)
	for name, value := range minimal {
		if plannedValues[name].Equal(value) {
			minimal[name] = attribute.NullLike(value)
		}
	}
	var out survey.Question
	attribute.ToStruct(&out, minimal)
	out.ID, out.Extra = types.StringNull(), extraWithoutNulls(q)
	return out
}

// extraWithoutNulls returns extra without nulls under keys that have an attribute, because omitting the attribute has
// the same effect.
func extraWithoutNulls(q survey.Question) jsontypes.Normalized {
	var keys map[string]json.RawMessage
	if q.Extra.IsNull() || json.Unmarshal([]byte(q.Extra.ValueString()), &keys) != nil {
		return q.Extra
	}

	for key := range q.ByWireName() {
		if value, ok := keys[key]; ok && attribute.IsJSONNull(value) {
			delete(keys, key)
		}
	}
	if len(keys) == 0 {
		return attribute.NullJSON
	}
	return attribute.RawObject(keys)
}

// omitted is a question with all attributes null.
var omitted = func() survey.Question {
	nulls := map[string]attr.Value{}
	for name, typ := range survey.QuestionType.AttrTypes {
		nulls[name] = attribute.NullValue(typ)
	}
	var q survey.Question
	attribute.ToStruct(&q, nulls)
	return q
}()

// configurable contains the resource's attributes.
var configurable = sync.OnceValue(func() map[string]schema.Attribute { return Resource().Attributes })

// HandWrittenAttributes returns the attributes that a survey in a YAML file may have: those that a configuration can
// set, except for the project.
func HandWrittenAttributes() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{}
	for name := range attribute.FromStruct(&survey.Fields{}) {
		isComputed := slices.Contains([]string{"project_id", "start_date", "end_date"}, name) ||
			strings.HasPrefix(name, "current_iteration") || name == "iteration_start_dates"
		if a := configurable()[name]; !isComputed && (a.IsRequired() || a.IsOptional()) {
			attributes[name] = a
		}
	}
	return attributes
}
