package check_test

import (
	"maps"
	"math/big"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

type object = map[string]any

// unknown is a value that is known only after apply.
type unknown struct{}

// now is the time at which all checks run.
var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// with returns a survey with the given attributes.
func with(keys object) object {
	all := object{"name": "S", "type": "popover"}
	maps.Copy(all, keys)
	return all
}

func asking(questions ...any) object { return with(object{"questions": questions}) }

func when(conditions string) object  { return with(object{"conditions": conditions}) }
func looks(appearance string) object { return with(object{"appearance": appearance}) }

func external(keys object) object {
	keys["type"] = "external_survey"
	return with(keys)
}

func question(of, keys object) object {
	all := maps.Clone(of)
	maps.Copy(all, keys)
	return all
}

func open(keys object) object { return question(object{"type": "open", "question": "Why?"}, keys) }

func single(keys object) object {
	return question(object{"type": "single_choice", "question": "Which?", "choices": []any{"a", "b"}}, keys)
}

func rated(keys object) object {
	return question(object{"type": "rating", "question": "How?", "scale": 10, "display": "number"}, keys)
}

func linked(link string) object { return object{"type": "link", "question": "See", "link": link} }

// valueOf returns a configuration value before its type is known.
func valueOf(t *testing.T, value any) attr.Value {
	t.Helper()
	switch value := value.(type) {
	case nil:
		return types.DynamicNull()
	case unknown:
		return types.DynamicUnknown()
	case string:
		return types.StringValue(value)
	case bool:
		return types.BoolValue(value)
	case int:
		return types.NumberValue(big.NewFloat(float64(value)))
	case float64:
		return types.NumberValue(big.NewFloat(value))
	case []any:
		elements, kinds := make([]attr.Value, len(value)), make([]attr.Type, len(value))
		for i := range value {
			elements[i] = valueOf(t, value[i])
			kinds[i] = elements[i].Type(t.Context())
		}
		return types.TupleValueMust(kinds, elements)
	case object:
		attributes, kinds := map[string]attr.Value{}, map[string]attr.Type{}
		for name := range value {
			attributes[name] = valueOf(t, value[name])
			kinds[name] = attributes[name].Type(t.Context())
		}
		return types.ObjectValueMust(kinds, attributes)
	}
	require.Failf(t, "unsupported type of a configuration value", "%T", value)
	return nil
}

// fieldsOf returns a survey's attributes.
func fieldsOf(t *testing.T, config object) survey.Fields {
	t.Helper()
	values := attribute.FromStruct(&survey.Fields{})
	schema := surveyschema.Resource().Attributes
	for name, value := range config {
		converted, err := attribute.ConvertStrictly(valueOf(t, value), schema[name].GetType(), name)
		require.NoError(t, err)
		values[name] = converted
	}
	for _, name := range []string{"questions", "iteration_start_dates"} {
		if values[name] == nil || values[name].IsNull() {
			values[name] = types.ListNull(schema[name].GetType().(types.ListType).ElemType) //nolint:forcetypeassert,errcheck // both are lists
		}
	}
	var fields survey.Fields
	attribute.ToStruct(&fields, values)
	return fields
}

// planned returns a plan's attributes. Status and dates match each other, as in the resource's plan.
func planned(t *testing.T, config object) survey.Fields {
	t.Helper()
	fields := fieldsOf(t, config)
	instant := types.StringValue("2026-01-02T03:04:05Z")
	switch status := fields.Status.ValueString(); {
	case status == survey.StatusRunning && fields.StartDate.IsNull():
		fields.StartDate = instant
	case status == survey.StatusCompleted && fields.EndDate.IsNull():
		fields.EndDate = instant
	case fields.Status.IsNull():
		fields.Status = survey.StatusByDates(fields.StartDate, fields.EndDate)
	}
	return fields
}

// plan returns the findings of a plan from a prior survey to a configuration. A nil prior plans a new survey.
func plan(t *testing.T, prior, config object) ([]check.Finding, diag.Diagnostics) {
	t.Helper()
	var before survey.Fields
	if prior == nil {
		before.Questions = fieldsOf(t, object{}).Questions
	} else {
		before = planned(t, prior)
		before.ID = types.StringValue("0190")
	}
	after := planned(t, config)
	after.ID = before.ID
	pairs := survey.PairQuestions(after.Questions, after.Questions, before.Questions, identity.History{})

	var diags diag.Diagnostics
	found := check.PlanFindings(fieldsOf(t, config), after, before, pairs, check.Options{Now: now}, &diags)
	return found, diags
}

// findingsOf returns the findings of a plan whose questions are already matched.
func findingsOf(t *testing.T, config object, prior survey.Fields, pairs survey.QuestionPairs) []check.Finding {
	t.Helper()
	after := planned(t, config)
	after.ID = prior.ID
	var diags diag.Diagnostics
	return check.PlanFindings(fieldsOf(t, config), after, prior, pairs, check.Options{Now: now}, &diags)
}

// finding is what a check must find in a survey.
type finding struct {
	config object
	// code is empty if nothing is found.
	code    check.Code
	isError bool
	// at is the path of the finding, and says is a part of its text.
	at, says string
}

var silence = finding{}

func fault(code check.Code, at, says string) finding {
	return finding{code: code, isError: true, at: at, says: says}
}

func suspicion(code check.Code, at, says string) finding {
	return finding{code: code, at: at, says: says}
}

func (f finding) of(config object) finding       { f.config = config; return f }
func (f finding) asked(questions ...any) finding { return f.of(asking(questions...)) }

// assertFound asserts that plans of new surveys have the findings in a table, and no other errors.
func assertFound(t *testing.T, table map[string]finding) {
	t.Helper()
	for name, want := range table {
		found, _ := plan(t, nil, want.config)
		if want.code == "" {
			assert.Empty(t, found, name)
			continue
		}
		isFound := false
		for _, f := range found {
			isFound = isFound || f.Path == want.at && f.Code == want.code && f.IsError == want.isError && assert.Contains(t, f.Text, want.says, name)
			assert.True(t, want.isError || !f.IsError, "%s: %s", name, f.Text)
		}
		assert.True(t, isFound, "%s: %s at %s is not among the findings %+v", name, want.code, want.at, found)
	}
}
