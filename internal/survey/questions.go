package survey

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// Questions is a survey's questions attribute: null, unknown, or a list. [attribute.ToStruct] decodes it from the
// framework's list, and [Questions.ToTerraformValue] encodes it. Like the framework's values, Questions is immutable.
// To change questions, create a new list.
//
// The zero Questions is null.
type Questions struct {
	items []Question
	state attr.ValueState
}

var (
	_ attribute.Field        = (*Questions)(nil)
	_ basetypes.ListValuable = Questions{}
)

// NewQuestions returns a list of questions.
func NewQuestions(items []Question) Questions {
	return Questions{items: items, state: attr.ValueStateKnown}
}

// Known returns the questions, or none if the list is null. It returns false if the list or a whole element is
// unknown, or if an element is null. [Questions.RefuseNull] reports null elements.
func (q Questions) Known() ([]Question, bool) {
	for i := range q.items {
		if q.items[i].absent != nil {
			return nil, false
		}
	}
	return q.items, !q.IsUnknown()
}

// List returns the questions, or none if they are not known.
func (q Questions) List() []Question {
	items, _ := q.Known()
	return items
}

// Elements returns all elements. Some of them may be null or unknown as a whole.
func (q Questions) Elements() []Question { return q.items }

// IsNull reports whether an element is null as a whole.
func (q Question) IsNull() bool { return q.absent != nil && q.absent.IsNull() }

// IsUnknown reports whether an element is unknown as a whole.
func (q Question) IsUnknown() bool { return q.absent != nil && q.absent.IsUnknown() }

// Equal reports whether all attributes of two questions are equal.
func (q Question) Equal(r Question) bool {
	if q.absent != nil || r.absent != nil {
		return q.absent != nil && r.absent != nil && q.absent.Equal(r.absent)
	}
	return attribute.EqualStructs(&q, &r)
}

// RefuseNull adds an error for the first null element, which Terraform's types allow. It adds no error while an
// element is unknown.
func (q Questions) RefuseNull(diags *diag.Diagnostics) {
	if slices.ContainsFunc(q.items, Question.IsUnknown) {
		return
	}
	if i := slices.IndexFunc(q.items, Question.IsNull); i >= 0 {
		diags.AddAttributeError(path.Root("questions").AtListIndex(i), "Missing value",
			fmt.Sprintf("questions[%d] is null, but must be a question.", i))
	}
}

// SetFrom implements [attribute.Field].
func (q *Questions) SetFrom(value attr.Value) bool {
	list, ok := value.(types.List)
	if !ok || list.IsNull() || list.IsUnknown() {
		*q = Questions{}
		if ok && list.IsUnknown() {
			q.state = attr.ValueStateUnknown
		}
		return ok
	}

	elements := list.Elements()
	items := make([]Question, len(elements))
	for i, element := range elements {
		object, ok := element.(types.Object)
		switch {
		case !ok:
			return false
		case object.IsNull() || object.IsUnknown():
			items[i].absent = object
		default:
			attribute.ToStruct(&items[i], object.Attributes())
		}
	}

	*q = NewQuestions(items)
	return true
}

// NFC returns the questions with all texts in Unicode NFC (see [attribute.NFC]).
func (q Questions) NFC() attr.Value {
	items := slices.Clone(q.items)
	for i := range items {
		if items[i].absent != nil {
			continue
		}
		values := attribute.FromStruct(&items[i])
		for name, value := range values {
			values[name] = attribute.NFC(value)
		}
		attribute.ToStruct(&items[i], values)
	}
	return Questions{items: items, state: q.state}
}

// IsNull implements [attr.Value].
func (q Questions) IsNull() bool { return q.state == attr.ValueStateNull }

// IsUnknown implements [attr.Value]. It reports whether the list is unknown as a whole.
func (q Questions) IsUnknown() bool { return q.state == attr.ValueStateUnknown }

// IsEmpty reports whether the list contains no questions.
func (q Questions) IsEmpty() bool { return !q.IsUnknown() && len(q.items) == 0 }

// Equal implements [attr.Value].
func (q Questions) Equal(value attr.Value) bool {
	r, ok := value.(Questions)
	return ok && q.state == r.state && slices.EqualFunc(q.items, r.items, Question.Equal)
}

// Type implements [attr.Value].
func (q Questions) Type(context.Context) attr.Type { return types.ListType{ElemType: QuestionType} }

// String implements [attr.Value]. The normalization memory stores a hash of its result.
func (q Questions) String() string {
	list, _ := q.ToListValue(context.Background())
	return list.String()
}

// ToTerraformValue implements [attr.Value].
func (q Questions) ToTerraformValue(ctx context.Context) (tftypes.Value, error) {
	list, _ := q.ToListValue(ctx)
	return list.ToTerraformValue(ctx)
}

// ToListValue implements [basetypes.ListValuable].
func (q Questions) ToListValue(context.Context) (types.List, diag.Diagnostics) {
	if q.IsNull() {
		return types.ListNull(QuestionType), nil
	}
	if q.IsUnknown() {
		return types.ListUnknown(QuestionType), nil
	}

	elements := make([]attr.Value, len(q.items))
	for i := range q.items {
		elements[i] = q.items[i].absent
		if elements[i] == nil {
			elements[i] = types.ObjectValueMust(QuestionType.AttrTypes, attribute.FromStruct(&q.items[i]))
		}
	}
	return types.ListValueMust(QuestionType, elements), nil
}

// AttributeTypes maps each attribute to the question types that it applies to. An attribute that is not listed
// applies to all types.
var AttributeTypes = map[string][]api.SurveyQuestionType{
	"link":    {api.Link},
	"display": {api.Rating}, "scale": {api.Rating}, "lower_bound_label": {api.Rating}, "upper_bound_label": {api.Rating}, "is_nps_question": {api.Rating},
	"choices": choiceTypes, "shuffle_options": choiceTypes, "has_open_choice": choiceTypes,
	"skip_submit_button": {api.Rating, api.SingleChoice, api.MultipleChoice},
	"validation":         {api.Open},
}

var choiceTypes = []api.SurveyQuestionType{api.SingleChoice, api.MultipleChoice}

// isUnused reports whether an attribute has no effect on a question of this type. PostHog keeps such
// attributes of a question whose type was changed.
func (q Question) isUnused(attribute string) bool {
	types, isLimited := AttributeTypes[attribute]
	kind := api.SurveyQuestionType(q.Type.ValueString())
	return isLimited && kind.Valid() && !slices.Contains(types, kind)
}
