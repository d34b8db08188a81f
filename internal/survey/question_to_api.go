package survey

import (
	"context"
	"encoding/json"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// QuestionToAPI converts a question with its extra. A question whose id is still unknown
// gets one from newID, so that a request that is sent again refers to the same question.
func QuestionToAPI(ctx context.Context, q Question, newID func() string, at path.Path, diags *diag.Diagnostics) json.RawMessage {
	if q.ID.IsUnknown() {
		q.ID = types.StringValue(newID())
	}

	var wire api.SurveyQuestion
	sendText(&wire.ID, q.ID)
	sendText(&wire.Type, q.Type)
	sendText(&wire.Question, q.Question)
	sendText(&wire.Description, q.Description)
	sendText(&wire.DescriptionContentType, q.DescriptionContentType)
	sendText(&wire.ButtonText, q.ButtonText)
	sendText(&wire.Link, q.Link)
	sendText(&wire.Display, q.Display)
	sendText(&wire.LowerBoundLabel, q.LowerBoundLabel)
	sendText(&wire.UpperBoundLabel, q.UpperBoundLabel)

	attribute.SendBool(&wire.Optional, q.Optional, types.BoolNull())
	attribute.SendBool(&wire.IsNpsQuestion, q.IsNPSQuestion, types.BoolNull())
	attribute.SendBool(&wire.ShuffleOptions, q.ShuffleOptions, types.BoolNull())
	attribute.SendBool(&wire.HasOpenChoice, q.HasOpenChoice, types.BoolNull())
	attribute.SendBool(&wire.SkipSubmitButton, q.SkipSubmitButton, types.BoolNull())

	if !q.Scale.IsNull() && !q.Scale.IsUnknown() {
		wire.Scale.Set(numberToAPI(q.Scale.ValueBigFloat()))
	}
	if !q.Choices.IsNull() && !q.Choices.IsUnknown() {
		choices := []string{}
		diags.Append(q.Choices.ElementsAs(ctx, &choices, false)...)
		wire.Choices.Set(choices)
	}

	attribute.SendJSON(&wire.Translations, q.Translations, attribute.NullJSON)
	wire.Branching = branchingToAPI(ctx, q.Branching, diags)
	wire.Validation = validationToAPI(ctx, q.Validation, diags)

	if !q.Extra.IsNull() && !q.Extra.IsUnknown() {
		if err := json.Unmarshal([]byte(q.Extra.ValueString()), &wire.AdditionalProperties); err != nil {
			diags.AddAttributeError(at.AtName("extra"), "Not a JSON object", at.String()+".extra must hold a JSON object: "+err.Error())
		}
	}

	raw, err := json.Marshal(wire)
	if err != nil {
		diags.AddAttributeError(at, "Not JSON", at.String()+" cannot be written as JSON: "+err.Error())
	}
	return raw
}

// numberToAPI formats integers with all digits, other numbers as short as is exact.
func numberToAPI(value *big.Float) json.Number {
	if value.IsInt() {
		return json.Number(value.Text('f', 0))
	}
	return json.Number(value.Text('f', -1))
}

func branchingToAPI(ctx context.Context, object types.Object, diags *diag.Diagnostics) nullable.Nullable[api.SurveyBranching] {
	var field nullable.Nullable[api.SurveyBranching]
	if object.IsNull() || object.IsUnknown() {
		return field
	}

	var branching Branching
	attribute.ToStruct(&branching, object.Attributes())
	var wire api.SurveyBranching
	sendText(&wire.Type, branching.Type)
	attribute.SendInt64(&wire.Index, branching.Index, types.Int64Null())

	if !branching.ResponseValues.IsNull() {
		targets := map[string]json.RawMessage{}
		words := map[string]string{}
		diags.Append(branching.ResponseValues.ElementsAs(ctx, &words, false)...)
		for key, word := range words {
			targets[key] = targetToAPI(word)
		}
		wire.ResponseValues.Set(targets)
	}

	field.Set(wire)
	return field
}

// targetToAPI is the inverse of targetFromAPI: valid JSON is sent as it is, anything else
// as a string.
func targetToAPI(word string) json.RawMessage {
	if json.Valid([]byte(word)) {
		return json.RawMessage(word)
	}
	// Marshalling a string cannot fail.
	raw, _ := json.Marshal(word)
	return raw
}

func validationToAPI(ctx context.Context, list types.List, diags *diag.Diagnostics) nullable.Nullable[[]api.SurveyQuestionValidation] {
	var field nullable.Nullable[[]api.SurveyQuestionValidation]
	if list.IsNull() || list.IsUnknown() {
		return field
	}

	var rules []validationRule
	diags.Append(list.ElementsAs(ctx, &rules, false)...)
	wire := make([]api.SurveyQuestionValidation, len(rules))
	for i, rule := range rules {
		sendText(&wire[i].Type, rule.Type)
		attribute.SendInt64(&wire[i].Value, rule.Value, types.Int64Null())
	}

	field.Set(wire)
	return field
}

// sendText sets a key of a question, unless the attribute is null.
func sendText[T ~string](field *nullable.Nullable[T], value types.String) {
	attribute.SendString(field, value, types.StringNull())
}

// sendQuestions sends the whole list if a question changes: the service replaces it as a
// whole.
func sendQuestions(ctx context.Context, r *api.SurveyRequest, planned, prior Fields, newID func() string, diags *diag.Diagnostics) {
	if planned.Questions.IsUnknown() || planned.Questions.Equal(prior.Questions) {
		return
	}
	if planned.Questions.IsNull() {
		if !prior.Questions.IsNull() {
			r.Questions.SetNull()
		}
		return
	}

	list, ok := planned.Questions.Known()
	if !ok {
		planned.Questions.RefuseNull(diags)
		return
	}

	wire := make([]json.RawMessage, len(list))
	for i, question := range list {
		wire[i] = QuestionToAPI(ctx, question, newID, path.Root("questions").AtListIndex(i), diags)
	}
	r.Questions.Set(wire)
}
