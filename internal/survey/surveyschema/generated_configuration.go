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

// Configuration has the attributes that a configuration needs so that the plan after an
// import of the survey is empty.
type Configuration struct {
	// Fields are null where the configuration omits them.
	survey.Fields
	// FlagKeys are the keys of the flags that the fields refer to, by id.
	FlagKeys map[int64]string
}

// ConfigurationOptions are options of [ConfigurationFromAPI].
type ConfigurationOptions struct {
	// QuestionIDs includes the ids of all questions. Otherwise only the ids of questions
	// with the same type and text are included, and those of a survey that only an earlier
	// or newer service would accept.
	QuestionIDs bool
	// StatedIDs are further IDs of questions that are included.
	StatedIDs []string
}

// ConfigurationFromAPI returns the configuration of the survey in a response. It has the dates
// and not the status, which follows from them.
func ConfigurationFromAPI(ctx context.Context, wire api.Survey, projectID string, o ConfigurationOptions) (Configuration, error) {
	fields, err := survey.FromAPI(ctx, wire, survey.Fields{ProjectID: types.StringValue(projectID)}, &attribute.Response{})
	if err != nil {
		return Configuration{}, err
	}
	return MinimalConfiguration(fields, o), nil
}

// MinimalConfiguration is [ConfigurationFromAPI] for a survey that was read.
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
		// The stored survey may be invalid for a new one. With ids terraform validate says
		// nothing of that.
		if !o.QuestionIDs && len(check.WithoutState(c.Fields)) > 0 {
			c.Questions = minimalQuestions(fields.Questions, ConfigurationOptions{QuestionIDs: true})
		}
	}
	return c
}

// referencedFlagKeys are the keys of the flags that a survey refers to by id.
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

// PortableConditions reduces linked actions to their ids. The service returns more, which
// the provider ignores.
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

// minimalQuestions are questions as a configuration needs to write them.
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
		// A shared id distinguishes questions no better than a shared text.
		distinct := len(ids[key]) == count[key] && q.ID.ValueString() != ""
		if o.QuestionIDs || count[key] > 1 && distinct || slices.Contains(o.StatedIDs, q.ID.ValueString()) {
			minimal[i].ID = q.ID
		}
	}
	return survey.NewQuestions(minimal)
}

// minimalQuestion is a question without its id, and without values that a plan takes from the
// prior question when the configuration omits them. Keys that the schema does not know are
// included: in another project there is no prior question to take them from.
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

// extraWithoutNulls is extra without nulls of keys that have an attribute: an omitted
// attribute means the same.
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

// configurable are the attributes of the resource, built once.
var configurable = sync.OnceValue(func() map[string]schema.Attribute { return Resource().Attributes })

// HandWrittenAttributes are the attributes that a survey may have in a file that is written by hand: what a
// configuration can set, but for the project and what the service computes.
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
